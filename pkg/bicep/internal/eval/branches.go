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

// conditionalPartial evaluates if(…) where the condition is marked.
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
	if err := ev.expressionRoom(u.size, p.fresh); err != nil {
		return nil, err
	}
	s, ok := cond.(*Secret)
	if !ok {
		return u, nil
	}
	b, ok := s.Value.(armjson.Bool)
	if !ok {
		return nil, badArg(c.Name, 0, "a boolean", cond)
	}
	chosen := c.Args[2]
	if b {
		chosen = c.Args[1]
	}
	v, err := ev.eval(chosen)
	if err != nil {
		return nil, err
	}
	if unknown, _ := Marks(v); unknown {
		return u, nil
	}
	return shownAs(v, u), nil
}

// logicalPartial evaluates or and and from argument i on, which is v and marked.
// None of the arguments before it decides.
func (ev *Evaluator) logicalPartial(c *armexpr.Call, decisive bool, i int, v Value) (Value, error) {
	args := make([]arg, 0, len(c.Args))
	for range i {
		args = append(args, arg{v: armjson.Bool(!decisive)})
	}
	unknown, decided := false, false
	note := func(v Value) error {
		switch v := v.(type) {
		case *Unknown:
			unknown = true
		case *Secret:
			b, ok := v.Value.(armjson.Bool)
			if !ok {
				return badArg(c.Name, len(args), "a boolean", v)
			}
			decided = decided || bool(b) == decisive
		case armjson.Bool:
			if bool(v) == decisive {
				decided = true
			}
		default:
			return badArg(c.Name, len(args), "a boolean", v)
		}
		return nil
	}
	if err := note(v); err != nil {
		return nil, err
	}
	args = append(args, arg{v: v})
	for _, x := range c.Args[len(args):] {
		if ev.verbatim && unknown {
			args = append(args, arg{v: ev.raw(x)})
			continue
		}
		v, err := ev.eval(x)
		if err != nil {
			if Exhausted(err) {
				return nil, err
			}
			// Whether the deployment gets here depends on what came before. Where a secret decided, it does not.
			args = append(args, arg{v: Raw(armexpr.AsCall(x))})
			unknown = unknown || !decided
			continue
		}
		if err := note(v); err != nil {
			return nil, err
		}
		if b, ok := v.(armjson.Bool); ok && bool(b) == decisive {
			return b, nil
		}
		args = append(args, arg{v: v})
	}
	r, err := ev.residual(c.Name, args)
	if err != nil || unknown && (!decided || ev.verbatim) {
		return r, err
	}
	value := decided == decisive // decisive if an argument decides, and the opposite if none does
	return shownAs(armjson.Bool(value), r.(*Unknown)), nil
}

// coalescePartial evaluates coalesce from argument i on, which is v and marked.
func (ev *Evaluator) coalescePartial(c *armexpr.Call, i int, v Value) (Value, error) {
	if s, ok := v.(*Secret); ok && !isNull(s.Value) {
		return v, nil
	}
	var list []arg
	if ev.verbatim {
		for range i {
			list = append(list, arg{v: armjson.Null{}})
		}
	}
	list = append(list, arg{v: v})
	_, unknown := v.(*Unknown)
	for _, x := range c.Args[i+1:] {
		if ev.verbatim && unknown {
			list = append(list, arg{v: ev.raw(x)})
			continue
		}
		next, err := ev.eval(x)
		if err != nil {
			if Exhausted(err) || !unknown {
				return nil, err
			}
			list = append(list, arg{v: Raw(armexpr.AsCall(x))})
			continue
		}
		if isNull(next) {
			continue
		}
		if _, ok := next.(*Unknown); ok {
			unknown = true
		} else if !unknown {
			return next, nil
		}
		list = append(list, arg{v: next})
		if s, ok := next.(*Secret); ok && isNull(s.Value) {
			continue
		}
		if _, ok := next.(*Unknown); !ok {
			break
		}
	}
	if !unknown {
		return armjson.Null{}, nil
	}
	return ev.residual(c.Name, list)
}
