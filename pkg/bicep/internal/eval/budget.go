package eval

import (
	"errors"

	"github.com/radbicep/rad/pkg/armjson"
)

// Limits bound evaluations.
type Limits struct {
	Steps int // function calls, rounds of loops
	Walk  int // elements visited when values are put into others, compared or printed
	Size  int // bytes of the values that are made, all in all
	Depth int // nesting of calls
}

// DefaultLimits are far beyond what a template that can be deployed needs: it has 4 MB.
var DefaultLimits = Limits{Steps: 4_000_000, Walk: 100_000_000, Size: 256 << 20, Depth: 5000}

// Budget is what is left of limits. All evaluations of a compile share one, so that together
// they cannot use more than a single one may. It must not be used
// concurrently.
type Budget struct {
	steps, walk, size, depth int
	folded                   foldIndexes
	calls                    calls
	// Retry says that what refers to itself may be asked for again, when it is not being
	// evaluated any more.
	Retry bool
}

// circular is the error of what is asked for while it is evaluated.
type circular struct{ error }

func (c circular) Unwrap() error { return c.error }

// Circular returns an error that says that something refers to itself.
func Circular(err error) error { return circular{err} }

// Passing reports whether an error is not to be kept: what was asked for is being evaluated, and
// may be asked for again.
func (b *Budget) Passing(err error) bool { return b.Retry && errors.As(err, new(circular)) }

// NewBudget returns an unused budget.
func NewBudget(l Limits) *Budget {
	return &Budget{steps: l.Steps, walk: l.Walk, size: l.Size, depth: l.Depth}
}

// HalfUsed reports whether half of one of the limits that the budget began with is used.
func (b *Budget) HalfUsed(l Limits) bool {
	return b.steps < l.Steps/2 || b.walk < l.Walk/2 || b.size < l.Size/2
}

var (
	errSteps = errors.New("the evaluation takes too many steps, with those before it")
	errSize  = errors.New("the evaluation makes too large values, with those before it")
	errDepth = errors.New("the expression is nested too deeply")
)

func (ev *Evaluator) step(n int) error { return ev.Spend(n) }

// Spend takes n steps from the budget, for work that is done between evaluations.
func (ev *Evaluator) Spend(n int) error {
	if ev.budget.steps -= n; ev.budget.steps < 0 {
		return errSteps
	}
	return nil
}

// room takes the cost of a string of n bytes from the budget.
func (ev *Evaluator) room(n int) error {
	if n < 0 || n > maxValueText || n > ev.budget.size {
		return errSize
	}
	ev.budget.size -= n
	return nil
}

// roomFor does so for an array or object of n elements.
func (ev *Evaluator) roomFor(n int) error {
	const each = 48 // bytes, with a small number in it
	if n > maxValueText/each {
		return errSize
	}
	return ev.room(each * n)
}

const (
	maxValueDepth = 2000     // how deep a value may nest
	maxValueText  = 24 << 20 // how many bytes it may take when it is printed: a template has 4 MB
)

// weigh checks that a value is small enough to be printed. Values are shared and not
// copied, so [x, x] is cheap to make from any x, but thirty such steps make a value that is
// too large to print. Functions that put values into others therefore weigh the result,
// which costs no more than printing it.
func (ev *Evaluator) weigh(v Value) error {
	switch v.(type) {
	case armjson.Array, *armjson.Object:
	default:
		return nil
	}
	w := scale{walk: ev.budget.walk, text: maxValueText}
	err := w.put(v, maxValueDepth)
	ev.budget.walk = w.walk
	return err
}

type scale struct{ walk, text int }

func (w *scale) put(v Value, depth int) error {
	w.walk--
	w.text -= 2 // of a short element: it has a comma, and a character at least
	switch v := v.(type) {
	case armjson.String:
		w.text -= len(v)
	case armjson.Array:
		if depth == 0 {
			return errDepth
		}
		for _, x := range v {
			if err := w.put(x, depth-1); err != nil {
				return err
			}
		}
	case *armjson.Object:
		if depth == 0 {
			return errDepth
		}
		for i := range v.Len() {
			m := v.At(i)
			w.text -= len(m.Key)
			if err := w.put(m.Value, depth-1); err != nil {
				return err
			}
		}
	}
	if w.walk < 0 {
		return errSteps
	}
	if w.text < 0 {
		return errSize
	}
	return nil
}
