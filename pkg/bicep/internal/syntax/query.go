package syntax

// This file answers the small questions about shapes that several stages ask.

// Body returns the object that a resource, module or test is given, looking
// through a condition and a loop. It is nil if there is none.
func Body(value Expr) *Object {
	if f, ok := value.(*For); ok {
		value = f.Body
	}
	if c, ok := value.(*If); ok {
		value = c.Body
	}
	o, _ := value.(*Object)
	return o
}

// Condition returns the condition of a resource or module, looking through a
// loop. It is nil if there is none.
func Condition(value Expr) Expr {
	if f, ok := value.(*For); ok {
		value = f.Body
	}
	if c, ok := value.(*If); ok {
		return c.Cond
	}
	return nil
}

// IsLoop reports whether the value of a declaration is a loop.
func IsLoop(value Expr) bool {
	_, ok := value.(*For)
	return ok
}

// Property returns the property that is written with a plain key of that name. It
// is nil if there is none, or if there are several: which one counts is not known.
func (o *Object) Property(name string) *Property {
	if o == nil {
		return nil
	}
	if len(o.Items) > manyItems {
		if o.named == nil {
			o.nameItems()
		}
		return o.named[name]
	}
	var found *Property
	for _, item := range o.Items {
		if p, ok := item.(*Property); ok && hasName(p.Key, name) {
			if found != nil {
				return nil
			}
			found = p
		}
	}
	return found
}

// hasName reports whether a key gives a name, as plainKey returns it.
func hasName(key Node, name string) bool {
	switch k := key.(type) {
	case *Ident:
		return k.Name == name && name != ""
	case *String:
		return k.text[0] == name && k.holed == nil
	}
	return false
}

// manyItems is the size from which an object's properties are found in a map: a caller
// that needs one of them often needs all.
const manyItems = 32

func (o *Object) nameItems() {
	o.named = make(map[string]*Property, len(o.Items))
	for _, item := range o.Items {
		if p, ok := item.(*Property); ok {
			if key, ok := p.KeyName(); ok {
				if _, twice := o.named[key]; twice {
					p = nil
				}
				o.named[key] = p
			}
		}
	}
}

// PropertyValue returns the value of the property of that name, or nil, as Property does.
func (o *Object) PropertyValue(name string) Expr {
	if p := o.Property(name); p != nil {
		return p.Value
	}
	return nil
}

// Unparen takes the parentheses off an expression.
func Unparen(e Expr) Expr {
	for {
		p, ok := e.(*Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}

// UnwrapNonNull takes the ! off an expression.
func UnwrapNonNull(e Expr) Expr {
	for {
		n, ok := e.(*NonNull)
		if !ok {
			return e
		}
		e = n.X
	}
}

// Interpolated reports whether the string has holes.
func (s *String) Interpolated() bool { return s.holed != nil }

// CallName returns the name and arguments of a call of either kind.
func CallName(e Node) (name *Ident, args []Expr, ok bool) {
	switch c := e.(type) {
	case *Call:
		return c.Name, c.Args, true
	case *InstanceCall:
		return c.Name, c.Args, true
	}
	return nil, nil, false
}
