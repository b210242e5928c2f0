package release

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Number is the number of a release: 0.49.2 is {0, 49, 2}.
type Number [3]int

func (n Number) compare(o Number) int { return slices.Compare(n[:], o[:]) }

// parseNumber reads one to three numbers. Those that are missing are 0.
func parseNumber(text string) (n Number, ok bool) {
	parts := strings.Split(text, ".")
	if len(parts) > len(n) {
		return n, false
	}
	for i, part := range parts {
		v, err := strconv.ParseUint(part, 10, 31)
		if err != nil || len(part) > 1 && part[0] == '0' {
			return n, false
		}
		n[i] = int(v)
	}
	return n, true
}

// Range holds the releases between two bounds. The zero Range holds all.
type Range struct{ low, high bound }

type bound struct {
	at   Number
	set  bool
	open bool // the range begins after at, or ends before it
}

// rangeOf returns the range of one condition, such as >= 0.45.
func rangeOf(op string, n Number) (r Range, ok bool) {
	at := bound{at: n, set: true, open: op == "<" || op == ">"}
	switch op {
	case "", "=":
		return Range{at, at}, true
	case "<", "<=":
		return Range{high: at}, true
	case ">", ">=":
		return Range{low: at}, true
	}
	return r, false
}

// And returns the range that is in both.
func (r Range) And(o Range) Range {
	if lower(o.low, r.low) > 0 {
		r.low = o.low
	}
	if upper(o.high, r.high) < 0 {
		r.high = o.high
	}
	return r
}

// lower compares two lower bounds, upper two upper ones.
func lower(a, b bound) int { return a.compare(b, 1) }
func upper(a, b bound) int { return a.compare(b, -1) }

// compare compares two bounds of a side, towards which there is nothing beyond: 1 is up.
func (b bound) compare(o bound, side int) int {
	switch {
	case !b.set || !o.set:
		return side * (btoi(b.set) - btoi(o.set))
	case b.at != o.at:
		return b.at.compare(o.at)
	}
	return side * (btoi(b.open) - btoi(o.open))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// IsEmpty reports whether no release can be in the range.
func (r Range) IsEmpty() bool {
	if !r.low.set || !r.high.set {
		return false
	}
	order := r.low.at.compare(r.high.at)
	return order > 0 || order == 0 && (r.low.open || r.high.open)
}

// IsIn reports whether all of the range is in another one.
func (r Range) IsIn(o Range) bool { return r.IsEmpty() || r.And(o) == r }

// Holds reports whether a release is in the range.
func (r Range) Holds(v Version) bool {
	n := numberOf(v)
	at := bound{at: n, set: true}
	return !(Range{at, at}).And(r).IsEmpty()
}

// splitOperator splits a condition into its operator and its number.
func splitOperator(text string) (op, number string) {
	number = strings.TrimLeft(text, "<>=!~^")
	return text[:len(text)-len(number)], strings.TrimSpace(number)
}

// ParseConstraint reads what "bicep.version" of a bicepconfig.json holds: a version with an operator or
// without one, or two with a comma between them, of which one is the least and one the greatest.
func ParseConstraint(text string) (Range, error) {
	parts := strings.Split(text, ",")
	wrong := func() (Range, error) {
		return Range{}, fmt.Errorf(`%q in "bicep.version" is neither a version, such as "0.49.2" or ">=0.45", `+
			`nor a range, such as ">=0.45, <0.50"`, text)
	}
	if len(parts) > 2 {
		return wrong()
	}
	var list []Range
	for _, part := range parts {
		op, number := splitOperator(strings.TrimSpace(part))
		n, ok := parseNumber(number)
		if !ok {
			return wrong()
		}
		r, ok := rangeOf(op, n)
		if !ok {
			return wrong()
		}
		list = append(list, r)
	}
	if len(list) == 1 {
		return list[0], nil
	}
	if list[0].low.set == list[1].low.set || list[0].high.set == list[1].high.set { // not one of each
		return wrong()
	}
	return list[0].And(list[1]), nil
}

// Newest returns the newest release in a range. It returns false if there is none.
func Newest(r Range) (Version, bool) {
	for v := count - 1; v > Default; v-- {
		if r.Holds(v) {
			return v, true
		}
	}
	return Default, false
}

// parseRange reads the range that a user asks for: one condition or several, with blanks or commas
// between them. A number without an operator must be complete.
func parseRange(text string) (r Range, ok bool) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	for i := 0; i < len(fields); i++ {
		op, number := splitOperator(fields[i])
		if number == "" && i+1 < len(fields) { // a blank behind the operator
			i++
			number = fields[i]
		}
		if op == "" && strings.Count(number, ".") != len(Number{})-1 {
			return r, false
		}
		n, ok := parseNumber(number)
		if !ok {
			return r, false
		}
		one, ok := rangeOf(op, n)
		if !ok {
			return r, false
		}
		r = r.And(one)
	}
	return r, len(fields) > 0
}
