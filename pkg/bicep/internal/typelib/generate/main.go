// The command writes the resource types of the releases of Radius in the notation of package typelib, from a git directory of
// radius-project/radius:
//
//	go run ./pkg/bicep/internal/typelib/generate -radius DIR > pkg/bicep/internal/typelib/radius.txt
//
// The newest release is whole. Each older one has the lines that differ from the one before it: a line of the same name takes
// its place, and a name with a hyphen before it is gone. A release that is as the one before it is left out.
package main

import (
	"flag"
	"fmt"
	"log"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// oldest is the first release whose types are in the form that is read here.
const oldest = 40

func main() {
	log.SetFlags(0)
	radius := flag.String("radius", "", "git `DIR` of radius-project/radius")
	flag.Parse()
	text, err := generate(*radius)
	if err == nil {
		_, err = fmt.Print(text)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func generate(radius string) (string, error) {
	releases, err := releasesOf(radius)
	if err != nil {
		return "", err
	}
	var tables []map[string]string // oldest first
	var names []string             // of the first release of each
	for _, minor := range releases {
		r := &reader{radius: radius, tag: fmt.Sprintf("v0.%d.0", minor), files: map[string][]element{}}
		table, err := r.table()
		if err != nil {
			return "", fmt.Errorf("%s: %w", r.tag, err)
		}
		if n := len(tables); n == 0 || !maps.Equal(table, tables[n-1]) {
			tables, names = append(tables, table), append(names, fmt.Sprintf("0.%d", minor))
		}
	}
	var b strings.Builder
	before := map[string]string{}
	for i := len(tables) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "@%s\n", names[i])
		for _, name := range slices.Sorted(maps.Keys(before)) {
			if _, ok := tables[i][name]; !ok {
				fmt.Fprintf(&b, "-%s\n", name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(tables[i])) {
			if line := tables[i][name]; before[name] != line {
				fmt.Fprintf(&b, "%s: %s\n", name, line)
			}
		}
		before = tables[i]
	}
	return b.String(), nil
}

// releasesOf returns the minor versions of the releases that have tags, oldest first.
func releasesOf(radius string) (list []int, err error) {
	tags, err := exec.Command("git", "-C", radius, "tag", "--list", "v0.*.0").Output()
	if err != nil {
		return nil, fmt.Errorf("git tag in %q: %w", radius, err)
	}
	for tag := range strings.FieldsSeq(string(tags)) {
		if n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(tag, "v0."), ".0")); err == nil && n >= oldest {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%q has no tag of a release", radius)
	}
	slices.Sort(list)
	return list, nil
}
