// Package codes explains the codes of findings: those of the compiler, and those that commands report.
package codes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/pkg/bicep/explain"
	"github.com/radbicep/rad/pkg/spell"
)

// All returns the entries of the compiler and those of the commands: numbered
// codes first, then rules, then the others, each by name.
func All() []explain.Explanation {
	all := cli.Explanations()
	kind := func(e explain.Explanation) int {
		switch {
		case e.Linter:
			return 1
		case e.Page == "":
			return 2
		}
		return 0
	}
	for _, c := range Commands() {
		all = append(all, c.Explanation())
	}
	slices.SortStableFunc(all, func(x, y explain.Explanation) int {
		if n := kind(x) - kind(y); n != 0 {
			return n
		}
		return strings.Compare(x.Code, y.Code)
	})
	return all
}

// ExampleOf returns the example of an entry, and the command line that reports the code.
func ExampleOf(ctx context.Context, e explain.Explanation) (x *explain.Example, command string, err error) {
	for _, c := range Commands() {
		if c.Code == e.Code {
			return &explain.Example{Files: c.Files}, c.Command, nil
		}
	}
	x, err = cli.Example(ctx, e)
	return x, "", err
}

// Find returns the entry that an argument means: its code in any case, or the number
// of a BCP code.
func Find(all []explain.Explanation, arg string) (explain.Explanation, error) {
	word := strings.ToLower(strings.TrimSpace(arg))
	if digits := strings.TrimPrefix(word, "bcp"); digits != "" && len(digits) <= 3 && strings.Trim(digits, "0123456789") == "" {
		word = "bcp" + strings.Repeat("0", 3-len(digits)) + digits
	}
	var codes []string
	for _, e := range all {
		if strings.ToLower(e.Code) == word {
			return e, nil
		}
		codes = append(codes, e.Code)
	}
	hint := "; 'rad bicep explain' lists all codes"
	if near := spell.Near(arg, codes); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return explain.Explanation{}, cli.Fail(cli.ExitUsage, "there is no diagnostic %q%s", arg, hint)
}
