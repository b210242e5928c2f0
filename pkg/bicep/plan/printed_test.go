package plan_test

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/source"
)

var update = flag.Bool("update", false, "write the plans in testdata/printed.txtar")

// TestPrintedPlans plans the programs of testdata/printed.txtar: NAME/before.bicep and NAME/after.bicep, either of which
// may be missing, and modules beside them. The files text, details, markdown, short and json are the plan as it is
// printed: as text, with all properties, as Markdown, as Markdown that has to be short, and as JSON.
func TestPrintedPlans(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/printed.txtar")
	require.NoError(t, err)
	cases := map[string]map[string]string{}
	wanted := map[string]*txtar.File{}
	for i, f := range archive.Files {
		wanted[f.Name] = &archive.Files[i]
		name, part, _ := strings.Cut(f.Name, "/")
		if cases[name] == nil {
			cases[name] = map[string]string{}
		}
		cases[name][part] = string(f.Data)
	}
	require.Greater(t, len(cases), 5)
	if *update {
		t.Cleanup(func() { require.NoError(t, os.WriteFile("testdata/printed.txtar", txtar.Format(archive), 0o666)) })
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := planned(t, c)
			sections := []plan.Section{{Title: "app.bicep", Plan: p}}
			text := func(style plan.Style) string {
				style.Base, style.File = "main", func(path string) string { return strings.TrimPrefix(path, "/") }
				var b strings.Builder
				require.NoError(t, plan.WriteText(&b, sections, style))
				return b.String()
			}
			for part, printed := range map[string]func() string{
				"text":    func() string { return text(plan.Style{}) },
				"details": func() string { return text(plan.Style{Details: plan.AllDetails}) },
				"color": func() string {
					return strings.ReplaceAll(text(plan.Style{Color: true, Details: plan.NoDetails}), "\x1b", "ESC")
				},
				"markdown": func() string {
					return plan.Markdown(sections, plan.Style{Base: "main", File: func(path string) string { return strings.TrimPrefix(path, "/") }}, plan.MaxMarkdown)
				},
				"short": func() string { return plan.Markdown(sections, plan.Style{}, 150) },
				"json": func() string {
					return armjson.Text(p.JSON(func(path string) string { return strings.TrimPrefix(path, "/") })) + "\n"
				},
			} {
				want, ok := c[part]
				switch {
				case !ok:
				case *update:
					wanted[name+"/"+part].Data = []byte(strings.TrimRight(printed(), "\n") + "\n")
				default:
					require.Equal(t, strings.TrimRight(want, "\n"), strings.TrimRight(printed(), "\n"), part)
				}
			}
		})
	}
}

// planned returns the plan of a case: of the programs as they are, with p for the values of their parameters.
func planned(t *testing.T, c map[string]string) *plan.Plan {
	expanded := func(file string, all bool) *expand.Result {
		if c[file] == "" {
			return nil
		}
		files := source.Memory{}
		for name, text := range c {
			files["/"+name] = text
		}
		result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/" + file, Options: bicep.Options{Symbolic: true}})
		require.NoError(t, err)
		template, err := result.TemplateTree()
		require.NoError(t, err, "%v", result.Findings)
		o := expand.Options{Tolerant: true, Graphs: true, Places: result.Places, All: all, Parameters: map[string]expand.Parameter{}}
		if c["values"] != "" {
			v, err := armjson.Parse(c["values"], armjson.Options{})
			require.NoError(t, err)
			for name, x := range v.(*armjson.Object).All() {
				o.Parameters[name] = expand.Parameter{Value: x}
			}
		}
		e, err := expand.Expand(template, o)
		require.NoError(t, err)
		return e
	}
	compare := func(all bool) *plan.Plan {
		before, after := expanded("before.bicep", all), expanded("after.bicep", all)
		if _, only := c["list"]; only {
			return plan.List(after)
		}
		return plan.Compare(before, after)
	}
	p := compare(false)
	if _, ok := c["hides"]; ok {
		p.Hides(compare(true))
	}
	p.Remedy = func(c plan.Cause) string {
		if c.Kind == expand.NoValue {
			return "--parameters"
		}
		return ""
	}
	return p
}
