package migrate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// parameter is a parameter that the file needs.
type parameter struct {
	name, description string
	secure            bool
	by                source.Span // of what needs it
}

const environmentName = "environment"

// isEnvironment reports whether it is the environment, and not what a resource whose name begins so needs.
func (p parameter) isEnvironment() bool {
	return strings.TrimRight(p.name, "0123456789") == environmentName
}

// parameter adds a parameter, and returns its name.
func (f *file) parameter(p parameter) string {
	p.name = f.unique(p.name)
	f.added = append(f.added, p)
	return p.name
}

// unique returns a name that the file does not use.
func (f *file) unique(name string) string {
	if f.names == nil {
		f.names = map[string]bool{}
		for _, d := range f.m.Binding().Declarations() {
			f.names[d.Name()] = true
		}
		f.m.Tree().Walk(f.m.Tree(), func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Local:
				f.names[n.Name.Name] = true
			case *syntax.Call: // of a function that a declaration would hide
				f.names[n.Name.Name] = true
			}
			return true
		})
	}
	for n := 2; f.names[name]; n++ {
		name = strings.TrimRight(name, "0123456789") + strconv.Itoa(n)
	}
	f.names[name] = true
	return name
}

// environmentOf returns the environment of a declaration, which is in an application, or nil: that of the application, if
// the file declares it, else the one that the file knows. If it knows none, a parameter is added.
func (f *file) environmentOf(application syntax.Expr, of bind.Declared) string {
	if id, ok := syntax.Unparen(application).(*syntax.PropertyAccess); ok && id.Name.Name == "id" {
		if s, ok := f.m.Symbol(id.X).(*bind.Resource); ok && !bind.IsLoop(s) {
			if text := f.environmentIn(s.Stmt, of); text != "" {
				return text
			}
		}
	}
	hidden := f.locals(of)
	for _, p := range f.m.Binding().Params {
		if p.Name() == environmentName && !hidden[environmentName] && types.AreAssignable(f.m.SymbolType(p), types.TString) {
			return environmentName
		}
	}
	for _, p := range f.added {
		if p.isEnvironment() {
			return p.name
		}
	}
	var found []string
	for _, t := range f.order {
		text := ""
		switch {
		case bind.IsLoop(t.Symbol), hidden[t.Symbol.Name()]:
		case t.old == "applications.core/environments" && !f.needs(t.Symbol, of, map[bind.Declared]bool{}):
			text = t.Symbol.Name() + ".id"
		case t.old == "applications.core/applications":
			text = f.environmentIn(t.stmt, of)
		}
		if text != "" {
			found = append(found, text)
		}
	}
	if slices.Sort(found); len(slices.Compact(found)) == 1 {
		return found[0]
	}
	return f.parameter(parameter{environmentName, "The ID of the environment to deploy to.", false, of.NameSpan()})
}

// locals returns the names of a declaration's own variables, which hide those of the file where they are read.
func (f *file) locals(of bind.Declared) map[string]bool {
	names := map[string]bool{}
	f.m.Tree().Walk(of.Decl(), func(n syntax.Node) bool {
		if l, ok := n.(*syntax.Local); ok {
			names[l.Name.Name] = true
		}
		return true
	})
	return names
}

// environmentIn returns the environment that a resource is given, if that is one line that does not need a declaration.
func (f *file) environmentIn(r *syntax.Resource, of bind.Declared) string {
	props, _ := syntax.Body(r.Value).PropertyValue("properties").(*syntax.Object)
	x := props.PropertyValue("environment")
	if x == nil || strings.ContainsAny(f.slice(x.Span()), "\r\n") {
		return ""
	}
	hidden := f.locals(of)
	for _, d := range f.m.Binding().References(x) {
		if hidden[d.Name()] || f.needs(d, of, map[bind.Declared]bool{}) {
			return ""
		}
	}
	return f.slice(x.Span())
}

// give passes the parameters that were added to the file of a module.
func (f *file) give(m *bind.Module, added []parameter) {
	if len(added) == 0 {
		return
	}
	body := syntax.Body(m.Stmt.Value)
	if body == nil {
		f.note(NotFollowed, m.Stmt.Span(), "the body of the module is not written here, and it needs more parameters")
		return
	}
	p := body.Property("params")
	params := &syntax.Object{}
	if p != nil {
		var ok bool
		if params, ok = p.Value.(*syntax.Object); !ok {
			f.opaque(p, "params")
			return
		}
	}
	var lines []string
	for _, one := range added {
		value := ""
		if one.isEnvironment() {
			value = f.environmentOf(f.applicationIn(params), m)
		} else {
			one.by = m.NameSpan()
			value = f.parameter(one)
		}
		lines = append(lines, one.name+": "+value)
	}
	o := f.object(body)
	switch {
	case p == nil && len(o.items) == 0:
		at := f.indent(body.Span().Start)
		f.replace(body.Span(), f.block("{", at, []string{"params: " + f.block("{", at+f.unit, lines)}))
	case p == nil:
		last := o.items[len(o.items)-1]
		f.add(last, "params: "+f.block("{", f.indent(last.node.Span().Start), lines))
	case len(params.Items) == 0:
		f.replace(params.Span(), f.block("{", f.indent(p.Span().Start), lines))
	default:
		given := f.object(params)
		for i := len(lines) - 1; i >= 0; i-- {
			f.add(given.items[len(given.items)-1], lines[i])
		}
	}
}

// applicationIn returns the application that a module is given, if it is given one of this file.
func (f *file) applicationIn(params *syntax.Object) syntax.Expr {
	for _, one := range params.Items {
		p, ok := one.(*syntax.Property)
		if !ok {
			continue
		}
		if id, ok := syntax.Unparen(p.Value).(*syntax.PropertyAccess); ok && id.Name.Name == "id" {
			s, _ := f.m.Symbol(id.X).(*bind.Resource)
			if t := f.targets[s]; t != nil && t.old == "applications.core/applications" {
				return id
			}
		}
	}
	return nil
}

// declare declares the parameters that were added.
func (f *file) declare() {
	if len(f.added) == 0 {
		return
	}
	at := int32(-1)
	for _, s := range f.m.Tree().Stmts {
		switch s.(type) {
		case *syntax.Param, *syntax.Extension, *syntax.TargetScope, *syntax.Metadata, *syntax.Import:
			at = f.lineEnd(s.Span().End)
		}
	}
	text := ""
	for _, p := range f.added {
		text += f.eol + f.eol + "@description(" + quote(p.description) + ")" + f.eol
		if p.secure {
			text += "@secure()" + f.eol
		}
		text += "param " + p.name + " string"
		f.note(Check, p.by, "the file has a new parameter, %s: give it a value, also in parameter files", p.name)
	}
	if at < 0 {
		f.insert(0, strings.TrimLeft(text, "\r\n")+f.eol+f.eol)
		return
	}
	if next := f.nextLine(at); strings.TrimSpace(f.text[next:f.lineEnd(next)]) != "" {
		text += f.eol
	}
	f.insert(at, text)
}

// mentions notes texts that name types that go, or hosts that are called otherwise now.
func (f *file) mentions() {
	hosts := map[string]*target{}
	for _, t := range f.order {
		if name, ok := f.literal(f.name(t)); ok && t.old == "applications.core/containers" {
			hosts[name] = t
		}
	}
	f.m.Tree().Walk(f.m.Tree(), func(n syntax.Node) bool {
		s, ok := n.(*syntax.String)
		if !ok {
			return true
		}
		switch p := f.m.Parent(s).(type) {
		case *syntax.StringTypeLit:
			return true
		case *syntax.Resource:
			if p.Type == syntax.Expr(s) {
				return true
			}
		}
		for _, text := range s.Segments() {
			if removedName.MatchString(text) {
				f.note(Check, s.Span(), "the text names a type that goes; IDs of resources that moved have the new type")
			}
			if _, rest, ok := strings.Cut(text, "://"); ok {
				host := rest
				if i := strings.IndexAny(rest, ":/"); i >= 0 {
					host = rest[:i]
				}
				if t := hosts[host]; t != nil && f.still(s) {
					f.note(Check, s.Span(), "the Service of %s is now called %s", host, serviceName(host))
				}
			}
		}
		return true
	})
}

// still reports whether a string is a part of the result.
func (f *file) still(s *syntax.String) bool {
	at := f.from(s.Span().Start)
	return at == len(f.list) || !f.list[at].Contains(s.Span()) || strings.Contains(f.list[at].text, f.text[s.Span().Start:s.Span().End])
}
