package eval

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/radbicep/rad/pkg/armjson"
)

// Limits bound evaluations.
type Limits struct {
	Steps int // function calls, rounds of loops
	Walk  int // elements visited when values are put into others, compared or printed
	Size  int // bytes of the values that are made, all in all
	Depth int // nesting of calls
}

// DefaultLimits are far beyond what a template that can be deployed needs: it has 4 MB. Of 2,500 public programs
// none needs 1% of the steps, 0.1% of the walk and 2% of the size.
func DefaultLimits() Limits {
	return Limits{Steps: 4_000_000, Walk: 50_000_000, Size: 64 << 20, Depth: 5000}
}

// Budget is what is left of limits. All evaluations of a compile share one, so that together
// they cannot use more than a single one may. It must not be used
// concurrently.
type Budget struct {
	steps, walk, size stock
	depth             int
	run               *Run
	folded            foldIndexes
	calls             calls
	// Trees are those of expressions that others evaluate, too; may be nil.
	Trees *Trees
	// Graphs says that an expression in place of an unknown value costs what it takes in memory, and not what it
	// would take written out.
	Graphs bool
	// Retry says that what refers to itself may be asked for again, when it is not being
	// evaluated any more.
	Retry bool
}

// stock is what is left of one limit: now is at hand, later may be fetched. If there is a Run, what is fetched is
// taken from it, too.
type stock struct {
	now, later, part int
	of               kind
}

// kind is a limit that a Run has.
type kind int

const kinds = 3 // steps, walk and size

// Run is what all compiles and expansions of one run of a program share: 100 files that each take what a file may
// take would otherwise take 100 times as long. A file that takes less than the 50th part of a limit takes nothing
// from the run, so any number of usual files can be in one. It may be used concurrently.
type Run struct{ left [kinds]atomic.Int64 }

const (
	freePart   = 50 // one part of so many is not taken from the run
	runHasFull = 4  // files that may take all that one may take
)

// NewRun returns what a run may take of the limits of its files.
func NewRun() *Run {
	r, l := &Run{}, DefaultLimits()
	for of, n := range [kinds]int{l.Steps, l.Walk, l.Size} {
		r.left[of].Store(int64(runHasFull * n))
	}
	return r
}

type runKey struct{}

// WithRun returns a context for a run: what is compiled with it shares a Run.
func WithRun(ctx context.Context) context.Context { return context.WithValue(ctx, runKey{}, NewRun()) }

// RunOf returns the run that a context is for. It is nil if it is for none.
func RunOf(ctx context.Context) *Run {
	r, _ := ctx.Value(runKey{}).(*Run)
	return r
}

// take takes n from a limit of the run.
func (r *Run) take(of kind, n int) bool {
	return r == nil || r.left[of].Add(int64(-n)) >= 0
}

func (r *Run) isSpent(of kind) bool { return r != nil && r.left[of].Load() <= 0 }

// fetch moves n of what may be fetched to what is at hand, and more if there is more.
func (b *Budget) fetch(s *stock, n int) bool {
	if n > s.later {
		return false
	}
	n = max(n, min(s.part, s.later))
	if !b.run.take(s.of, n) {
		return false
	}
	s.now += n
	s.later -= n
	return true
}

// circular is the error of what is asked for while it is evaluated.
type circular struct{ error }

func (c circular) Unwrap() error { return c.error }

// Circular returns an error that says that something refers to itself.
func Circular(err error) error { return circular{err} }

// Passing reports whether an error is not to be kept: what was asked for is being evaluated, and
// may be asked for again.
func (b *Budget) Passing(err error) bool { return b.Retry && errors.As(err, new(circular)) }

// NewBudget returns an unused budget. run may be nil.
func NewBudget(l Limits, run *Run) *Budget {
	b := &Budget{depth: l.Depth, run: run}
	for of, s := range [kinds]*stock{&b.steps, &b.walk, &b.size} {
		n := [kinds]int{l.Steps, l.Walk, l.Size}[of]
		*s = stock{now: n / freePart, later: n - n/freePart, part: n / freePart, of: kind(of)}
	}
	return b
}

// HalfUsed reports whether half of one of the limits that the budget began with is used.
func (b *Budget) HalfUsed(l Limits) bool {
	return b.steps.left() < l.Steps/2 || b.walk.left() < l.Walk/2 || b.size.left() < l.Size/2
}

func (s *stock) left() int { return s.now + s.later }

var (
	errSteps = errors.New("the evaluation takes too many steps, with those before it")
	errSize  = errors.New("the evaluation makes too large values, with those before it")
	errDepth = errors.New("the expression is nested too deeply")
	errRun   = errors.New("the files of this run take too much to evaluate together. Each may be fine in a run of its own")
)

// spent is the error for a limit that is reached.
func (b *Budget) spent(s *stock, err error) error {
	if s.later > 0 && b.run.isSpent(s.of) {
		return errRun
	}
	return err
}

func (ev *Evaluator) step(n int) error { return ev.Spend(n) }

// Spend takes n steps from the budget, for work that is done between evaluations.
func (ev *Evaluator) Spend(n int) error {
	s := &ev.budget.steps
	if s.now -= n; s.now < 0 && !ev.budget.fetch(s, -s.now) {
		return ev.budget.spent(s, errSteps)
	}
	return nil
}

// room takes the cost of a string of n bytes from the budget.
func (ev *Evaluator) room(n int) error {
	s := &ev.budget.size
	if n < 0 || n > maxValueText {
		return errSize
	}
	if n > s.now && !ev.budget.fetch(s, n-s.now) {
		return ev.budget.spent(s, errSize)
	}
	s.now -= n
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
	maxValueText  = 12 << 20 // how many bytes it may take when it is printed: a template has 4 MB
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
	w := scale{budget: ev.budget, text: maxValueText}
	return w.put(v, maxValueDepth)
}

type scale struct {
	budget *Budget
	text   int
}

func (w *scale) put(v Value, depth int) error {
	if s := &w.budget.walk; s.now > 0 {
		s.now--
	} else if !w.budget.fetch(s, 1) {
		return w.budget.spent(s, errSteps)
	}
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
	if w.text < 0 {
		return errSize
	}
	return nil
}
