package plan_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/source"

	"github.com/stretchr/testify/require"
)

// predicted compiles and expands a program without parameters, or a parameter file with
// its program; nil if it has errors.
func predicted(t testing.TB, path string, symbolic bool) *expand.Result {
	t.Helper()
	request := bicep.Request{FS: source.Disk{}, File: path, Options: bicep.Options{Symbolic: symbolic, AzTypes: os.Getenv("RAD_BICEP_AZ_TYPES")}, Env: variables{}}
	given := map[string]expand.Parameter{}
	var r *bicep.Result
	var err error
	if filepath.Ext(path) == ".bicepparam" {
		r, err = bicep.Embedded{}.BuildParams(context.Background(), request)
		require.NoError(t, err)
		for _, a := range r.Assigned {
			p := expand.Parameter{Value: a.Value, Expression: a.Expression, Mark: a.Mark}
			if a.Reference != nil {
				p.Reference = a.Reference
			}
			given[a.Name] = p
		}
		if r.OK() && r.Template == nil { // using none
			return &expand.Result{}
		}
	} else {
		r, err = bicep.Embedded{}.Build(context.Background(), request)
		require.NoError(t, err)
	}
	if !r.OK() {
		return nil
	}
	tree, err := r.TemplateTree()
	require.NoError(t, err)
	e, err := expand.Expand(tree, expand.Options{Parameters: given, Tolerant: true})
	require.NoError(t, err)
	return e
}

// variables are those that the recorded programs read.
type variables struct{}

func (variables) Lookup(name string) (string, bool) {
	v, ok := map[string]string{"stringEnvVariableName": "test", "intEnvVariableName": "100", "boolEnvironmentVariable": "true"}[name]
	return v, ok
}

func (variables) Hint(string) string { return "" }

// resources lists what an expansion deploys, each as a text of all that is compared. Those of which the name
// is not known are for TestEdits.
func resources(e *expand.Result) map[string]string {
	m := map[string]string{}
	for _, r := range e.Resources {
		if _, known := expand.Known(r.Name); r.Existing || !known {
			continue
		}
		k := plan.Key(r)
		for m[k] != "" {
			k += "+"
		}
		m[k] = r.APIVersion + " " + canonical(expand.Printable(r.Body)) + " if " + expand.Text(r.Condition) + " copies " + expand.Text(r.Copies)
	}
	return m
}

func canonical(v armjson.Value) string {
	switch v := v.(type) {
	case *armjson.Object:
		var list []string
		for k, x := range v.All() {
			list = append(list, armjson.Text(armjson.String(k))+":"+canonical(x))
		}
		slices.Sort(list)
		return "{" + strings.Join(list, ",") + "}"
	case armjson.Array:
		var list []string
		for _, x := range v {
			list = append(list, canonical(x))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	return armjson.Text(v)
}

// check holds a plan to a comparison of the two expansions' texts.
func check(t testing.TB, name string, before, after *expand.Result) {
	t.Helper()
	p := plan.Compare(before, after)
	was, is := resources(before), resources(after)
	got := map[string]plan.Action{}
	for _, i := range p.Items {
		if i.Action == plan.Unchanged {
			continue
		}
		k := plan.Key(i.Resource)
		for got[k] != "" {
			k += "+"
		}
		got[k] = i.Action
		if i.Action == plan.Rename || i.Action == plan.Replace {
			got[k] = plan.Create
			got[plan.Key(i.Was)] = plan.Delete
			continue
		}
		if i.Was != nil && plan.Key(i.Was) != plan.Key(i.Resource) { // their names may be the same
			got[plan.Key(i.Was)] = i.Action
		}
	}
	for k, text := range was {
		now, ok := is[k]
		switch a := got[k]; {
		case !ok && a != plan.Delete && a != plan.Unknown:
			t.Errorf("%s: %s is gone, and the plan says %q", name, k, a)
		case ok && text != now && a != plan.Update && a != plan.Unknown && !strings.Contains(text, "[") && !strings.Contains(now, "["):
			t.Errorf("%s: %s differs, and the plan says %q\n%s\n%s", name, k, a, text, now)
		case ok && text == now && a != "":
			t.Errorf("%s: %s is the same, and the plan says %q", name, k, a)
		}
	}
	for k := range is {
		if _, ok := was[k]; !ok && got[k] != plan.Create && got[k] != plan.Unknown {
			t.Errorf("%s: %s is new, and the plan says %q", name, k, got[k])
		}
	}
}

// TestSamples holds for every sample that its plan against itself is empty, in
// either form of the template, and that a comparison with another sample is exact.
func TestSamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../testdata/*/*.bicep")
	require.NoError(t, err)
	var last *expand.Result
	n := 0
	for _, f := range files {
		e := predicted(t, f, true)
		if e == nil {
			continue
		}
		n++
		require.True(t, plan.Compare(e, predicted(t, f, true)).Empty(), f)
		p := plan.Compare(predicted(t, f, false), e)
		require.True(t, p.Empty(), "%s: in its classic form: %s", f, armjson.Text(p.JSON(nil)))
		if last != nil {
			check(t, f, last, e)
			check(t, f, e, last)
		}
		last = e
	}
	require.Greater(t, n, 20)
}

// TestAnswers does so for programs and their recorded edits, which
// `answers.py --az --write DIR --family radius --family mutant` puts into a folder. Five
// of them need a library of Azure's types:
//
//	RAD_ANSWERS=DIR RAD_BICEP_AZ_TYPES=FILE go test ./pkg/bicep/plan -run TestAnswers
func TestAnswers(t *testing.T) {
	dir := os.Getenv("RAD_ANSWERS")
	if dir == "" {
		t.Skip("RAD_ANSWERS names no folder")
	}
	mutant := regexp.MustCompile(`^(.*)~\d+(\.bicep|\.bicepparam)$`)
	originals := map[string]*expand.Result{}
	self, edits, refused := 0, 0, 0
	of := func(path string) *expand.Result {
		e, ok := originals[path]
		if !ok {
			if e = predicted(t, path, true); e != nil {
				self++
				if p := plan.Compare(e, predicted(t, path, true)); !p.Empty() {
					t.Errorf("%s: its plan against itself is %s", path, armjson.Text(p.JSON(nil)))
				}
			}
			originals[path] = e
		}
		return e
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || ext != ".bicep" && ext != ".bicepparam" {
			return err
		}
		m := mutant.FindStringSubmatch(path)
		if m == nil {
			if strings.Contains(path, "/rad/") {
				of(path)
			}
			return nil
		}
		before, after := of(m[1]+m[2]), predicted(t, path, true)
		if before == nil || after == nil {
			refused++
			return nil
		}
		edits++
		check(t, path, before, after)
		return nil
	})
	require.NoError(t, err)
	t.Logf("%d programs against themselves, %d edits, %d refused", self, edits, refused)
}
