package codes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/pkg/bicep/explain"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// What is shown of an example at most. A few examples exist only because they are large.
const (
	shownFiles    = 4
	shownLines    = 30
	shownFindings = 5
)

// Text returns an explanation for a terminal.
func Text(e explain.Explanation, x *explain.Example, command string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n\n  What it means: %s\n\n  How to repair it: %s\n", e.Code, kindOfCode(e), e.Message, e.Repair)
	writeExample(&b, "  ", func(code string) string { return code }, e, x, command)
	if e.Linter && !strings.Contains(e.Code, " ") {
		fmt.Fprintf(&b, "\n  Its level is set in bicepconfig.json at analyzers.core.rules.%s.level. "+
			"For one line:\n  #disable-next-line %s\n", e.Code, e.Code)
	}
	if e.Page != "" {
		fmt.Fprintf(&b, "\n  %s\n", e.Page)
	}
	return b.String()
}

// Markdown returns an explanation as Markdown.
func Markdown(e explain.Explanation, x *explain.Example, command string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n*%s*\n\nWhat it means: %s\n\nHow to repair it: %s\n",
		MarkdownLink(e), kindOfCode(e), markdownText(e.Message), markdownText(e.Repair))
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
		name += ", " + times + " times"
	}
	if strings.Contains(f.Text, "{n}") {
		name += ", with its number for {n}"
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

func MarkdownLink(e explain.Explanation) string {
	if e.Page == "" {
		return e.Code
	}
	return "[" + e.Code + "](" + e.Page + ")"
}

// markdownText returns a text that Markdown shows as it is.
func markdownText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`", "[", `\[`).Replace(text)
}

func MarkdownCell(text string) string {
	return strings.ReplaceAll(markdownText(text), "|", `\|`)
}
