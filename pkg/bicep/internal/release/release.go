// Package release knows the releases of Bicep that the compiler can behave as, and what differs
// between them. A release is one value, a Version. Stages ask it whether it has a Fact, and compare
// no numbers.
//
// Begin with the tables: releases here, facts in facts.go.
package release

import (
	"fmt"
	"strings"
)

// Version is a release of Bicep. The zero value is the newest one.
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

// releases holds the number of each release and its stamp, which templates have in their metadata.
var releases = [count]struct{ name, stamp string }{
	v0_40_2:  {"0.40.2", "0.40.2.10011"},
	v0_41_2:  {"0.41.2", "0.41.2.15936"},
	v0_42_1:  {"0.42.1", "0.42.1.51946"},
	v0_43_8:  {"0.43.8", "0.43.8.12551"},
	v0_44_1:  {"0.44.1", "0.44.1.10279"},
	v0_45_15: {"0.45.15", "0.45.15.27210"},
	v0_46_1:  {"0.46.1", "0.46.1.21595"},
	v0_49_2:  {"0.49.2", DefaultStamp},
}

// DefaultStamp is the stamp of Default.
const DefaultStamp = "0.49.2.45890"

func (v Version) known() Version {
	if v == Default {
		return count - 1
	}
	return v
}

// String returns the number of the release, such as 0.46.1.
func (v Version) String() string { return releases[v.known()].name }

// Stamp returns what templates have in their metadata, such as 0.46.1.21595.
func (v Version) Stamp() string { return releases[v.known()].stamp }

// Has reports whether the release has a fact.
func (v Version) Has(f Fact) bool { return v.known() >= facts[f].since }

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
	return fmt.Sprintf("unknown release of Bicep %q; known are %s, or a range of these, such as \">=0.45 <0.47\"",
		e.Asked, strings.Join(Names(), ", "))
}

// Parse returns the release that is asked for: by its number, or as the newest one in a range.
// Nothing means Default.
func Parse(text string) (Version, error) {
	if text == "" {
		return Default, nil
	}
	if r, ok := parseRange(text); ok {
		if v, ok := Newest(r); ok {
			return v, nil
		}
	}
	return Default, &UnknownError{text}
}

func numberOf(v Version) Number {
	n, _ := parseNumber(v.String())
	return n
}
