package expand

import (
	"errors"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// tolerate reports an error as a diagnostic, and returns whether the expansion can
// go on. One that was reported before is not reported again.
func (x *expander) tolerate(err error) bool {
	if !x.options.Tolerant || eval.Exhausted(err) || x.budget.Passing(err) {
		return false
	}
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	if !x.tolerated[e.Error()] && !e.apart {
		x.tolerated[e.Error()] = true
		x.result.Diagnostics = append(x.result.Diagnostics, Diagnostic{
			Target: e.Kind + " " + e.Name, Level: "Warning", Code: "EvaluationFailed", Message: e.Error(), Position: e.Position, of: e,
		})
	}
	return true
}

// failing stands for a value that cannot be evaluated and has no expression of its own.
func failing(err error) Value {
	return eval.NewUnknown(nil, "fail", armjson.String(Reason(err)))
}

// value evaluates a value of a declaration. Where errors are tolerated, the parts
// of it that fail are unknown.
func (d *deployment) value(ev *eval.Evaluator, v Value, kind, name string) (Value, error) {
	r, err := ev.Value(v)
	if err == nil || !d.x.tolerate(d.fail(kind, name, err)) {
		return r, err
	}
	return d.parts(ev, v, kind, name)
}

// parts evaluates the parts of a value that fails, each by itself.
func (d *deployment) parts(ev *eval.Evaluator, v Value, kind, name string) (Value, error) {
	switch v := v.(type) {
	case armjson.Array:
		out := make(armjson.Array, len(v))
		for i, x := range v {
			var err error
			if out[i], err = d.parts(ev, x, kind, name); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *armjson.Object:
		if v.Find("copy") >= 0 {
			break
		}
		out := armjson.NewObject()
		for k, x := range v.All() {
			y, err := d.parts(ev, x, kind, name)
			if err != nil {
				return nil, err
			}
			out.Set(k, y)
		}
		return out, nil
	}
	r, err := ev.Value(v)
	if err == nil || !d.x.tolerate(d.fail(kind, name, err)) {
		return r, err
	}
	if s, ok := v.(armjson.String); ok {
		if e, err := armexpr.Parse(string(s)); err == nil {
			if c, ok := e.(*armexpr.Call); ok {
				return eval.Raw(c), nil
			}
		}
	}
	return failing(err), nil
}
