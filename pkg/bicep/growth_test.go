package bicep_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
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
		"tuples":        chain("type t0 = [string]", "type t#1 = [t#0, t#0]", "param p t40\noutput o t40 = p"),
		"functions":     chain("func f0(x string) string => x", "func f#1(x string) string => '${f#0(x)}${f#0(x)}'", "output o string = f40('a')"),
		"existing": chain("resource e0 'A.B/c@2020-01-01' existing = { name: 'e' }",
			"resource e#1 'A.B/c@2020-01-01' existing = { name: '${e#0.id}${e#0.name}' }", "output o string = e40.apiVersion"),
		"late": chain("resource r 'A.B/c@2020-01-01' = { name: 'r', properties: {} }\nvar v0 = r.properties.x",
			"var v#1 = [v#0, v#0]", "output o array = [1]"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "main.bicep")
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
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
				if err != nil {
					t.Error(err)
				}
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
		"a circle":                  lines("var v0 = v5000", "var v#1 = v#0", 5000),
		"a union of strings":        "type t =\n" + lines("  'a0'", "  | 'a#1'", 10000) + "param p t\noutput o t = p\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "main.bicep")
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			if _, err := (bicep.Embedded{}).Build(context.Background(), bicep.Request{FS: source.Disk{}, File: file}); err != nil {
				t.Error(err)
			}
			// It takes a second or two; the margin is for machines that have other things to do.
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("this took %v", took)
			}
		})
	}
}
