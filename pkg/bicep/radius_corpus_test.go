//go:build corpus

package bicep_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// The templates of Radius' own repositories compile without a network and with nothing in the
// cache, each with the bicepconfig.json that stands beside it.
func TestRadiusCorpus(t *testing.T) {
	t.Parallel()
	corpus := os.Getenv("RADIUS_CORPUS")
	if corpus == "" {
		t.Fatalf("RADIUS_CORPUS must name a git directory of radius-project/radius; those of samples and docs may follow, after a %q each", os.PathListSeparator)
	}
	for _, repo := range filepath.SplitList(corpus) {
		t.Run(repo, func(t *testing.T) {
			t.Parallel()
			files := committed(t, repo, "HEAD")
			publishResourceTypes(t, files)
			templates, replaced := 0, 0
			for name, text := range files {
				compile := bicep.Embedded{}.Build
				switch path.Ext(name) {
				case ".bicep":
				case ".bicepparam":
					compile = bicep.Embedded{}.BuildParams
				default:
					continue
				}
				templates++
				r, err := compile(context.Background(), bicep.Request{
					File: filepath.FromSlash(name), FS: files, Options: bicep.Options{Artifacts: bicep.Artifacts{Offline: true, Cache: t.TempDir()}},
				})
				require.NoError(t, err, name)
				assert.Empty(t, errorsOf(r), name)
				if strings.Contains(text, "\nextension radius\n") || strings.HasPrefix(text, "extension radius\n") {
					replaced++
					assert.NotEmpty(t, r.Replaced, "%s: the built-in types stand in for those that the configuration names", name)
				}
			}
			assert.Positive(t, replaced)
			t.Logf("%d templates and parameter files, %d with the types of Radius", templates, replaced)
		})
	}
}

// publishResourceTypes gives the configurations of a repository that name the extension of its
// tests an archive, which is made of the manifest beside them.
func publishResourceTypes(t *testing.T, files source.Memory) {
	t.Helper()
	const reference = "br:testuserdefinedbiceptypes.azurecr.io/testresources:latest"
	for name, text := range files {
		if path.Base(name) != "bicepconfig.json" || !strings.Contains(text, reference) {
			continue
		}
		manifest := filepath.Join(t.TempDir(), "types.yaml")
		require.NoError(t, os.WriteFile(manifest, []byte(files[path.Join(path.Dir(name), "testdata/testresourcetypes.yaml")]), 0o644))
		archive, err := artifacts.LocalExtension(artifacts.ExtensionContent{Index: manifest, Open: func(path string) (io.ReadCloser, error) { return os.Open(path) }})
		if err != nil { // the form that releases before 0.50 had
			continue
		}
		files[path.Join(path.Dir(name), "testresources.tgz")] = string(archive)
		files[name] = strings.Replace(text, reference, "testresources.tgz", 1)
	}
}

// The templates of each release of Radius have the same findings with the built-in types of that release as with the archive
// that its tag has. What a message advises about a type that may be wrong is not compared.
func TestRadiusReleases(t *testing.T) {
	t.Parallel()
	repo, _, _ := strings.Cut(os.Getenv("RADIUS_CORPUS"), string(os.PathListSeparator))
	require.NotEmpty(t, repo, "RADIUS_CORPUS must name a git directory of radius-project/radius")
	named := regexp.MustCompile(`"radius"\s*:\s*"[^"]*"`)
	for _, release := range bicep.RadiusReleases() {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			files := committed(t, repo, "v"+release+".0")
			types, err := exec.Command("git", "-C", repo, "archive", "--format=tar.gz", "v"+release+".0:hack/bicep-types-radius/generated").Output()
			require.NoError(t, err)
			archived := maps.Clone(files)
			archived["/radius.tgz"] = tgz(t, "types.tgz", string(types))
			publishResourceTypes(t, files)
			for name, text := range files {
				if path.Base(name) == "bicepconfig.json" {
					up := strings.Repeat("../", strings.Count(name, "/")-1)
					files[name] = named.ReplaceAllString(text, `"radius": "br:biceptypes.azurecr.io/radius:`+release+`"`)
					archived[name] = named.ReplaceAllString(text, `"radius": "./`+up+`radius.tgz"`)
				} else {
					archived[name] = text
				}
			}
			templates, with, findings := 0, 0, 0
			for name := range files {
				if path.Ext(name) != ".bicep" {
					continue
				}
				builtIn, own := foundIn(t, files, name), foundIn(t, archived, name)
				assert.Equal(t, own, builtIn, name)
				assert.NotContains(t, strings.Join(own, ""), "radius.tgz", name)
				templates, findings = templates+1, findings+len(own)
				if slices.ContainsFunc(own, func(f string) bool { return strings.Contains(f, " Error ") }) {
					with++
				}
			}
			assert.Positive(t, templates)
			t.Logf("%d templates, %d findings, %d templates with errors", templates, findings, with)
		})
	}
}

// foundIn returns the findings of a template without what they advise.
func foundIn(t *testing.T, files source.Memory, name string) (list []string) {
	t.Helper()
	r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{
		File: filepath.FromSlash(name), FS: files, DiagnoseOnly: true,
		Options: bicep.Options{Artifacts: bicep.Artifacts{Offline: true, Cache: t.TempDir()}},
	})
	require.NoError(t, err, name)
	for _, f := range r.Findings {
		message, _, _ := strings.Cut(f.Message, " If ")
		list = append(list, fmt.Sprintf("%s(%d,%d) %s %s: %s", f.Path, f.Start.Line, f.Start.Column, f.Severity, f.Code, message))
	}
	return list
}

// committed returns the files of a commit that a git directory has. Those that the directory lacks, since it is not a whole
// clone, are left out.
func committed(t *testing.T, repo, commit string) source.Memory {
	t.Helper()
	list, err := exec.Command("git", "-C", repo, "ls-tree", "-r", "-z", commit).Output()
	require.NoError(t, err)
	var names, objects []string
	for _, line := range strings.Split(strings.TrimRight(string(list), "\x00"), "\x00") {
		entry, name, _ := strings.Cut(line, "\t")
		if strings.Fields(entry)[1] != "blob" {
			continue // a submodule
		}
		names, objects = append(names, name), append(objects, strings.Fields(entry)[2])
	}
	batch := exec.Command("git", "-C", repo, "cat-file", "--batch")
	batch.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1")
	batch.Stdin = strings.NewReader(strings.Join(objects, "\n") + "\n")
	out, err := batch.Output()
	require.NoError(t, err)
	files, in := source.Memory{}, bufio.NewReader(bytes.NewReader(out))
	for _, name := range names {
		header, err := in.ReadString('\n')
		require.NoError(t, err)
		var object, kind string
		var size int
		if _, err := fmt.Sscan(header, &object, &kind, &size); err != nil {
			continue // it is missing
		}
		content := make([]byte, size+1) // a line end follows
		_, err = io.ReadFull(in, content)
		require.NoError(t, err)
		files["/"+name] = string(content[:size])
	}
	return files
}
