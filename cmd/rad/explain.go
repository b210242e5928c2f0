package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep/report"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/pkg/bicep/explain"
)

func newExplain(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "explain [CODE | RULE]...",
		Short: "Explain a diagnostic: what it means, an example, and how to repair it",
		Long: `Explain the code of a diagnostic, such as BCP036, or a rule of the linter, such as
no-unused-params: what it means, how to repair it, and a program in which it is found. The
program is compiled when it is shown. Without an argument, all codes are listed.`,
		Example: `  rad bicep explain BCP036
  rad bicep explain no-unused-params
  rad bicep explain`,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			var out []string
			for _, e := range allExplanations() {
				if len(e.Code) >= len(word) && strings.EqualFold(e.Code[:len(word)], word) {
					out = append(out, e.Code)
				}
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return a.explain(c.Context(), args) },
	}
	a.TakesFormat(c, "text", "json", "markdown")
	return c
}

// explainResult is the result of explain.
type explainResult struct {
	Diagnostics []explainedCode `json:"diagnostics" doc:"those that were named, or all of them"`
}

type explainedCode struct {
	Code    string           `json:"code"`
	Level   string           `json:"level" enum:"off,info,warning,error" doc:"default severity"`
	Linter  bool             `json:"linter" doc:"whether it is a rule of the linter, whose level bicepconfig.json can set"`
	Message string           `json:"message" doc:"the message, with … for what depends on the place"`
	Repair  string           `json:"repair" doc:"why it is reported, and how to repair it"`
	Page    string           `json:"page,omitempty" doc:"address of a page about it"`
	Example *explainedSource `json:"example,omitempty" doc:"a program in which it is found; not in the list of all"`
}

type explainedSource struct {
	Files    []explainedFile `json:"files" doc:"the entry file first"`
	Command  string          `json:"command,omitempty" doc:"the command that reports the code, if it is not the compiler that does"`
	Findings []report.Record `json:"findings" doc:"what the compiler finds in the program"`
	Fix      string          `json:"fix,omitempty" enum:"certain,likely" doc:"the value of lint --fix that repairs it; absent if a person has to"`
	Fixed    string          `json:"fixed,omitempty" doc:"the entry file after the fix"`
}

type explainedFile struct {
	Name string `json:"name" doc:"a name that ends in *N stands for the text N times"`
	Text string `json:"text"`
}

// allExplanations returns the entries of the compiler and those of the commands: numbered
// codes first, then rules, then the others, each by name.
func allExplanations() []explain.Explanation {
	all := explain.All()
	kind := func(e explain.Explanation) int {
		switch {
		case e.Linter:
			return 1
		case e.Page == "":
			return 2
		}
		return 0
	}
	for _, c := range commandCodes {
		all = append(all, c.explanation())
	}
	slices.SortStableFunc(all, func(x, y explain.Explanation) int {
		if n := kind(x) - kind(y); n != 0 {
			return n
		}
		return strings.Compare(x.Code, y.Code)
	})
	return all
}

// exampleOf returns the example of an entry, and the command line that reports the code.
func exampleOf(ctx context.Context, e explain.Explanation) (x *explain.Example, command string, err error) {
	for _, c := range commandCodes {
		if c.code == e.Code {
			return &explain.Example{Files: c.files}, c.command, nil
		}
	}
	x, err = e.Example(ctx)
	return x, "", err
}

// explain explains the codes that are named, or lists all codes.
func (a *app) explain(ctx context.Context, args []string) error {
	all := allExplanations()
	if len(args) == 0 {
		return a.listCodes(all)
	}
	var list []explain.Explanation
	for _, arg := range args {
		e, err := findCode(all, arg)
		if err != nil {
			return err
		}
		list = append(list, e)
	}
	result := explainResult{}
	var b strings.Builder
	for i, e := range list {
		x, command, err := exampleOf(ctx, e)
		if err != nil {
			return err
		}
		result.Diagnostics = append(result.Diagnostics, recordOf(e, x, command))
		if i > 0 {
			b.WriteString("\n")
		}
		if a.Form == "markdown" {
			b.WriteString(explainMarkdown(e, x, command))
		} else {
			b.WriteString(explainText(e, x, command))
		}
	}
	if a.WantsJSON() {
		a.Result = result
		return nil
	}
	_, err := a.Stdout.Write([]byte(b.String()))
	return cli.FailWith(cli.ExitIO, err)
}

// findCode returns the entry that an argument means: its code in any case, or the number
// of a BCP code.
func findCode(all []explain.Explanation, arg string) (explain.Explanation, error) {
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
	hint := cli.DidYouMean(arg, codes)
	if hint == "" {
		hint = "; 'rad bicep explain' lists all codes"
	}
	return explain.Explanation{}, cli.Fail(cli.ExitUsage, "there is no diagnostic %q%s", arg, hint)
}

// listCodes lists all codes with their levels and messages.
func (a *app) listCodes(all []explain.Explanation) error {
	result := explainResult{Diagnostics: []explainedCode{}}
	var b strings.Builder
	if a.Form == "markdown" {
		b.WriteString("| code | level | message |\n|---|---|---|\n")
	}
	width := 0
	for _, e := range all {
		width = max(width, len(e.Code))
	}
	for _, e := range all {
		result.Diagnostics = append(result.Diagnostics, recordOf(e, nil, ""))
		level := strings.ToLower(e.Level.String())
		if a.Form == "markdown" {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", markdownLink(e), level, markdownCell(e.Message))
		} else {
			fmt.Fprintf(&b, "%-*s  %-7s  %s\n", width, e.Code, level, e.Message)
		}
	}
	if a.WantsJSON() {
		a.Result = result
		return nil
	}
	_, err := a.Stdout.Write([]byte(b.String()))
	return cli.FailWith(cli.ExitIO, err)
}

func recordOf(e explain.Explanation, x *explain.Example, command string) explainedCode {
	out := explainedCode{
		Code: e.Code, Level: strings.ToLower(e.Level.String()), Linter: e.Linter, Message: e.Message, Repair: e.Repair, Page: e.Page,
	}
	if x != nil && len(x.Files) > 0 {
		out.Example = &explainedSource{Command: command, Findings: (&report.Printer{}).Records(x.Findings), Fixed: x.Fixed}
		if x.Fix != 0 {
			out.Example.Fix = x.Fix.String()
		}
		for _, f := range x.Files {
			out.Example.Files = append(out.Example.Files, explainedFile(f))
		}
	}
	return out
}

// What is shown of an example at most. A few examples exist only because they are large.
const (
	shownFiles    = 4
	shownLines    = 30
	shownFindings = 5
)

// explainText returns an explanation for a terminal.
func explainText(e explain.Explanation, x *explain.Example, command string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n\n  What it means: %s\n\n  How to repair it: %s\n", e.Code, kindOfCode(e), e.Message, e.Repair)
	writeExample(&b, "  ", func(code string) string { return code }, e, x, command)
	if e.Linter && !strings.Contains(e.Code, " ") {
		fmt.Fprintf(&b, "\n  Its level is set in bicepconfig.json at analyzers.core.rules.%s.level. For one line:\n  #disable-next-line %s\n", e.Code, e.Code)
	}
	if e.Page != "" {
		fmt.Fprintf(&b, "\n  %s\n", e.Page)
	}
	return b.String()
}

// explainMarkdown returns an explanation as Markdown.
func explainMarkdown(e explain.Explanation, x *explain.Example, command string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n*%s*\n\nWhat it means: %s\n\nHow to repair it: %s\n", markdownLink(e), kindOfCode(e), markdownText(e.Message), markdownText(e.Repair))
	writeExample(&b, "", func(code string) string { return "`" + code + "`" }, e, x, command)
	return b.String()
}

// writeExample writes the example of an explanation: its files, what is reported, and the
// fix. Titles are indented; quote marks what is code in them.
func writeExample(b *strings.Builder, indent string, quote func(string) string, e explain.Explanation, x *explain.Example, command string) {
	block := func(title, text string) {
		fmt.Fprintf(b, "\n%s%s:\n\n", indent, title)
		for line := range strings.Lines(shorten(text)) {
			b.WriteString("    " + strings.ToValidUTF8(strings.TrimSuffix(line, "\n"), "\ufffd") + "\n")
		}
	}
	for i, f := range x.Files {
		if i == shownFiles {
			fmt.Fprintf(b, "\n%s… and %s\n", indent, cli.Plural(len(x.Files)-i, "more file"))
			break
		}
		block(quote(fileTitle(f)), f.Text)
	}
	switch {
	case len(x.Files) == 0:
	case command != "":
		block("It is reported by", command)
	default:
		block("The compiler reports", strings.Join(shownOf(e, x), "\n"))
	}
	if x.Fix != 0 {
		fixed := x.Fixed
		if strings.TrimSpace(fixed) == "" {
			fixed = "(nothing is left)"
		}
		block(quote("rad bicep lint "+fixFlag(x.Fix))+" repairs it", fixed)
	}
}

// kindOfCode says what a code is: its level, and where that comes from.
func kindOfCode(e explain.Explanation) string {
	level := strings.ToLower(e.Level.String())
	if e.Linter {
		return "rule of the linter, " + level + " by default"
	}
	return level
}

func fixFlag(c report.Certainty) string {
	if c == report.Certain {
		return "--fix"
	}
	return "--fix=" + c.String()
}

// fileTitle returns how a file of an example is headed.
func fileTitle(f explain.File) string {
	name, times, ok := strings.Cut(f.Name, " *")
	if ok {
		return name + ", " + times + " times"
	}
	return name
}

// shorten leaves out what of a text is too long to be shown.
func shorten(text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	if n := len(lines); n > shownLines {
		return strings.Join(lines[:shownLines], "") + fmt.Sprintf("… and %s\n", cli.Plural(n-shownLines, "more line"))
	}
	return text
}

// shownOf returns the findings of an example, those of the code itself first.
func shownOf(e explain.Explanation, x *explain.Example) []string {
	findings := slices.Clone(x.Findings)
	slices.SortStableFunc(findings, func(p, q report.Finding) int {
		return map[bool]int{true: 0, false: 1}[p.Code == e.Code] - map[bool]int{true: 0, false: 1}[q.Code == e.Code]
	})
	var out []string
	for i, f := range findings {
		if i == shownFindings {
			return append(out, fmt.Sprintf("… and %d more", len(findings)-i))
		}
		f.URL = ""
		out = append(out, (&report.Printer{}).Header(f))
	}
	return out
}

func markdownLink(e explain.Explanation) string {
	if e.Page == "" {
		return e.Code
	}
	return "[" + e.Code + "](" + e.Page + ")"
}

// markdownText returns a text that Markdown shows as it is.
func markdownText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`", "[", `\[`).Replace(text)
}

func markdownCell(text string) string {
	return strings.ReplaceAll(markdownText(text), "|", `\|`)
}
