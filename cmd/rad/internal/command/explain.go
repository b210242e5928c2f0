package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/codes"
	"github.com/radbicep/rad/pkg/bicep/explain"
	"github.com/radbicep/rad/pkg/bicep/report"
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
			for _, e := range codes.All() {
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

// explain explains the codes that are named, or lists all codes.
func (a *app) explain(ctx context.Context, args []string) error {
	all := codes.All()
	if len(args) == 0 {
		return a.listCodes(all)
	}
	var list []explain.Explanation
	for _, arg := range args {
		e, err := codes.Find(all, arg)
		if err != nil {
			return err
		}
		list = append(list, e)
	}
	result := explainResult{}
	var b strings.Builder
	for i, e := range list {
		x, command, err := codes.ExampleOf(ctx, e)
		if err != nil {
			return err
		}
		result.Diagnostics = append(result.Diagnostics, recordOf(e, x, command))
		if i > 0 {
			b.WriteString("\n")
		}
		if a.Form == "markdown" {
			b.WriteString(codes.Markdown(e, x, command))
		} else {
			b.WriteString(codes.Text(e, x, command))
		}
	}
	if a.WantsJSON() {
		a.Result = result
		return nil
	}
	return cli.Page(a.Stdout, b.String())
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
			fmt.Fprintf(&b, "| %s | %s | %s |\n", codes.MarkdownLink(e), level, codes.MarkdownCell(e.Message))
		} else {
			fmt.Fprintf(&b, "%-*s  %-7s  %s\n", width, e.Code, level, e.Message)
		}
	}
	if a.WantsJSON() {
		a.Result = result
		return nil
	}
	return cli.Page(a.Stdout, b.String())
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
