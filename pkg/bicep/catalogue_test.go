package bicep_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/explain"
	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// accompanied are the codes that cannot be found alone, and what comes with them.
var accompanied = map[string][]string{
	"BCP001": {"BCP007"}, // what a token is missing from is not a statement
	"BCP015": {"BCP279"},
	"BCP062": {"BCP045"}, // the error in the declaration
	"BCP090": {"BCP097"}, "BCP097": {"BCP090"},
	"BCP103": {"BCP007"},
	"BCP104": {"BCP033"}, // the error in the other file
	"BCP157": {"BCP160"}, // the error in the parent's type
	"BCP160": {"BCP157"},
	"BCP245": {"BCP246"},
	"BCP256": {"BCP354"},
	"BCP257": {"BCP004", "BCP261"},
	"BCP309": {"BCP033"},
	// The module is refused by the release in use, which the file would allow.
	"no-conflicting-version-constraints": {"no-incompatible-entrypoint-version", "BCP104", "BCP456"},
	"BCP317":                             {"BCP296"},
	"BCP347":                             {"BCP358"},
	"BCP351":                             {"BCP338"},
	"BCP356":                             {"BCP012"},
	"BCP358":                             {"BCP097"},
	"BCP386":                             {"BCP394"},
	"BCP425":                             {"BCP205"},
	"BCP437":                             {"BCP057"},
	"RAD003":                             {"BCP001", "BCP007", "RAD004"},                          // ten thousand errors
	"RAD004":                             {"BCP028", "BCP057", "max-variables", "no-unused-vars"}, // ten thousand findings
	"use-recent-module-versions":         {"BCP190"},                                              // a module that is not in the cache
}

// exampleArchive is the archive of a code. Its comment lists what is found in it, a
// line each, after what it says of the files.
func exampleArchive(code string) string {
	return filepath.Join("internal", "examples", code+".txtar")
}

// Every entry of the catalogue has an example, which gives exactly what its comment says: the
// code itself at its place, and nothing else but what always comes with it.
func TestEveryEntryOfTheCatalogueHasAnExample(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, e := range explain.All() {
		known[e.Code] = true
		assert.Regexp(t, `^(https://[^\s]+)?$`, e.Page, "the link of %s", e.Code)
		assert.Regexp(t, `^[^\n]{5,280}[.]$`, e.Repair, "the repair of %s", e.Code)
		t.Run(e.Code, func(t *testing.T) {
			t.Parallel()
			x, err := e.Example(context.Background())
			require.NoError(t, err)
			require.NotNil(t, x)
			var lines []string
			own := 0
			for _, f := range x.Findings {
				assert.NotContains(t, f.Message, "%!", "%s has a message that does not fit its arguments", f.Code)
				assert.NotContains(t, f.Message, "\n", "%s has a message of several lines", f.Code)
				switch {
				case f.Code == e.Code:
					own++
					assert.Equal(t, e.Page, f.URL)
					if e.Level != diag.Off && e.Code != "RAD004" { // which is as severe as what it stands for
						assert.Equal(t, e.Level, f.Severity)
					}
				default:
					assert.Contains(t, accompanied[e.Code], f.Code)
				}
				if f.Code == e.Code || len(x.Findings) < 10 {
					lines = append(lines, fmt.Sprintf("%s(%d,%d) %s", f.Path, f.Start.Line, f.Start.Column, f.Code))
				}
			}
			assert.NotZero(t, own)
			if e.Level == diag.Off {
				assert.Contains(t, x.Files[1].Text, `"`+e.Code+`"`, "a rule that is off needs a configuration that turns it on")
			}
			checkComment(t, exampleArchive(e.Code), strings.Join(lines, "\n")+"\n")
		})
	}
	archives, err := filepath.Glob(exampleArchive("*"))
	require.NoError(t, err)
	for _, a := range archives {
		code := strings.TrimSuffix(filepath.Base(a), ".txtar")
		assert.True(t, known[code], "%s is the example of what is not in the catalogue", a)
	}
}

// checkComment compares the findings with those that the comment of an archive lists.
func checkComment(t *testing.T, path, found string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	about, listed := "", string(archive.Comment)
	if first, rest, ok := strings.Cut(listed, "\n"); ok && strings.HasSuffix(first, ".") {
		about, listed = first+"\n", rest
	}
	if *casetest.Update && listed != found {
		archive.Comment = []byte(about + found)
		require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
		return
	}
	assert.Equal(t, listed, found, "what the comment of %s says, and what is found", path)
}

// A repair that the compiler offers for an example repairs it.
func TestTheFixOfAnExampleRepairsIt(t *testing.T) {
	t.Parallel()
	fixed := map[string]report.Certainty{}
	for _, e := range explain.All() {
		x, err := e.Example(context.Background())
		require.NoError(t, err)
		if x.Fix == 0 {
			continue
		}
		fixed[e.Code] = x.Fix
		files := source.Memory{}
		for _, f := range x.Files {
			files["/"+f.Name] = f.Text
		}
		main := "/" + x.Files[0].Name
		files[main] = x.Fixed
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: main, FS: files, Options: bicep.Options{AzTypes: bicep.NoAzTypes}, NoRestore: true})
		require.NoError(t, err)
		for _, f := range r.Findings {
			assert.NotEqual(t, e.Code, f.Code, "after the fix of %s:\n%s", e.Code, x.Fixed)
		}
	}
	assert.Equal(t, report.Certain, fixed["BCP082"])
	assert.Equal(t, report.Certain, fixed["no-unused-params"])
	assert.Equal(t, report.Likely, fixed["no-module-name"])
	assert.Greater(t, len(fixed), 15)
}

// A finding that stops a compile cannot be silenced, as the linter's errors can.
func TestOurOwnErrorsAreErrorsOfTheCompiler(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: source.Disk{}, File: write(t, map[string]string{
		"main.bicep": "#disable-next-line RAD001\nvar a = " + deep + "\n",
	})})
	require.NoError(t, err)
	assert.Nil(t, result.Template)
	assert.False(t, result.OK())
}
