//go:build corpus

package templatehash_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/templatehash"
)

// TestCorpus checks every template that the official repository stores.
func TestCorpus(t *testing.T) {
	repo := os.Getenv("BICEP_CORPUS")
	if repo == "" {
		t.Fatal("BICEP_CORPUS must name a git directory of Azure/bicep")
	}
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", repo}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	checked := 0
	for _, file := range strings.Split(git("ls-tree", "-r", "--name-only", "HEAD", "--", "src/Bicep.Core.Samples/Files"), "\n") {
		if !strings.HasSuffix(file, ".json") || !strings.Contains(file, "main") {
			continue
		}
		v, err := armjson.Parse(git("show", "HEAD:"+file), armjson.Options{Comments: true, TrailingCommas: true})
		if err != nil {
			continue
		}
		check(t, file, v, &checked)
	}
	if checked < 100 {
		t.Errorf("only %d templates were checked", checked)
	}
	t.Logf("%d templates", checked)
}

// check looks for templates in v, nested ones too.
func check(t *testing.T, file string, v armjson.Value, n *int) {
	switch v := v.(type) {
	case armjson.Array:
		for _, x := range v {
			check(t, file, x, n)
		}
	case *armjson.Object:
		for _, x := range v.All() {
			check(t, file, x, n)
		}
		m, _ := v.Get("metadata")
		meta, ok := m.(*armjson.Object)
		if !ok {
			return
		}
		g, _ := meta.Get("_generator")
		gen, ok := g.(*armjson.Object)
		if !ok {
			return
		}
		want, ok := gen.Get("templateHash")
		if _, has := v.Get("resources"); !ok || !has {
			return
		}
		if name, _ := gen.Get("name"); name != armjson.Value(armjson.String("bicep")) {
			return
		}
		gen.Delete("templateHash")
		if got := templatehash.Sum(indented(v)); armjson.String(got) != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
		gen.Set("templateHash", want)
		*n++
	}
}
