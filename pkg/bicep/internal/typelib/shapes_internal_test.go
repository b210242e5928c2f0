package typelib

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Everything in a table is there, and is used.
func TestTables(t *testing.T) {
	t.Parallel()
	tables := map[string]*shapes{"Kubernetes": &kubernetesShapes}
	for _, release := range RadiusReleases() {
		tables["Radius "+release] = &RadiusOf(release).table
	}
	for name, table := range tables {
		lines := map[string]bool{}
		used := map[string]bool{}
		for line := range strings.SplitSeq(table.text, "\n") {
			key, what, ok := strings.Cut(line, ": ")
			if !ok {
				assert.False(t, line != "" && line[0] != '@' && line[0] != '#', "%s: %q is not a line of a table", name, line)
				continue
			}
			assert.False(t, lines[key], "%s: %s is there twice", name, key)
			lines[key] = true
			// Resource types are asked for, and so are the heads of their bodies.
			if strings.Contains(key, "/") || key == "Tracked" || key == "Untracked" || key == "metadata" {
				used[key] = true
			}
			for _, word := range strings.FieldsFunc(what, func(r rune) bool { return strings.ContainsRune(" ,|=+(){}[]", r) }) {
				used[strings.TrimPrefix(word, "...")] = true
			}
		}
		for key := range lines {
			assert.True(t, used[key], "%s: nothing leads to %s", name, key)
			if !strings.Contains(key, "/") {
				visit(t, name+" "+key, table.typeOfLine(key), lines, map[types.Type]bool{})
			}
		}
	}
}

// visit reports references to lines that are not there.
func visit(t *testing.T, at string, of types.Type, lines map[string]bool, seen map[types.Type]bool) {
	if seen[of] {
		return
	}
	seen[of] = true
	follow := func(name string, r types.Ref) {
		if s, ok := r.(*shape); ok && !lines[s.name] {
			t.Errorf("%s.%s: there is no %s", at, name, s.name)
			return
		}
		visit(t, at+"."+name, r.Type(), lines, seen)
	}
	switch of := of.(type) {
	case *types.Array:
		follow("[]", of.Item)
	case *types.DiscriminatedObject:
		for _, m := range of.Members {
			visit(t, at+"/"+m.Key.Value, m.Object, lines, seen)
		}
	case *types.Object:
		for _, p := range of.Properties() {
			require.NotEmpty(t, p.Name, "%s has a property %q", at, p.Name)
			require.Equal(t, p.Name, strings.Trim(p.Name, "!<=#+().*?"), "the properties of %s", at)
			follow(p.Name, p.Type)
		}
		if of.Additional != nil {
			follow("*", of.Additional.Type)
		}
	}
}
