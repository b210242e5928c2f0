package snapshot_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/snapshot"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/secret"
)

var update = flag.Bool("update", false, "write the expected snapshots in testdata")

// TestCases takes snapshots of the programs in testdata/cases/*.txtar. A case is a folder with main.bicep, or with
// main.json for a template, and what it needs. Its file want has a line for each resource, with the keys as
// the snapshot has them, for each output and each diagnostic, or the error. The IDs are shortened: ~ is the resource
// group. The file context says what is known of the deployment, if it is anything else than that group.
func TestCases(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/cases/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		cases := map[string]source.Memory{}
		shared := source.Memory{}
		for _, f := range archive.Files {
			name, rest, ok := strings.Cut(f.Name, "/")
			if !ok {
				shared["/"+f.Name] = string(f.Data)
				continue
			}
			if cases[name] == nil {
				cases[name] = source.Memory{}
			}
			cases[name]["/"+rest] = string(f.Data)
		}
		archiveName := strings.TrimSuffix(filepath.Base(path), ".txtar")
		for i := range archive.Files {
			name, rest, _ := strings.Cut(archive.Files[i].Name, "/")
			if rest != "want" {
				continue
			}
			t.Run(archiveName+"/"+name, func(t *testing.T) {
				files := cases[name]
				for n, text := range shared {
					if _, ok := files[n]; !ok {
						files[n] = text
					}
				}
				got := described(t, files)
				if *update {
					archive.Files[i].Data = []byte(got)
					return
				}
				if diff := cmp.Diff(files["/want"], got); diff != "" {
					t.Error(diff)
				}
			})
		}
		if *update {
			require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o666))
		}
	}
}

const group = "/subscriptions/1/resourceGroups/g/providers"

// described takes a snapshot of a program and writes it as the cases do.
func described(t *testing.T, files source.Memory) string {
	t.Helper()
	var template *armjson.Object
	if text, ok := files["/main.json"]; ok {
		v, err := armjson.Parse(text, armjson.Options{})
		require.NoError(t, err)
		template = v.(*armjson.Object)
	} else {
		result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/main.bicep"})
		require.NoError(t, err)
		template, err = result.TemplateTree()
		require.NoError(t, err, result.Findings)
	}
	o := expand.Options{Official: true, Context: expand.Context{SubscriptionID: "1", ResourceGroup: "g"}, Parameters: map[string]expand.Parameter{}}
	if c, ok := files["/context"]; ok {
		o.Context = expand.Context{}
		for line := range strings.SplitSeq(strings.TrimSpace(c), "\n") {
			key, value, _ := strings.Cut(line, " ")
			switch key {
			case "subscription":
				o.Context.SubscriptionID = value
			case "group":
				o.Context.ResourceGroup = value
			case "location":
				o.Context.Location = value
			case "parameter", "secure":
				name, value, _ := strings.Cut(value, " ")
				v, err := armjson.Parse(value, armjson.Options{})
				require.NoError(t, err)
				given := expand.Parameter{Value: v}
				if key == "secure" {
					given.Mark = secret.Secure
				}
				o.Parameters[name] = given
			}
		}
	}
	var b strings.Builder
	result, err := expand.Expand(template, o)
	if err != nil {
		fmt.Fprintf(&b, "error %v\n", err)
		return b.String()
	}
	s := snapshot.New(result)
	for _, r := range s.Resources {
		fmt.Fprintf(&b, "%s\n", armjson.Text(r))
	}
	for k, v := range s.Outputs.All() {
		fmt.Fprintf(&b, "output %s %s\n", k, armjson.Text(v))
	}
	for _, d := range s.Diagnostics {
		fmt.Fprintf(&b, "%s\n", d)
	}
	return strings.ReplaceAll(b.String(), group, "~")
}
