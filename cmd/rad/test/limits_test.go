//go:build limits && linux

package test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLimits measures what runs on large and on hostile input take, with 4 GB of address
// space: `make limits`. The figures are those that SECURITY.md promises.
func TestLimits(t *testing.T) {
	rad := filepath.Join(t.TempDir(), "rad")
	out, err := exec.Command("go", "build", "-trimpath", "-o", rad, "..").CombinedOutput()
	require.NoError(t, err, "%s", out)

	write := func(t *testing.T, files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		return dir
	}
	each := func(n int, line string) string {
		var s strings.Builder
		for i := range n {
			s.WriteString(strings.NewReplacer("#1", fmt.Sprint(i+1), "#0", fmt.Sprint(i)).Replace(line))
		}
		return s.String()
	}
	params := func(text string) map[string]string {
		return map[string]string{"m0.bicepparam": "using none\n" + text}
	}
	nested := func(depth int) map[string]string {
		files := map[string]string{fmt.Sprintf("m%d.bicep", depth): "param p string\noutput o string = p\n"}
		for i := range depth {
			files[fmt.Sprintf("m%d.bicep", i)] = fmt.Sprintf("param p string\nmodule m 'm%d.bicep' = {\n  name: 'm'\n  params: { p: p }\n}\noutput o string = m.outputs.o\n", i+1)
		}
		return files
	}
	text := func(s string) map[string]string { return map[string]string{"m0.bicep": s} }
	with := func(load, name, s string) map[string]string {
		return map[string]string{"m0.bicep": "var v = " + load + "('" + name + "')\noutput o object = v\n", name: s}
	}
	// A template in which resources use what n expressions make.
	template := func(variables, resources string) map[string]string {
		head := `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "languageVersion": "2.0", `
		return map[string]string{"m0.json": head + `"variables": {` + variables + `"x": 1}, "resources": {` + resources + `"x": {"type": "T.S/x", "apiVersion": "1", "name": "x"}}}`}
	}
	resource := func(name, properties string) string {
		return `"` + name + `": {"type": "T.S/a", "apiVersion": "1", "name": "` + name + `", "properties": {` + properties + `}}, `
	}
	doubled := `"v0": "[reference('/a/b/c/d', '1').x]", ` + each(14, `"v#1": "[concat(variables('v#0'), variables('v#0'))]", `)
	indexed := template(`"big": "[range(0, 10000)]", `, each(4000, resource("x#0", `"v": "[variables('big')[reference('/a/b/c/d', '1').x]]"`)))
	crowded := template(`"all": "[concat(`+each(500, "reference('r#0').x, ")+`'')]", `, each(500, resource("r#0", ""))+each(1000, resource("x#0", `"v": "[variables('all')]"`)))
	loop := `{"copy": {"name": "#", "count": 10000}, "type": "T.S/#", "apiVersion": "1", "name": "[string(copyIndex())]", "dependsOn": [@]}, `
	loops := template("", `"a": `+strings.NewReplacer("#", "a", "@", "").Replace(loop)+`"b": `+strings.NewReplacer("#", "b", "@", `"a"`).Replace(loop))
	aliases := "a0: &a0 [x]\n" + each(30, "a#1: &a#1 [*a#0, *a#0, *a#0, *a#0]\n")

	for _, c := range []struct {
		name  string
		files map[string]string
		args  string
		mb    int64
		cpu   time.Duration
	}{
		{"a million lines of $", text(strings.Repeat("$\n", 1_000_000)), "lint m0.bicep", 1400, 8 * time.Second},
		{"NUL", text(strings.Repeat("\x00", 4_000_000)), "lint m0.bicep", 1400, 8 * time.Second},
		{"80,000 properties", text("var o = {\n" + each(80_000, "  p#0: #0\n") + "}\noutput x object = o\n"), "build --stdout m0.bicep", 1400, 8 * time.Second},
		{"a cycle of 80,000 variables", text(each(80_000, "var v#0 = v#1\n") + "var v80000 = v0\n"), "lint m0.bicep", 1400, 8 * time.Second},
		{"a chain of 200,000 variables, last first", text(each(200_000, "var v#0 = v#1\n") + "var v200000 = 1\n"), "lint m0.bicep", 1400, 8 * time.Second},
		{"strings that double", params(each(10, "param p#0 = reduce(range(#0, 26), 'a', (a, b) => '${a}${a}')\n")), "build-params --stdout m0.bicepparam", 1400, 8 * time.Second},
		{"nested lambdas", params("param p = map(range(0, 10000), a => map(range(0, 10000), b => map(range(0, 100), c => '${a}${b}${c}')))\n"),
			"build-params --stdout m0.bicepparam", 1400, 8 * time.Second},
		{"modules 200 deep", nested(200), "build --stdout m0.bicep", 500, 8 * time.Second},
		{"modules 400 deep, linted", nested(400), "lint m0.bicep", 500, 8 * time.Second},
		{"modules 400 deep", nested(400), "build --stdout m0.bicep", 500, 8 * time.Second},
		{"modules 600 deep", nested(600), "generate-kubernetes-manifest m0.bicep -p p=a -o -", 600, 8 * time.Second},
		{"deep JSON", with("loadJsonContent", "a.json", strings.Repeat("[", 500_000)+strings.Repeat("]", 500_000)), "build --stdout m0.bicep", 400, 8 * time.Second},
		{"deep YAML", with("loadYamlContent", "a.yaml", strings.Repeat("[", 500_000)+strings.Repeat("]", 500_000)), "build --stdout m0.bicep", 600, 8 * time.Second},
		{"findings on one line, as SARIF", text("var a = [" + each(48_000, "x#0, ") + "]\n"), "lint m0.bicep --diagnostics-format sarif", 1400, 8 * time.Second},
		{"expressions that double, in a plan", template(doubled, each(4000, resource("x#0", `"v": "[variables('v14')]"`))), "plan m0.json", 1400, 8 * time.Second},
		{"expressions that double, in a graph", template(doubled, each(90, resource("x#0", `"v": "[variables('v14')]"`))), "graph m0.json --format json", 1400, 8 * time.Second},
		{"an array that is indexed by what is unknown", indexed, "plan m0.json", 1400, 8 * time.Second},
		{"500,000 dependencies, in a plan", crowded, "plan m0.json", 1400, 8 * time.Second},
		{"500,000 dependencies, in a graph", crowded, "graph m0.json --format json", 1400, 8 * time.Second},
		{"loops that depend on each other, in a graph", loops, "graph m0.json --format json", 1400, 8 * time.Second},
		{"unknown parameters", map[string]string{
			"m0.json": `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "parameters": {` + each(20_000, `"parameter#0": {"type": "int", "defaultValue": 1}, `) + `"p": {"type": "int"}}, "resources": []}`,
			"p.json":  `{` + each(20_000, `"paramater#0": 1, `) + `"p": 1}`}, "generate-kubernetes-manifest m0.json -p @p.json -o -", 1400, 8 * time.Second},
		{"YAML aliases", with("loadYamlContent", "a.yaml", aliases), "build --stdout m0.bicep", 500, 8 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command("sh", "-c", "ulimit -v 4000000; exec "+rad+" bicep "+c.args)
			cmd.Dir = write(t, c.files)
			var printed printout
			cmd.Stdout, cmd.Stderr = &printed, &printed
			err := cmd.Run()
			used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			mb, cpu := used.Maxrss>>10, cmd.ProcessState.UserTime()
			t.Logf("status %d, %d MB, %v, %d bytes printed", cmd.ProcessState.ExitCode(), mb, cpu.Round(10*time.Millisecond), printed.n)
			require.NotContains(t, string(printed.first), "goroutine", "the runtime ended it: %v", err)
			require.NotContains(t, string(printed.first), "internal error")
			require.LessOrEqual(t, mb, c.mb, "MB of memory")
			require.LessOrEqual(t, cpu, c.cpu, "time of the processor")
			require.LessOrEqual(t, printed.n, 256<<20, "bytes printed")
			if err != nil {
				require.NotZero(t, printed.n, "a failure that says nothing")
			}
		})
	}
}

// printout counts what is written to it, and keeps the beginning.
type printout struct {
	n     int
	first []byte
}

var _ io.Writer = (*printout)(nil)

func (c *printout) Write(b []byte) (int, error) {
	if room := 1<<16 - len(c.first); room > 0 {
		c.first = append(c.first, b[:min(room, len(b))]...)
	}
	c.n += len(b)
	return len(b), nil
}
