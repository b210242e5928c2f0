package emit

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
)

// value writes an expression where a JSON value is: literals, objects and
// arrays as JSON, all else as the string that holds an expression.
func (w *writer) value(e ir.Expr) {
	if len(w.buf) > maxTemplate {
		w.tooLarge = true
		w.null()
		return
	}
	switch e := e.(type) {
	case *ir.Bool:
		w.bool(e.Value)
	case *ir.Int:
		w.int(e.Value)
	case *ir.Null:
		w.null()
	case *ir.Object:
		w.object()
		w.properties(e)
		w.end()
	case *ir.Array:
		w.array()
		for _, x := range e.Items {
			w.item()
			w.value(x)
		}
		w.end()
	case *ir.String:
		w.literal(e.Value)
	default:
		w.language(e)
	}
}

// literal writes a string so that the deployment engine takes it for one.
func (w *writer) literal(s string) {
	if len(s) > 0 && s[0] == '[' {
		w.arm(armexpr.Str(s))
		return
	}
	w.string(s)
}

// language writes an expression as one of the template language. An integer is
// written as a number all the same.
func (w *writer) language(e ir.Expr) {
	x := w.expr(e)
	if n, ok := x.(armexpr.Int); ok {
		w.nodes = 0
		w.int(int64(n))
		return
	}
	w.arm(x)
}

// arm writes an expression of the template language.
func (w *writer) arm(x armexpr.Expr) {
	w.buf = armexpr.AppendJSON(w.buf, x)
	w.nodes = 0
}

// member writes a member with a plain key. The key is the user's: one that the
// engine would take for an expression or for an instruction is escaped.
func (w *writer) member(key string, v ir.Expr) {
	w.userKey(key)
	w.value(v)
}

func (w *writer) armMember(key string, v armexpr.Expr) {
	w.key(key)
	w.arm(v)
}

// userKey begins a member whose key comes from the user.
func (w *writer) userKey(key string) {
	if len(key) > 0 && key[0] == '[' {
		key = armexpr.Text(armexpr.Str(key))
	}
	w.escapedKey(key)
}

// escapedKey begins a member whose key is escaped already. A member called copy is escaped here,
// since the engine would take it for a loop.
func (w *writer) escapedKey(key string) {
	if len(key) == len(copyKey) && strings.EqualFold(key, copyKey) {
		key = "[string('" + key + "')]"
	}
	w.key(key)
}

const copyKey = "copy"

// properties writes the properties of an object: loops first, gathered under
// `copy`, then the others.
func (w *writer) properties(o *ir.Object) {
	loops := false
	for _, p := range o.Props {
		loop, ok := p.Value.(*ir.ForLoop)
		if !ok {
			continue
		}
		if !loops {
			loops = true
			w.key(copyKey)
			w.array()
		}
		name, _ := p.KeyText()
		w.item()
		w.copyLoop(name, loop, true, "")
	}
	if loops {
		w.end()
	}
	for _, p := range o.Props {
		if loops {
			if _, ok := p.Value.(*ir.ForLoop); ok {
				continue
			}
		}
		if key, ok := p.Key.(*ir.String); ok {
			w.userKey(key.Value)
		} else {
			w.escapedKey(armexpr.Text(w.expr(p.Key)))
		}
		w.value(p.Value)
	}
}

// copyLoop writes a loop: its name (if it has one), how many turns it takes and,
// if asked for, what each turn gives. copyName, if set, takes the place of the loop's
// name within the body.
func (w *writer) copyLoop(name string, loop *ir.ForLoop, input bool, copyName string) {
	w.uniqueObject()
	if name != "" {
		w.key("name")
		w.literal(name)
	}
	w.armMember("count", fn("length", w.expr(loop.X)))
	if loop.BatchSize > 0 {
		w.stringMember("mode", "serial")
		w.key("batchSize")
		w.int(int64(loop.BatchSize))
	}
	if input {
		w.key("input")
		w.loopInput(loop.Body, copyName)
	}
	w.end()
}

// loopInput writes what each turn of a loop gives. The engine takes an object or
// a string there: everything else becomes an expression.
func (w *writer) loopInput(body ir.Expr, copyName string) {
	plain := false
	switch body.(type) {
	case *ir.Object, *ir.String:
		plain = true
	}
	if copyName == "" && plain {
		w.value(body)
		return
	}
	x := w.expr(body)
	if !plain {
		x = armexpr.AsCall(x)
	}
	if copyName != "" {
		x = renameCopyIndex(x, copyName)
	}
	w.arm(x)
}

// renameCopyIndex makes calls of copyIndex with a name refer to another loop.
func renameCopyIndex(e armexpr.Expr, name string) armexpr.Expr {
	return armexpr.Rewrite(e, func(e armexpr.Expr) armexpr.Expr {
		call, ok := e.(*armexpr.Call)
		if !ok || call.Name != "copyIndex" || len(call.Args) != 1 {
			return e
		}
		switch call.Args[0].(type) {
		case armexpr.Str, armexpr.Int:
			return &armexpr.Call{Name: call.Name, Args: []armexpr.Expr{armexpr.Str(name)}, Access: call.Access}
		}
		return e
	})
}
