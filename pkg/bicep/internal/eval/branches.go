package eval

import (
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// branch evaluates an expression that deployment may or may not evaluate, so that
// an error in it is ignored: such an expression stays as it is.
func (ev *Evaluator) branch(e armexpr.Expr, p *parts) (armexpr.Expr, error) {
	if ev.verbatim {
		e = ev.written(e)
		p.size += sizeOf(e)
		return e, nil
	}
	v, err := ev.eval(e)
	if err == nil {
		err = ev.weigh(v)
	}
	if err != nil {
		if Exhausted(err) {
			return nil, err
		}
		p.size += sizeOf(e)
		return e, nil
	}
	return p.of(v), nil
}

// conditionalPartial evaluates if(…) where the condition is unknown.
func (ev *Evaluator) conditionalPartial(c *armexpr.Call, cond Value) (Value, error) {
	p := parts{size: 8}
	list := []armexpr.Expr{p.of(cond), nil, nil}
	for i := 1; i < 3; i++ {
		e, err := ev.branch(c.Args[i], &p)
		if err != nil {
			return nil, err
		}
		list[i] = e
	}
	u := p.unknown(&armexpr.Call{Name: "if", Args: list})
	return u, ev.expressionRoom(u.size, p.fresh)
}

// logicalPartial evaluates or and and from argument i on, which is v and unknown.
// None of the arguments before it decides.
func (ev *Evaluator) logicalPartial(c *armexpr.Call, decisive bool, i int, v Value) (Value, error) {
	args := make([]arg, 0, len(c.Args))
	for range i {
		args = append(args, arg{v: armjson.Bool(!decisive)})
	}
	args = append(args, arg{v: v})
	for _, x := range c.Args[len(args):] {
		v, written, err := ev.perhaps(x)
		if err != nil {
			return nil, err
		}
		if written {
			args = append(args, arg{v: v})
			continue
		}
		b, ok := v.(armjson.Bool)
		switch {
		case !ok && !isUnknown(v):
			return nil, badArg(c.Name, len(args), "a boolean", v)
		case ok && bool(b) == decisive:
			return b, nil
		}
		args = append(args, arg{v: v})
	}
	return ev.residual(c.Name, args)
}

// perhaps evaluates an argument. Whether the deployment gets to it depends on those before it, so one that fails
// stays as it is written.
func (ev *Evaluator) perhaps(x armexpr.Expr) (v Value, written bool, err error) {
	if ev.verbatim {
		return ev.raw(x), true, nil
	}
	if v, err = ev.eval(x); err != nil && !Exhausted(err) {
		return Raw(armexpr.AsCall(x)), true, nil
	}
	return v, false, err
}

// coalescePartial evaluates coalesce from argument i on, which is v and unknown.
func (ev *Evaluator) coalescePartial(c *armexpr.Call, i int, v Value) (Value, error) {
	var list []arg
	if ev.verbatim {
		for range i {
			list = append(list, arg{v: armjson.Null{}})
		}
	}
	list = append(list, arg{v: v})
	for _, x := range c.Args[i+1:] {
		next, written, err := ev.perhaps(x)
		if err != nil {
			return nil, err
		}
		if !written && isNull(next) {
			continue
		}
		list = append(list, arg{v: next})
		if !written && !isUnknown(next) {
			break
		}
	}
	return ev.residual(c.Name, list)
}
