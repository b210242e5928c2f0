package jsonpath

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// Select returns what the path picks from root, in order. Nothing picked is not an error.
func (p *Path) Select(root armjson.Value) ([]armjson.Value, error) {
	e := &evaluation{root: root}
	out := e.run(p.steps, []armjson.Value{root})
	if e.err != nil {
		return nil, e.err
	}
	left := maxResult
	for _, v := range out {
		if _, ok := v.(member); ok {
			return nil, ErrPath
		}
		if left = takeSize(v, left); left < 0 {
			return nil, ErrPath
		}
	}
	return out, nil
}

// maxResult bounds the values in the result. A path can pick a value and what is
// in it many times over; whatever reads the result reads it as often.
const maxResult = 1_000_000

// takeSize subtracts the number of values in v from left, and stops below zero.
func takeSize(v armjson.Value, left int) int {
	left--
	switch v := v.(type) {
	case *armjson.Object:
		for i := 0; i < v.Len() && left >= 0; i++ {
			left = takeSize(v.At(i).Value, left)
		}
	case armjson.Array:
		for i := 0; i < len(v) && left >= 0; i++ {
			left = takeSize(v[i], left)
		}
	}
	return left
}

// maxVisits bounds the work: a path can scan again what was scanned, pick twice
// what was picked twice, and compare all of one side with all of the other.
const maxVisits = 2_000_000

type evaluation struct {
	root   armjson.Value
	visits int
	err    error
}

func (e *evaluation) run(steps []step, from []armjson.Value) []armjson.Value {
	for _, s := range steps {
		if e.err != nil {
			return nil
		}
		from = s.apply(e, from)
	}
	return from
}

func (e *evaluation) visit() bool { return e.visitAll(1) }

// visitAll takes n values from what may be visited.
func (e *evaluation) visitAll(n int) bool {
	if e.visits += n; e.visits > maxVisits {
		e.err = ErrPath
	}
	return e.err == nil
}

// member is an object's name and value seen as one thing, which is what a query
// over an object looks at. Nothing but a bare `@` finds anything in it.
type member struct{ armjson.Value }

type step interface {
	apply(e *evaluation, from []armjson.Value) []armjson.Value
}

// memberStep picks members of objects; scanning, at any depth.
type memberStep struct {
	any   bool
	names []string
	scan  bool
}

func (s *memberStep) apply(e *evaluation, from []armjson.Value) (out []armjson.Value) {
	for _, v := range from {
		if s.scan {
			if s.any {
				out = append(out, v)
			}
			out = s.scanInto(e, v, out)
			continue
		}
		o, ok := v.(*armjson.Object)
		if !ok {
			continue
		}
		picked := len(s.names)
		if s.any {
			picked += o.Len()
		}
		if !e.visitAll(picked) {
			return nil
		}
		if s.any {
			for _, m := range o.All() {
				out = append(out, m)
			}
		}
		for _, n := range s.names {
			if m, ok := o.Get(n); ok {
				out = append(out, m)
			}
		}
	}
	return out
}

// scanInto adds what is below v, parents before their children.
func (s *memberStep) scanInto(e *evaluation, v armjson.Value, out []armjson.Value) []armjson.Value {
	switch v := v.(type) {
	case *armjson.Object:
		for name, m := range v.All() {
			if !e.visitAll(max(1, len(s.names))) {
				return nil
			}
			if s.any {
				out = append(out, m)
			}
			for _, n := range s.names {
				if n == name {
					out = append(out, m)
				}
			}
			out = s.scanInto(e, m, out)
		}
	case armjson.Array:
		for _, m := range v {
			if !e.visit() {
				return nil
			}
			if s.any {
				out = append(out, m)
			}
			out = s.scanInto(e, m, out)
		}
	}
	return out
}

// indexStep picks elements of arrays; all of them if there are no indexes.
type indexStep struct{ indexes []int }

func (s *indexStep) apply(e *evaluation, from []armjson.Value) (out []armjson.Value) {
	for _, v := range from {
		a, ok := v.(armjson.Array)
		if !ok {
			continue
		}
		if s.indexes == nil {
			if !e.visitAll(len(a)) {
				return nil
			}
			out = append(out, a...)
		}
		if !e.visitAll(len(s.indexes)) {
			return nil
		}
		for _, i := range s.indexes {
			switch {
			case i < 0:
				e.err = ErrPath
			case i < len(a):
				out = append(out, a[i])
			}
		}
	}
	return out
}

type sliceStep struct{ start, end, step *int }

func (s *sliceStep) apply(e *evaluation, from []armjson.Value) (out []armjson.Value) {
	step := or(s.step, 1)
	if step == 0 {
		e.err = ErrPath
		return nil
	}
	for _, v := range from {
		a, ok := v.(armjson.Array)
		if !ok {
			continue
		}
		n := len(a)
		if !e.visitAll(n) {
			return nil
		}
		first, last := 0, n
		if step < 0 {
			first, last = n-1, -1
		}
		begin, stop := or(s.start, first), or(s.end, last)
		if s.start != nil && begin < 0 {
			begin += n
		}
		if s.end != nil && stop < 0 {
			stop += n
		}
		stop = min(max(stop, -1), n)
		if step > 0 {
			for i := min(max(begin, 0), n); i < stop; i += step {
				out = append(out, a[i])
			}
			continue
		}
		for i := min(begin, n-1); i > stop && i >= 0; i += step {
			out = append(out, a[i])
		}
	}
	return out
}

func or(p *int, otherwise int) int {
	if p != nil {
		return *p
	}
	return otherwise
}

// queryStep picks the children that satisfy a condition; scanning, all descendants
// and the value itself.
type queryStep struct {
	cond condition
	scan bool
}

func (s *queryStep) apply(e *evaluation, from []armjson.Value) (out []armjson.Value) {
	for _, v := range from {
		if s.scan {
			out = s.scanInto(e, v, out)
			continue
		}
		switch v := v.(type) {
		case armjson.Array:
			for _, c := range v {
				if e.visit() && s.cond.holds(e, c) {
					out = append(out, c)
				}
			}
		case *armjson.Object:
			for _, c := range v.All() {
				if m := (member{c}); e.visit() && s.cond.holds(e, m) {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

func (s *queryStep) scanInto(e *evaluation, v armjson.Value, out []armjson.Value) []armjson.Value {
	if !e.visit() {
		return nil
	}
	if s.cond.holds(e, v) {
		out = append(out, v)
	}
	switch v := v.(type) {
	case armjson.Array:
		for _, c := range v {
			out = s.scanInto(e, c, out)
		}
	case *armjson.Object:
		for _, c := range v.All() {
			if m := (member{c}); s.cond.holds(e, m) {
				out = append(out, m)
			}
			out = s.scanInto(e, c, out)
		}
	}
	return out
}

type condition interface {
	holds(e *evaluation, v armjson.Value) bool
}

type composite struct {
	or bool
	of []condition
}

func (c *composite) holds(e *evaluation, v armjson.Value) bool {
	for _, x := range c.of {
		if x.holds(e, v) == c.or {
			return c.or
		}
	}
	return !c.or
}

type operator uint8

const (
	exists operator = iota
	equal
	notEqual
	strictEqual
	strictNotEqual
	matches
	less
	lessOrEqual
	greater
	greaterOrEqual
)

// side is one side of a comparison: a path, or a value.
type side struct {
	path     bool
	fromRoot bool
	steps    []step
	value    scalar
}

func (s *side) results(e *evaluation, v armjson.Value) []scalar {
	if !s.path {
		return []scalar{s.value}
	}
	if s.fromRoot {
		v = e.root
	}
	found := e.run(s.steps, []armjson.Value{v})
	out := make([]scalar, len(found))
	for i, f := range found {
		out[i] = toScalar(f)
	}
	return out
}

type comparison struct {
	op          operator
	left, right side
	regex       *regexp.Regexp // of the last pattern met
	pattern     string
}

func (c *comparison) holds(e *evaluation, v armjson.Value) bool {
	left := c.left.results(e, v)
	if c.op == exists || len(left) == 0 {
		return len(left) > 0
	}
	right := c.right.results(e, v)
	for _, l := range left {
		for _, r := range right {
			if !e.visit() {
				return false
			}
			if c.compare(e, l, r) {
				return true
			}
		}
	}
	return false
}

func (c *comparison) compare(e *evaluation, l, r scalar) bool {
	if l.kind == compound || r.kind == compound {
		return c.op == notEqual
	}
	switch c.op {
	case equal, strictEqual:
		return equalScalars(l, r)
	case notEqual, strictNotEqual:
		return !equalScalars(l, r)
	case matches:
		return l.kind == text_ && r.kind == text_ && c.match(e, l.s, r.s)
	}
	n, ok := order(l, r)
	if !ok {
		e.err = ErrPath
		return false
	}
	switch c.op {
	case less:
		return n < 0
	case lessOrEqual:
		return n <= 0
	case greater:
		return n > 0
	}
	return n >= 0
}

// match applies /pattern/flags.
func (c *comparison) match(e *evaluation, s, pattern string) bool {
	if c.regex == nil || c.pattern != pattern {
		end := strings.LastIndexByte(pattern, '/')
		if end < 1 {
			e.err = ErrPath
			return false
		}
		var flags strings.Builder
		for _, f := range pattern[end+1:] {
			if f == 'i' || f == 'm' || f == 's' {
				flags.WriteRune(f)
			}
		}
		text := pattern[1:end]
		if flags.Len() > 0 {
			text = "(?" + flags.String() + ")" + text
		}
		re, err := regexp.Compile(text)
		if err != nil {
			e.err = ErrPath
			return false
		}
		c.regex, c.pattern = re, pattern
	}
	return c.regex.MatchString(s)
}

type scalarKind uint8

const (
	compound scalarKind = iota // an array or an object
	null
	boolean
	integer
	float
	text_
)

type scalar struct {
	kind scalarKind
	b    bool
	n    int64
	f    float64
	s    string
}

func toScalar(v armjson.Value) scalar {
	switch v := v.(type) {
	case armjson.Null:
		return scalar{kind: null}
	case armjson.Bool:
		return scalar{kind: boolean, b: bool(v)}
	case armjson.String:
		return scalar{kind: text_, s: string(v)}
	case armjson.Number:
		if n, ok := v.Int64(); ok && !strings.ContainsAny(string(v), ".eE") {
			return scalar{kind: integer, n: n}
		}
		f, _ := strconv.ParseFloat(string(v), 64)
		return scalar{kind: float, f: f}
	}
	return scalar{kind: compound}
}

func (s scalar) float() float64 {
	if s.kind == integer {
		return float64(s.n)
	}
	return s.f
}

// equalScalars reports equality: of the same kind, or of two numbers.
func equalScalars(l, r scalar) bool {
	if l.kind != r.kind && !(l.kind == integer && r.kind == float || l.kind == float && r.kind == integer) {
		return false
	}
	n, ok := order(l, r)
	return ok && n == 0
}

// order compares two values the way the left one's kind asks for, except that text
// yields to what it is compared with. It fails where that cannot be converted.
func order(l, r scalar) (int, bool) {
	switch {
	case l.kind == null && r.kind == null:
		return 0, true
	case r.kind == null:
		return 1, true
	case l.kind == null:
		return -1, true
	}
	kind := l.kind
	if kind == text_ {
		kind = r.kind
	}
	switch kind {
	case integer, float:
		if kind == integer && l.kind != float && r.kind != float {
			a, ok1 := l.asInt()
			b, ok2 := r.asInt()
			return cmp.Compare(a, b), ok1 && ok2
		}
		a, ok1 := l.asFloat()
		b, ok2 := r.asFloat()
		return cmp.Compare(a, b), ok1 && ok2
	case boolean:
		a, ok1 := l.asBool()
		b, ok2 := r.asBool()
		return cmp.Compare(number(a), number(b)), ok1 && ok2
	}
	return strings.Compare(l.asText(), r.asText()), true
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s scalar) asInt() (int64, bool) {
	switch s.kind {
	case integer:
		return s.n, true
	case boolean:
		return int64(number(s.b)), true
	}
	n, err := strconv.ParseInt(strings.TrimSpace(s.s), 10, 64)
	return n, err == nil
}

func (s scalar) asFloat() (float64, bool) {
	switch s.kind {
	case integer, float:
		return s.float(), true
	case boolean:
		return float64(number(s.b)), true
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s.s), 64)
	return f, err == nil
}

func (s scalar) asBool() (bool, bool) {
	switch s.kind {
	case boolean:
		return s.b, true
	case integer, float:
		return s.float() != 0, true
	}
	switch strings.ToLower(strings.TrimSpace(s.s)) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

func (s scalar) asText() string {
	switch s.kind {
	case integer:
		return strconv.FormatInt(s.n, 10)
	case float:
		return armjson.FormatFloat(s.f)
	case boolean:
		if s.b {
			return "True"
		}
		return "False"
	}
	return s.s
}
