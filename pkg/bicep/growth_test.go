package bicep_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/internal/cputime"
)

// Each line of these programs uses the one before twice, so a program that follows all the
// ways through them follows 2 to the power of 40.
func TestWorkStaysInProportion(t *testing.T) {
	t.Parallel()
	chain := func(first, line, last string) string {
		var s strings.Builder
		fmt.Fprintln(&s, first)
		for i := 1; i <= 40; i++ {
			fmt.Fprintln(&s, strings.NewReplacer("#1", fmt.Sprint(i), "#0", fmt.Sprint(i-1)).Replace(line))
		}
		fmt.Fprintln(&s, last)
		return s.String()
	}
	for name, text := range map[string]string{
		"objects":       chain("var v0 = { a: 1 }", "var v#1 = { x: v#0, y: v#0 }", "output o object = v40"),
		"arrays":        chain("var v0 = [1]", "var v#1 = [v#0, v#0]", "output o array = v40"),
		"spread arrays": chain("var v0 = [1]", "var v#1 = [...v#0, ...v#0]", "output o array = v40"),
		"spread":        chain("var v0 = { a: 1 }", "var v#1 = { ...v#0, k#1: v#0 }", "output o object = v40"),
		"strings":       chain("var v0 = 'abc'", "var v#1 = '${v#0}${v#0}'", "output o string = v40"),
		"concat":        chain("var v0 = [1]", "var v#1 = concat(v#0, v#0)", "output o array = v40"),
		"flatten":       chain("var v0 = [1]", "var v#1 = flatten([v#0, v#0])", "output o array = v40"),
		"union":         chain("var v0 = { a: 1 }", "var v#1 = union(v#0, { k#1: v#0 })", "output o object = v40"),
		"choices":       chain("param b bool\nvar v0 = b ? { a: 1 } : { b: 1 }", "var v#1 = b ? { a: v#0 } : { b: v#0, c: v#0 }", "output o object = v40"),
		"types":         chain("type t0 = { a: string }", "type t#1 = { x: t#0, y: t#0? }", "param p t40\noutput o t40 = p"),
		"other types": chain("type t0 = { a: string }\ntype u0 = { a: string? }",
			"type t#1 = { x: t#0, y: t#0? }\ntype u#1 = { x: u#0, y: u#0? }", "param p t40\noutput o u40 = p"),
		"other tuples": chain("type t0 = { a: string }\ntype u0 = { a: string? }",
			"type t#1 = [t#0, t#0, int]\ntype u#1 = [u#0, u#0, int]", "param p t40\noutput o u40 = p"),
		"joined types": chain("param c bool\ntype t0 = { a: string }\ntype u0 = { a: string? }",
			"type t#1 = { x: t#0, y: t#0? }\ntype u#1 = { x: u#0, y: u#0? }", "param p t40\nparam q u40\noutput o object = c ? p : q"),
		"tuples":    chain("type t0 = [string]", "type t#1 = [t#0, t#0]", "param p t40\noutput o t40 = p"),
		"functions": chain("func f0(x string) string => x", "func f#1(x string) string => '${f#0(x)}${f#0(x)}'", "output o string = f40('a')"),
		"existing": chain("resource e0 'A.B/c@2020-01-01' existing = { name: 'e' }",
			"resource e#1 'A.B/c@2020-01-01' existing = { name: '${e#0.id}${e#0.name}' }", "output o string = e40.apiVersion"),
		"late": chain("resource r 'A.B/c@2020-01-01' = { name: 'r', properties: {} }\nvar v0 = r.properties.x",
			"var v#1 = [v#0, v#0]", "output o array = [1]"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "main.bicep")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			done := make(chan error, 1)
			go func() {
				r, err := bicep.Embedded{}.Build(ctx, bicep.Request{FS: source.Disk{}, File: file})
				if err == nil && !r.OK() {
					err = fmt.Errorf("%v", r.Findings)
				}
				done <- err
			}()
			select {
			case err := <-done:
				assert.NoError(t, err)
			case <-ctx.Done():
				t.Fatal("this takes too long")
			}
		})
	}
}

// Each line of these programs uses the one before once, and there are thousands of
// lines, so that work for each pair of them shows.
func TestLongProgramsAreCompiledInProportion(t *testing.T) {
	t.Parallel()
	lines := func(first, line string, n int) string {
		var s strings.Builder
		fmt.Fprintln(&s, first)
		for i := 1; i <= n; i++ {
			fmt.Fprintln(&s, strings.NewReplacer("#1", fmt.Sprint(i), "#0", fmt.Sprint(i-1)).Replace(line))
		}
		return s.String()
	}
	const late = "resource r 'A.B/c@2020-01-01' = { name: 'r', properties: {} }\nvar v0 = r.properties.x"
	for name, text := range map[string]string{
		"written out in loops":      lines(late, "var v#1 = v#0\nvar w#1 = [for i in v#1: i]", 5000),
		"written out in conditions": lines(late, "var v#1 = v#0\nresource q#1 'A.B/d@2020-01-01' = if (v#1) { name: 'a#1' }", 5000),
		"written out, and long":     lines(late, "var v#1 = v#0", 10000) + "resource q 'A.B/d@2020-01-01' = [for i in v10000: { name: i }]\n",
		"a cycle":                   lines("var v0 = v5000", "var v#1 = v#0", 5000),
		"a union of strings":        "type t =\n" + lines("  'a0'", "  | 'a#1'", 10000) + "param p t\noutput o t = p\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "main.bicep")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			took := cputime.Measure(func() {
				_, err := (bicep.Embedded{}).Build(context.Background(), bicep.Request{FS: source.Disk{}, File: file})
				assert.NoError(t, err)
			})
			assert.Less(t, took, 30*time.Second) // with what runs beside it, it takes a second or two
		})
	}
}

// Types that contain themselves in a ring of n types, and in one of n+1, meet in n*(n+1) pairs. Few of them
// are compared or joined; where there are many, one error says so. No stack grows without bound.
func TestRingsOfTypes(t *testing.T) {
	t.Parallel()
	ring := func(name, body string, n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "type %s%d = %s\n", name, i, strings.ReplaceAll(body, "#", fmt.Sprint(name, (i+1)%n)))
		}
		return s.String()
	}
	for name, body := range map[string]string{
		"optional":     "{ a: #? }",
		"two":          "{ a: #?, b: #? }",
		"others":       "{ *: #? }",
		"arrays":       "{ a: #[]? }",
		"bare arrays":  "(#[])?",
		"tuples":       "[#?, #?, int]",
		"list of both": "[{ a: #[]? }]",
		"tagged":       "{ k: 'a', a: #? }",
	} {
		for use, text := range map[string]string{
			"compared": "output o u0 = p\n",
			"variable": "var v u0 = p\noutput o object = { v: v }\n",
			"joined":   "output o object = { v: c ? p : q }\n",
		} {
			for _, n := range []int{20, 600} {
				t.Run(fmt.Sprint(name, " ", use, " ", n), func(t *testing.T) {
					t.Parallel()
					files := source.Memory{"/main.bicep": ring("t", body, n) + ring("u", body, n+1) + "param p t0\nparam q u0\nparam c bool\n" + text}
					var errors []string
					took := cputime.Measure(func() {
						r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/main.bicep"})
						require.NoError(t, err)
						for _, f := range r.Findings {
							if f.Severity == diag.Error {
								errors = append(errors, f.Code)
							}
						}
					})
					if n > 20 || use == "joined" {
						require.Subset(t, []string{"RAD006"}, errors)
						require.LessOrEqual(t, len(errors), 1)
					} else {
						require.Empty(t, errors)
					}
					assert.Less(t, took, 10*time.Second) // it takes a twentieth of a second
				})
			}
		}
	}
}

// Each of these programs is written with n parts and with four times as many. Work in proportion
// takes four times as long then, and work for each pair of parts sixteen times. Work that takes
// next to no time at the larger size counts as in proportion.
func TestFourTimesTheInput(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	each := func(n int, line string) string {
		var s strings.Builder
		for i := range n {
			s.WriteString(strings.NewReplacer("#1", fmt.Sprint(i+1), "#0", fmt.Sprint(i)).Replace(line))
		}
		return s.String()
	}
	for name, program := range map[string]func(n int) string{
		"an object of many properties": func(n int) string {
			return "var o = {\n" + each(n, "  p#0: #0\n") + "}\noutput x object = o\n"
		},
		"unknown properties": func(n int) string {
			return "param q { a: string } = {\n" + each(n, "  p#0: #0\n") + "}\n"
		},
		"misspelt properties": func(n int) string {
			return "var o = {\n" + each(n, "  prop#0: #0\n") + "}\n" + each(n, "output x#0 int = o.prp#0\n")
		},
		"misspelt types": func(n int) string {
			return each(n, "type name#0 = string\n") + each(n, "param x#0 nme#0\n")
		},
		"a cycle of variables": func(n int) string {
			return each(n, "var v#0 = v#1\n") + fmt.Sprintf("var v%d = v0\n", n)
		},
		"cycles within a cycle": func(n int) string {
			return each(n/10, "var v#0 = '${v#1}${v0}'\n") + fmt.Sprintf("var v%d = v0\n", n/10)
		},
		"a cycle of types": func(n int) string {
			return each(n, "type t#0 = t#1\n") + fmt.Sprintf("type t%d = t0\n", n)
		},
		"a chain of exports": func(n int) string {
			return "@export()\nvar v0 = 1\n" + each(n, "@export()\nvar v#1 = v#0\n")
		},
		"a union": func(n int) string {
			return "type t = 'z'" + each(n, " | 'a#0' | #0") + "\nparam p t\nparam q t = 'a1'\noutput o t = p\n"
		},
		"a chain of unions": func(n int) string {
			return "type t0 = 'a0'\n" + each(n, "type t#1 = t#0? | 'a#1'\n") + fmt.Sprintf("param p t%d\n", n)
		},
		"a chain of tagged unions": func(n int) string {
			return "type t0 = { k: 'a0' }\n" + each(n, "@discriminator('k')\ntype t#1 = t#0 | { k: 'a#1' }\n")
		},
		"a chain of choices of objects": func(n int) string {
			return "param c bool\nvar v0 = { a: 'a0' }\n" + each(n, "var v#1 = c ? v#0 : { a: 'a#1' }\n") + fmt.Sprintf("output o object = v%d\n", n)
		},
		"many uses of a nullable union": func(n int) string {
			return "type t = 'z'" + each(n, " | 'a#0'") + "\ntype o = {\n" + each(n, "  @description('p')\n  p#0: t?\n") + "}\nparam p o\n" +
				"output q array = [\n" + each(n, "  p.?p#0\n") + "]\n"
		},
		"errors on one line": func(n int) string { return "var a = [" + each(n, "x#0, ") + "]\n" },
		"repeated keys":      func(n int) string { return "var o = {" + each(n, "a: 1, ") + "}\n" },
		"words of a pragma":  func(n int) string { return "#disable-next-line" + each(n, " no-unused-vars") + "\nvar a = 1\n" },
		"pragmas":            func(n int) string { return each(n, "#disable-next-line no-unused-vars\nvar a#0 = 1\n") },
		"dollars":            func(n int) string { return strings.Repeat("$\n", 20*n) },
		"hash signs":         func(n int) string { return strings.Repeat("#", 10*n) },
		"NUL":                func(n int) string { return strings.Repeat("\x00", 20*n) },
		"resources that depend on each other": func(n int) string {
			return "resource r0 'A.B/c@2020-01-01' = { name: 'a0' }\n" +
				each(n/4, "resource r#1 'A.B/c@2020-01-01' = {\n  name: 'a#1'\n  dependsOn: [r#0]\n}\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			if raceEnabled && strings.HasPrefix(name, "a chain of ") {
				t.Skip("two million members take minutes with the race detector")
			}
			took := func(n int) time.Duration {
				file := filepath.Join(t.TempDir(), "main.bicep")
				require.NoError(t, os.WriteFile(file, []byte(program(n)), 0o644))
				return cputime.Measure(func() {
					r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: source.Disk{}, File: file})
					require.NoError(t, err)
					require.LessOrEqual(t, len(r.Findings), diag.MaxShown+10)
				})
			}
			const n = 4000
			var few, many time.Duration
			for range 5 { // a run of the garbage collector can make one measurement useless
				few, many = took(n), took(4*n)
				if many < 300*time.Millisecond || many < 7*few {
					return
				}
			}
			t.Errorf("%v for %d, and %v for four times as many", few, n, many)
		})
	}
}

// All that a run evaluates counts together, however many expressions it is spread over.
func TestEvaluationsHaveOneBudget(t *testing.T) {
	t.Parallel()
	lines := func(line string) string {
		s := "using none\n"
		for i := range 10 {
			s += strings.ReplaceAll(line, "#", fmt.Sprint(i)) + "\n"
		}
		return s
	}
	for name, text := range map[string]string{
		"large strings":  lines("param p# = reduce(range(#, 22), 'a', (a, b) => '${a}${a}')"),
		"nested lambdas": lines("param p# = map(range(#, 500), a => length(map(range(0, 500), b => '${a}${b}')))"),
		"shared values":  lines("var s# = reduce(range(#, 22), 'a', (a, b) => '${a}${a}')\nparam p# = [s#, s#]"),
		"loops":          lines("param p# = [for x in range(#, 10000): map(range(0, 50), y => x)]"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "main.bicepparam")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			r, err := bicep.Embedded{}.BuildParams(context.Background(), bicep.Request{FS: source.Disk{}, File: file})
			require.NoError(t, err)
			require.False(t, r.OK())
			require.Nil(t, r.Parameters)
			require.Len(t, r.Findings, 1, "a used-up budget is reported once")
			require.Equal(t, "BCP338", r.Findings[0].Code)
			require.NotContains(t, r.Findings[0].Message, "p0", "not even the first of them could be evaluated")
		})
	}
}

// A parameter file may misspell as many names as the template has.
func TestMisspeltParametersStayInProportion(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	took := func(n int) time.Duration {
		var template, values strings.Builder
		values.WriteString("using 'main.bicep'\n")
		for i := range n {
			fmt.Fprintf(&template, "param parameter%d int = 1\n", i)
			fmt.Fprintf(&values, "param paramater%d = 1\n", i)
		}
		files := source.Memory{"/main.bicep": template.String(), "/main.bicepparam": values.String(),
			"/bicepconfig.json": `{"analyzers": {"core": {"rules": {"max-params": {"level": "off"}}}}}`}
		best := time.Hour
		for range 2 {
			best = min(best, cputime.Measure(func() {
				r, err := bicep.Embedded{}.BuildParams(context.Background(), bicep.Request{FS: files, File: "/main.bicepparam"})
				require.NoError(t, err)
				require.Contains(t, r.Findings[0].Message, "Did you mean")
			}))
		}
		return best
	}
	few, many := took(1000), took(4000)
	if many > 300*time.Millisecond && many > 12*few {
		t.Errorf("%v for 1000, and %v for 4000", few, many)
	}
}

// Types in rings of n and n+1 steps meet in n*(n+1) pairs. Each is compared once in a file, however many values have
// these types, and a file whose types meet in too many pairs has a finding.
func TestTypesInRingsAreComparedOnce(t *testing.T) {
	program := func(types, outputs int) string {
		var b strings.Builder
		for i := range types {
			fmt.Fprintf(&b, "type t%d = { a: t%d? }\ntype u%[1]d = { a: u%[3]d? }\n", i, (i+1)%types, i+1)
		}
		fmt.Fprintf(&b, "type u%d = { a: u0? }\nparam p t0\n", types)
		for i := range outputs {
			fmt.Fprintf(&b, "output o%d u%[1]d = p\n", i)
		}
		return b.String()
	}
	compile := func(types, outputs int) (codes []string, bytes uint64) {
		files := source.Memory{"main.bicep": program(types, outputs)}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := bicep.Embedded{}.Build(t.Context(), bicep.Request{FS: files, File: "main.bicep"})
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		for _, f := range r.Findings {
			codes = append(codes, f.Code)
		}
		return codes, after.TotalAlloc - before.TotalAlloc
	}
	codes, bytes := compile(60, 60)
	require.NotContains(t, codes, "RAD006")
	require.Less(t, bytes, uint64(20<<20), "60 times 3,660 pairs take 100 MB")

	codes, bytes = compile(200, 60)
	require.Contains(t, codes, "RAD006")
	require.Less(t, bytes, uint64(50<<20))
}
