// Package release knows the releases of Bicep that the compiler can behave as, and what differs
// between them. A release is one value, a Version. Stages ask it whether it has a Fact, and compare
// no numbers.
//
// Begin with the tables: releases here, facts in facts.go.
package release

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a release of Bicep. The zero value is what the compiler is when nobody names one.
type Version uint8

// The releases, oldest first.
const (
	Default Version = iota
	v0_40_2
	v0_41_2
	v0_42_1
	v0_43_8
	v0_44_1
	v0_45_15
	v0_46_1
	v0_49_2

	count
)

// base is the release that Default is, apart from the facts that are marked early.
const base = v0_46_1

// releases holds the number of each release and its stamp, which templates have in their metadata.
var releases = [count]struct{ name, stamp string }{
	v0_40_2:  {"0.40.2", "0.40.2.10011"},
	v0_41_2:  {"0.41.2", "0.41.2.15936"},
	v0_42_1:  {"0.42.1", "0.42.1.51946"},
	v0_43_8:  {"0.43.8", "0.43.8.12551"},
	v0_44_1:  {"0.44.1", "0.44.1.10279"},
	v0_45_15: {"0.45.15", "0.45.15.27210"},
	v0_46_1:  {"0.46.1", DefaultStamp},
	v0_49_2:  {"0.49.2", "0.49.2.45890"},
}

// DefaultStamp is the stamp of Default.
const DefaultStamp = "0.46.1.21595"

func (v Version) known() Version {
	if v == Default {
		return base
	}
	return v
}

// String returns the number of the release, such as 0.46.1.
func (v Version) String() string { return releases[v.known()].name }

// Stamp returns what templates have in their metadata, such as 0.46.1.21595.
func (v Version) Stamp() string { return releases[v.known()].stamp }

// Has reports whether the release has a fact.
func (v Version) Has(f Fact) bool {
	fact := &facts[f]
	if v == Default {
		return fact.since <= base || fact.early
	}
	return v >= fact.since
}

// Names returns the numbers of the releases, newest first.
func Names() []string {
	var names []string
	for v := count - 1; v > Default; v-- {
		names = append(names, releases[v].name)
	}
	return names
}

// UnknownError is the error about a version, or a range, in which no known release is.
type UnknownError struct{ Asked string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown release of Bicep %q; known are %s, or a range of these, such as \">=0.45 <0.47\"", e.Asked, strings.Join(Names(), ", "))
}

// Parse returns the release that is asked for: by its number, or as the newest one in a range.
// A range is one condition or several, with blanks or commas between them. Nothing means Default.
func Parse(text string) (Version, error) {
	if text == "" {
		return Default, nil
	}
	conditions, ok := conditionsOf(text)
	for v := count - 1; ok && v > Default; v-- {
		if conditions.hold(numbersOf(releases[v].name)) {
			return v, nil
		}
	}
	return Default, &UnknownError{text}
}

// condition compares a version with another.
type condition struct {
	op string
	to [3]int
}

type conditions []condition

// conditionsOf reads a range. A number without an operator must be complete.
func conditionsOf(text string) (list conditions, ok bool) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	for i := 0; i < len(fields); i++ {
		number := strings.TrimLeft(fields[i], "<>=")
		op := fields[i][:len(fields[i])-len(number)]
		if number == "" && i+1 < len(fields) { // a blank behind the operator
			i++
			number = fields[i]
		}
		switch op {
		case "":
			if strings.Count(number, ".") != 2 {
				return nil, false
			}
			op = "="
		case "<", ">", "<=", ">=", "=":
		default:
			return nil, false
		}
		to, ok := parseNumbers(number)
		if !ok {
			return nil, false
		}
		list = append(list, condition{op, to})
	}
	return list, len(list) > 0
}

// parseNumbers reads one to three numbers. Those that are missing are 0.
func parseNumbers(text string) (n [3]int, ok bool) {
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

func numbersOf(name string) [3]int {
	n, _ := parseNumbers(name)
	return n
}

func (list conditions) hold(v [3]int) bool {
	for _, c := range list {
		order := compare(v, c.to)
		var ok bool
		switch c.op {
		case "<":
			ok = order < 0
		case "<=":
			ok = order <= 0
		case ">":
			ok = order > 0
		case ">=":
			ok = order >= 0
		default:
			ok = order == 0
		}
		if !ok {
			return false
		}
	}
	return true
}

func compare(a, b [3]int) int {
	for i := range a {
		if a[i] != b[i] {
			return a[i] - b[i]
		}
	}
	return 0
}
