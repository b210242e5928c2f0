//go:build unix

package test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// growthLinks are ways to make a value of another one: NAME of VALUE. They are put together at random to the part of a
// program that is repeated. next is the value that the next link takes; of another type than a text, so that each
// link takes a text, too.
var growthLinks = []struct{ text, next string }{
	{"var NAME = VALUE", "NAME"},
	{"var NAME = [VALUE, 'x']", "NAME[0]"},
	{"var NAME = { a: VALUE, b: { c: VALUE } }", "NAME.b.c"},
	{"var NAME = '${take(VALUE, 3)}x'", "NAME"},
	{"var NAME = union({ a: VALUE }, { b: VALUE }).a", "NAME"},
	{"var NAME = map(range(0, 2), i => '${i}${take(VALUE, 2)}')", "NAME[1]"},
	{"var NAME = reduce([VALUE, 'y'], '', (a, b) => take('${a}${b}', 4))", "NAME"},
	{"var NAME = toObject(['k'], k => k, k => VALUE)", "NAME.k"},
	{"var NAME = filter([VALUE, 'z'], x => x != 'w')", "NAME[0]"},
	{"var NAME = [for i in range(0, 2): { i: i, v: VALUE }]", "NAME[1].v"},
	{"var NAME = empty(VALUE) ? VALUE : take(VALUE, 5)", "NAME"},
	{"var NAME = json(string({ a: VALUE })).a", "NAME"},
	{"func NAME(x string) string => take('${x}${x}', 3)", "NAME(VALUE)"},
	{"func NAME(x string, y string[]) string => x == y[0] ? x : y[0]", "NAME(VALUE, [VALUE])"},
	{"func NAME(o { a: string }) string => map([o.a, o.a], v => v)[0]", "NAME({ a: VALUE })"},
	{"param NAME string = VALUE", "NAME"},
	{"@minLength(0)\n@description('d')\nparam NAME string = VALUE\noutput oNAME string = NAME", "NAME"},
	{"type tNAME = { a: string, b: tNAME? }\nparam NAME tNAME = { a: VALUE }", "NAME.a"},
	{"type tNAME = 'a' | 'b' | string\nparam NAME tNAME = VALUE", "NAME"},
	{"type tNAME = { *: string }\nparam NAME tNAME = { k: VALUE }", "NAME.k"},
	{"resource NAME 'A.B/c@2020-01-01' = { name: 'NAME', tags: { t: VALUE } }", "NAME.name"},
	{"resource NAME 'A.B/c@2020-01-01' = [for i in range(0, 2): { name: 'NAME${i}', tags: { t: VALUE } }]", "NAME[1].name"},
	{"resource NAME 'A.B/c@2020-01-01' existing = { name: take(VALUE, 4) }", "VALUE"},
	{"module NAME 'm.bicep' = { name: 'NAME', params: { p: VALUE } }", "VALUE"},
	{"module NAME 'm.bicep' = [for i in range(0, 2): { name: 'NAME${i}', params: { p: VALUE } }]", "VALUE"},
	{"import { v as NAME } from 'l.bicep'", "'${take(VALUE, 2)}${NAME}'"},
	{"output NAME string = VALUE", "VALUE"},
	{"output NAME object = { a: VALUE, l: [for x in [1, 2]: { x: x, v: VALUE }] }", "VALUE"},
}

const (
	combinations = 30 // programs in each run of the tests
	linksOfPart  = 5
	partsOfOne   = 15 // four times as many outputs are still as many as a template can have
)

// combination returns a family of which a part is made of some links.
func combination(r *rand.Rand, name string) *family {
	var part strings.Builder
	value := "v#0"
	for i := range 2 + r.IntN(linksOfPart-1) {
		link := growthLinks[r.IntN(len(growthLinks))]
		names := strings.NewReplacer("NAME", fmt.Sprintf("n%d_#0", i), "VALUE", value)
		part.WriteString(names.Replace(link.text) + "\n")
		value = names.Replace(link.next)
	}
	text := "var v0 = 'a'\n*.\n" + part.String() + "var v#1 = " + value + "\n.\noutput o string = v#n\n"
	return &family{name: name, n: partsOfOne, files: []txtar.File{
		{Name: "main.bicep", Data: []byte(text)},
		{Name: "m.bicep", Data: []byte("param p string\nresource r 'A.B/c@2020-01-01' = { name: p }\noutput o string = p\n")},
		{Name: "l.bicep", Data: []byte("@export()\nvar v = 'l'\n")},
	}}
}

// TestGrowthOfCombinations runs the commands on programs that are put together at random. Each run of the tests makes the
// same ones; -growthseed makes others.
func TestGrowthOfCombinations(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("it takes its time")
	}
	count := combinations
	if *growthSize > 0 {
		count *= 10
	}
	t.Logf("-growthseed %d", *growthSeed)
	for i := range count {
		f := combination(rand.New(rand.NewPCG(*growthSeed, uint64(i))), fmt.Sprintf("seed %d, program %d", *growthSeed, i))
		t.Run(f.name, func(t *testing.T) {
			f.test(t)
			if t.Failed() {
				t.Logf("%s", f.files[0].Data)
			}
		})
	}
}
