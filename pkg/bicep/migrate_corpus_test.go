//go:build corpus

package bicep_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// movedByRadius are the commits in which Radius itself moved its test templates.
var movedByRadius = []string{"aee91f593", "f1a9825a4", "7dba96180", "9b5a68114", "7c594ce32", "1d7e534f3", "067afe998", "973b6b799"}

// rewritten are the templates with containers that Radius rewrote by hand, and what it changed beyond the types.
var rewritten = map[string]string{
	"corerp-mechanics-invalid-resourceids.bicep":          "all but a container went, and its application is another wrong ID",
	"corerp-resources-friendly-container-version-1.bicep": "a secret in place of the Redis cache, whose address and secrets were written down",
	"corerp-resources-friendly-container-version-2.bicep": "the readiness probe went",
	"corerp-resources-gateway-dns.bicep":                  "the readiness probes went; so did the route with replacePrefix, as by --drop",
	"corerp-resources-gateway-sslpassthrough.bicep":       "the route is of the kind TLS, with a host name, and matches everything",
	"corerp-resources-simulatedenv.bicep":                 "the gateway, the probes and a connection went; the environment has another name",
	"usertypealpha-recipe.bicep":                          "the environment is a parameter, no longer a resource of the template",
}

// What migrate makes of the templates that Radius moved by itself has the resources that Radius wrote, but for what it
// chose freely: the keys of containers, names in lower case, namespaces, locations, and empty objects.
func TestRadiusMigrate(t *testing.T) {
	t.Parallel()
	repo, _, _ := strings.Cut(os.Getenv("RADIUS_CORPUS"), string(os.PathListSeparator))
	require.NotEmpty(t, repo, "RADIUS_CORPUS must name a git directory of radius-project/radius")
	moved, withContainers, same := 0, 0, 0
	for _, commit := range movedByRadius {
		before, after := committed(t, repo, commit+"^"), committed(t, repo, commit)
		publishResourceTypes(t, before)
		publishResourceTypes(t, after)
		names, err := exec.Command("git", "-C", repo, "show", "--format=", "--name-status", "-M", commit, "--", "*.bicep").Output()
		require.NoError(t, err)
		for _, line := range strings.Split(strings.TrimSpace(string(names)), "\n") {
			status, name, _ := strings.Cut(line, "\t")
			name = "/" + name
			if status != "M" || !strings.Contains(before[name], "'Applications.") || !strings.Contains(after[name], "'Radius.") {
				continue
			}
			moved++
			m, err := bicep.Embedded{}.Migrate(context.Background(), migrateRequest(t, before, name), rewritten[filepath.Base(name)] != "")
			require.NoError(t, err, name)
			made := source.Memory{}
			maps.Copy(made, before)
			maps.Copy(made, m.Texts)
			ours, theirs := resourcesOf(t, made, name), resourcesOf(t, after, name)
			if !strings.Contains(before[name], "'Applications.Core/containers") {
				continue
			}
			withContainers++
			diff := cmp.Diff(theirs, ours)
			if diff == "" {
				same++
			}
			assert.Equal(t, rewritten[filepath.Base(name)] == "", diff == "", "%s: %s", name, diff)
		}
	}
	t.Logf("%d templates, %d with containers, %d equal", moved, withContainers, same)
	assert.Equal(t, 43, moved)
	assert.Equal(t, 28, withContainers)
	assert.Equal(t, 21, same)
}

func migrateRequest(t *testing.T, files source.Memory, name string) bicep.Request {
	return bicep.Request{File: filepath.FromSlash(name), FS: files,
		Options: bicep.Options{Artifacts: bicep.Artifacts{Offline: true, Cache: t.TempDir()}}}
}

// resourcesOf returns the resources of a template, by their symbolic names, without what Radius chose freely.
func resourcesOf(t *testing.T, files source.Memory, name string) map[string]any {
	t.Helper()
	r, err := bicep.Embedded{}.Build(context.Background(), migrateRequest(t, files, name))
	require.NoError(t, err)
	if !assert.Empty(t, errorsOf(r), name) {
		return nil
	}
	var template struct{ Resources map[string]any }
	require.NoError(t, json.Unmarshal(r.Template, &template))
	for _, one := range template.Resources {
		resource := one.(map[string]any)
		if body, ok := resource["properties"].(map[string]any); ok {
			if name, ok := body["name"].(string); ok {
				body["name"] = strings.ToLower(name)
			}
			if props, ok := body["properties"].(map[string]any); ok {
				if list, ok := props["containers"].(map[string]any); ok && len(list) == 1 {
					for _, one := range list {
						props["containers"] = map[string]any{"one": one}
					}
				}
			}
		}
		plain(resource)
	}
	return template.Resources
}

// plain takes locations, namespaces and empty objects out of a value, and reports whether nothing is left of it.
func plain(v any) (empty bool) {
	switch v := v.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(key string, part any) bool { return plain(part) || key == "location" || key == "namespace" })
		return len(v) == 0
	case []any:
		for _, part := range v {
			plain(part)
		}
	}
	return false
}

// What is made of the test templates of releases, and of RADIUS_CORPUS' other repositories, compiles and does not change once
// more, whether or not what has no counterpart is left out. A comment at the end of each line is there once, or not at all.
func TestRadiusMigrateAll(t *testing.T) {
	t.Parallel()
	repos := filepath.SplitList(os.Getenv("RADIUS_CORPUS"))
	require.NotEmpty(t, repos, "RADIUS_CORPUS must name a git directory of radius-project/radius")
	var states [][2]string
	for _, tag := range []string{"v0.45.0", "v0.50.0", "v0.55.0", "v0.60.0"} {
		states = append(states, [2]string{repos[0], tag})
	}
	for _, other := range repos[1:] {
		states = append(states, [2]string{other, "HEAD"})
	}
	moved, refused := 0, 0
	for _, state := range states {
		files := committed(t, state[0], state[1])
		publishResourceTypes(t, files)
		for name, text := range files {
			if filepath.Ext(name) != ".bicep" || strings.Contains(text, "'''") || strings.Contains(text, "\n#") {
				continue
			}
			lines := strings.Split(text, "\n")
			for i := range lines {
				lines[i] += fmt.Sprintf(" // line %d.", i)
			}
			files[name] = strings.Join(lines, "\n")
		}
		for name, text := range files {
			if filepath.Ext(name) != ".bicep" || !strings.Contains(text, "'Applications.") {
				continue
			}
			for _, drop := range []bool{false, true} {
				r := migrateRequest(t, files, name)
				r.Artifacts.Extensions = map[string]string{"radius": "br:biceptypes.azurecr.io/radius:0.60"}
				m, err := bicep.Embedded{}.Migrate(context.Background(), r, drop)
				require.NoError(t, err, name)
				if report.AnyError(m.Findings) {
					refused++
					continue
				}
				moved++
				after := maps.Clone(files)
				maps.Copy(after, m.Texts)
				for path, text := range m.Texts {
					for i := range strings.Split(files[path], "\n") {
						assert.LessOrEqual(t, strings.Count(text, fmt.Sprintf("// line %d.", i)), 1, "%s: line %d", path, i)
					}
				}
				r.FS = after
				result, err := bicep.Embedded{}.Build(context.Background(), r)
				require.NoError(t, err, name)
				assert.Empty(t, errorsOf(result), name)
				m, err = bicep.Embedded{}.Migrate(context.Background(), r, drop)
				require.NoError(t, err, name)
				assert.Empty(t, m.Texts, name)
			}
		}
	}
	t.Logf("%d moved, %d refused", moved, refused)
	assert.Positive(t, moved)
}
