package eval

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

func (ev *Evaluator) value(v Value) (Value, error) {
	switch v := v.(type) {
	case armjson.String:
		e, err := ev.parse(string(v))
		if err != nil {
			return nil, err
		}
		return ev.eval(e)
	case armjson.Array:
		if err := ev.roomFor(len(v)); err != nil {
			return nil, err
		}
		out := make(armjson.Array, len(v))
		for i, x := range v {
			y, err := ev.value(x)
			if err != nil {
				return nil, err
			}
			out[i] = y
		}
		return out, nil
	case *armjson.Object:
		if err := ev.roomFor(v.Len()); err != nil {
			return nil, err
		}
		return ev.object(v)
	}
	return v, nil
}

// object evaluates an object: the loops of its copy member, then its members.
func (ev *Evaluator) object(o *armjson.Object) (Value, error) {
	out := armjson.NewObject()
	loops, isLoop := copyLoops(o)
	for _, l := range loops {
		a, err := ev.loop(l)
		if err != nil {
			return nil, err
		}
		out.Set(l.name, a)
	}
	for k, x := range o.All() {
		if isLoop && strings.EqualFold(k, "copy") {
			continue
		}
		if armexpr.IsExpression(k) || strings.HasPrefix(k, "[[") {
			key, err := ev.value(armjson.String(k))
			if err != nil {
				return nil, err
			}
			if k, err = propertyName(key); err != nil {
				return nil, err
			}
		}
		y, err := ev.value(x)
		if err != nil {
			return nil, err
		}
		out.Set(k, y)
	}
	return out, nil
}

// loop is an entry of copy in an object, {name, count, input}, or the copy of an output.
type loop struct {
	name         string
	count, input Value
	named        bool // only copyIndex('name') counts it
	property     bool // of a resource, and not of a variable or an output
}

// copyLoops returns the loops that the copy member of an object declares, if it is one.
func copyLoops(o *armjson.Object) ([]loop, bool) {
	v, ok := o.Get("copy")
	if !ok {
		return nil, false
	}
	list, ok := v.(armjson.Array)
	if !ok {
		return nil, false
	}
	loops := make([]loop, 0, len(list))
	for _, x := range list {
		entry, ok := x.(*armjson.Object)
		if !ok {
			return nil, false
		}
		l, ok := asLoop(entry)
		if !ok {
			return nil, false
		}
		l.property = true
		loops = append(loops, l)
	}
	return loops, true
}

func asLoop(o *armjson.Object) (loop, bool) {
	name, ok := Find(o, "name")
	s, isString := name.(armjson.String)
	count, hasCount := Find(o, "count")
	input, hasInput := Find(o, "input")
	return loop{name: string(s), count: count, input: input, named: true}, ok && isString && hasCount && hasInput
}

// OutputLoop evaluates the loop of an output, which has no name: copyIndex() counts it.
func (ev *Evaluator) OutputLoop(count, input Value) (Value, error) {
	return ev.loop(loop{name: "value", count: count, input: input})
}

// MaxCopies is how many rounds the deployment engine lets a loop of resources or of properties have.
const MaxCopies = 800

// loop evaluates a copy loop to the array it stands for.
func (ev *Evaluator) loop(l loop) (Value, error) {
	c, err := ev.value(l.count)
	if err != nil {
		return nil, err
	}
	if _, ok := c.(*Unknown); ok {
		return ev.unknownLoop(l, c)
	}
	n, ok := asInt(c)
	if !ok || n < 0 {
		return nil, fmt.Errorf("the loop %q has no valid count", l.name)
	}
	if n > maxRange {
		return nil, tooMany{fmt.Errorf("the loop %q has %d rounds; the limit is %d", l.name, n, maxRange)}
	}
	if l.property && n > MaxCopies {
		return nil, fmt.Errorf("the loop %q has %d rounds; the limit is %d", l.name, n, MaxCopies)
	}
	rounds := ev
	if ev.memo == nil {
		rounds = ev.WithMemo()
	}
	out := make(armjson.Array, 0, n)
	for i := range n {
		if err := ev.step(1); err != nil {
			return nil, err
		}
		round := *rounds
		round.copies = &copies{name: l.name, index: i, named: l.named, next: ev.copies}
		v, err := round.value(l.input)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, ev.weigh(out)
}
