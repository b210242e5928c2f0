package bicep_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
)

// notFromSource are the entries of the catalogue that no folder of files alone
// can produce, and what else it takes.
var notFromSource = map[string]string{
	"RAD002": "a template, where only findings are asked for",
	"BCP043": "a node that is no expression, which the parser does not make",
	"BCP054": "an object type that has no properties and takes none, which no syntax makes",
	"BCP056": "two extensions with functions of one name",
	"BCP113": "a scope that functions of the tenant's scope cannot make",
	"BCP114": "a scope that functions of a management group's scope cannot make",
	"BCP148": "a decorator that is for variables alone; there is none",
	"BCP150": "a decorator that is for modules alone; there is none",
	"BCP151": "a decorator that is for outputs alone; there is none",
	"BCP184": "a file of more than a megabyte",
	"BCP210": "an extension whose types have parents",
	"BCP244": "a lambda that reaches a parameter without an overload being chosen",
	"BCP245": "an extension with types that can only be read",
	"BCP246": "an extension with types that can only be read at some scopes",
	"BCP267": "a decorator that is for metadata alone; there is none",
	"BCP274": "a folder that may not be read",
	"BCP290": "a decorator that is for parameters and types alone; there is none",
	"BCP319": "an ARM template whose types point nowhere, which is not well formed (BCP188)",
	"BCP345": "a test of an artifact",
	"BCP392": "a derived type without a type, in an artifact",
	"BCP396": "an archive in the cache that is damaged",
	"BCP409": "resource<>, which is not among the names of types any more (BCP302)",
	"BCP419": "an implicit extension called sys, which the configuration refuses",
	"BCP423": "an extension in the cache",
	"BCP441": "an extension with types that can only be written",
	"BCP450": "an alias of a configuration that is in no file",

	"use-secure-value-for-secure-inputs": "an extension with properties that hold secrets",
}

// entry is one entry of the catalogue, as its source has it.
type entry struct{ code, level, text string }

// catalogue reads the entries from their source, since nothing lists them at run time.
func catalogue(t *testing.T) []entry {
	t.Helper()
	files, err := filepath.Glob("diag/catalogue_*.go")
	require.NoError(t, err)
	var list []entry
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || len(lit.Elts) != 4 {
				return true
			}
			text := func(i int) string {
				switch e := lit.Elts[i].(type) {
				case *ast.BasicLit:
					s, err := strconv.Unquote(e.Value)
					require.NoError(t, err)
					return s
				case *ast.Ident:
					return e.Name
				}
				t.Fatalf("%s: an entry that is no literal", name)
				return ""
			}
			list = append(list, entry{text(0), text(1), text(2)})
			return false
		})
	}
	require.Greater(t, len(list), 300)
	return list
}

// Every entry of the catalogue has a folder of files that produces it, in an
// archive named after it whose first line is the entry file.
func TestEveryEntryOfTheCatalogueCanBeProduced(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, e := range catalogue(t) {
		assert.False(t, known[e.code], "%s is in the catalogue twice", e.code)
		known[e.code] = true
		if reason := notFromSource[e.code]; reason != "" {
			continue
		}
		t.Run(e.code, func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(filepath.Join("testdata", "diagnostics", e.code+".txtar"))
			require.NoError(t, err)
			dir := t.TempDir()
			comment, trimmed := strings.CutSuffix(strings.TrimSpace(string(archive.Comment)), ", without its last line end")
			for _, f := range archive.Files {
				if trimmed {
					f.Data = bytes.TrimSuffix(f.Data, []byte("\n"))
				}
				path := filepath.Join(dir, f.Name)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, f.Data, 0o644))
			}
			r := bicep.Request{File: filepath.Join(dir, comment), DiagnoseOnly: true}
			build := bicep.Embedded{}.Build
			if strings.HasSuffix(r.File, ".bicepparam") {
				build = bicep.Embedded{}.BuildParams
			}
			result, err := build(context.Background(), r)
			require.NoError(t, err)
			var found []string
			for _, f := range result.Findings {
				found = append(found, f.Code)
				assert.NotContains(t, f.Message, "%!", "%s has a message that does not fit its arguments", f.Code)
			}
			assert.Contains(t, found, e.code)
		})
	}
	archives, err := filepath.Glob("testdata/diagnostics/*.txtar")
	require.NoError(t, err)
	for _, a := range archives {
		code := strings.TrimSuffix(filepath.Base(a), ".txtar")
		assert.True(t, known[code], "%s produces what is not in the catalogue", a)
	}
}

var update = flag.Bool("update", false, "write the goldens anew")

// The page of all diagnostics is made from the catalogue.
func TestThePageOfDiagnosticsIsFresh(t *testing.T) {
	t.Parallel()
	list := catalogue(t)
	sort.SliceStable(list, func(i, j int) bool {
		a, b := strings.HasPrefix(list[i].code, "BCP"), strings.HasPrefix(list[j].code, "BCP")
		if a != b {
			return a
		}
		return list[i].code < list[j].code
	})
	var b strings.Builder
	b.WriteString("# Diagnostics\n\nMade from the catalogue by `make golden`. Where a message has a gap, the values of the place stand: %s a text,\n" +
		"%q one in quotes, %d a number. Codes and rules link to the official compiler's pages, which describe the same findings.\n" +
		"The level of a linter's rule is its default; `bicepconfig.json` sets another.\n\n| code | level | message |\n|---|---|---|\n")
	for _, e := range list {
		page := "https://aka.ms/bicep/linter-diagnostics#" + e.code
		switch {
		case strings.HasPrefix(e.code, "BCP"):
			page = "https://aka.ms/bicep/core-diagnostics#" + e.code
		case strings.HasPrefix(e.code, "RAD"):
			page = ""
		}
		code := e.code
		if page != "" {
			code = "[" + code + "](" + page + ")"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", code, strings.ToLower(e.level), strings.NewReplacer("|", "\\|", "<", "&lt;").Replace(e.text))
	}
	const name = "DIAGNOSTICS.md"
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o644))
		return
	}
	got, err := os.ReadFile(name)
	require.NoError(t, err, "run make golden")
	assert.Equal(t, b.String(), string(got), "%s is not fresh: run make golden", name)
}
