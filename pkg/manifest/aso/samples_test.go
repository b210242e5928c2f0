package aso

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/manifest/schema"
)

// TestSamples converts the sample programs, and compares the objects and the messages with those that the
// command prints.
func TestSamples(t *testing.T) {
	t.Parallel()
	compareSamples(t, func() *table { return newTable(unpack()) }, nil)
}

// TestSamplesByCRDs converts them by the CRDs of the same release of the operator, without a half of the table. The CRDs are
// not here: TARGETS_CRDS names their folder, which make targets-e2e makes.
func TestSamplesByCRDs(t *testing.T) {
	t.Parallel()
	dir, _, _ := strings.Cut(os.Getenv("TARGETS_CRDS"), string(filepath.ListSeparator))
	if dir == "" {
		t.Skip("TARGETS_CRDS names no folder with CRDs; make targets-e2e makes one")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	require.NoError(t, err)
	var crds []*schema.Definition
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		list, err := schema.ReadDefinitions(text)
		require.NoError(t, err)
		for _, d := range list {
			d.Release = "v2.13.0" // the operator's file has it
		}
		crds = append(crds, list...)
	}
	require.Greater(t, len(crds), 200)
	for half := range 2 {
		parts := slices.Clone(unpack())
		var kinds []string
		without := map[string]bool{}
		for line := range strings.Lines(parts[1]) {
			words := strings.SplitN(line, " ", 5)
			if _, ok := without[words[0]+words[3]]; !ok {
				without[words[0]+words[3]] = len(without)%2 == half
			}
			if !without[words[0]+words[3]] {
				kinds = append(kinds, strings.TrimSuffix(line, "\n"))
			}
		}
		parts[1] = strings.Join(kinds, "\n")
		compareSamples(t, func() *table { return newTable(parts) }, crds)
	}
}

// compareSamples converts the sample programs by a table and by CRDs.
func compareSamples(t *testing.T, table func() *table, crds []*schema.Definition) {
	t.Helper()
	dir, err := filepath.Abs("../../../testdata/targets/aso")
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "*.bicep"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 20)
	for _, file := range files {
		in := sample(t, file)
		in.Kinds = &schema.Kinds{}
		in.Kinds.Use(crds)
		out, err := convertBy(table(), in)
		require.NoError(t, err, file)
		base := strings.TrimSuffix(file, ".bicep")
		golden := func(extension string) string {
			text, err := os.ReadFile(base + extension)
			if err != nil {
				require.ErrorIs(t, err, os.ErrNotExist)
			}
			return string(text)
		}
		if len(out.Problems) == 0 && len(out.Objects) > 0 {
			for _, l := range out.LeftOut {
				out.Comments = append(out.Comments, l.String())
			}
			text, err := manifest.RenderObjects(out.Objects, out.Comments, manifest.YAML)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(golden(".yaml"), string(text)), file)
		} else {
			require.Empty(t, golden(".yaml"), file)
		}
		var said []string
		for _, list := range []struct {
			level string
			all   []objects.Problem
		}{{"Error", out.Problems}, {"Warning", out.Warnings}} {
			for _, p := range list.all {
				text := report.Sentence(p.Message)
				for _, option := range p.Missing {
					text += " --" + option
				}
				said = append(said, strings.TrimPrefix(p.Position.String(), dir+"/")+" : "+list.level+" "+p.Code+": "+text)
			}
		}
		var want []string
		for line := range strings.Lines(golden(".txt")) {
			line = strings.TrimSuffix(line, "\n")
			if strings.Contains(line, " BCP") || strings.HasPrefix(line, "status ") || strings.Contains(line, "no-objects") {
				continue
			}
			line, _, _ = strings.Cut(line, " --existing") // the remedy is the command's
			line = strings.ReplaceAll(line, " Set --", " --")
			if strings.Contains(line, "is not known. --") {
				line = strings.TrimSuffix(strings.ReplaceAll(line, " and --", " --"), ".")
			}
			want = append(want, line)
		}
		assert.ElementsMatch(t, want, said, file)
	}
}

// sample returns a sample as the command reads it, with the arguments that its comments name.
func sample(t *testing.T, file string) objects.Input {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	result, err := bicep.Embedded{}.Build(t.Context(), bicep.Request{FS: source.Disk{}, File: file, Options: bicep.Options{Symbolic: true}})
	require.NoError(t, err)
	template, err := result.TemplateTree()
	require.NoError(t, err, "%s: %v", file, result.Findings)
	in := objects.Input{
		Name: strings.TrimSuffix(filepath.Base(file), ".bicep"), Secure: secureOf(template),
		Options: map[string]string{}, Labels: map[string]string{}, Annotations: map[string]string{},
	}
	x := expand.Context{SubscriptionID: subscription, ResourceGroup: "apps", Location: "westeurope", TenantID: "00000000-0000-0000-0000-000000000002", DeploymentName: "main"}
	if strings.Contains(string(text), "targetScope = 'subscription'") {
		x.ResourceGroup = ""
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "// flags: none" {
			x = expand.Context{}
			in.Missing = []string{objects.OptionSubscription, objects.OptionGroup}
		}
		args, _ := strings.CutPrefix(line, "// args: ")
		if args == line {
			continue
		}
		words := strings.Fields(args)
		for i := 0; i < len(words); i += 2 {
			if words[i] == "--skip-unsupported" {
				in.Options[objects.SkipUnsupported] = "true"
				break
			}
			key, value, _ := strings.Cut(words[i+1], "=")
			switch words[i] {
			case "--name":
				in.Name = key
			case "--namespace":
				in.Namespace = key
			case "--label":
				in.Labels[key] = value
			case "--annotation":
				in.Annotations[key] = value
			case "--reconcile-policy":
				in.Options[ReconcilePolicy] += "," + words[i+1]
			case "--credential-from":
				in.Options[CredentialFrom] += "," + words[i+1]
			case "--existing":
				in.Options[Existing] += "," + words[i+1]
			default:
				t.Fatalf("%s: %s", file, words[i])
			}
		}
	}
	in.Options[objects.OptionLocation] = x.Location
	in.Program, err = expand.Expand(template, expand.Options{Context: x, Tolerant: true, SecretsApart: true, Places: result.Places})
	require.NoError(t, err, file)
	return in
}

// TestExistingOfAllKinds: an existing resource of each type becomes an object of what Bicep says of it, or the refusal names
// what more the operator requires.
func TestExistingOfAllKinds(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	table := newTable(unpack())
	for armType := range table.kinds {
		all := table.versions(armType)
		k := all[len(all)-1]
		name := strings.Repeat("/"+strings.Repeat("a", 24), strings.Count(armType, "/"))[1:]
		template, err := bicep.ParseTemplate(fmt.Appendf(nil, `{"languageVersion": "2.0", "contentVersion": "1.0.0.0", "resources": {
			"it": {"existing": true, "type": %q, "apiVersion": %q, "name": %q}}}`, k.armType, k.apiVersion, name))
		require.NoError(t, err)
		made := func(location string) *objects.Output {
			x := expand.Context{SubscriptionID: subscription, ResourceGroup: "apps"}
			program, err := expand.Expand(template, expand.Options{Context: x, Tolerant: true})
			require.NoError(t, err)
			out, err := convertBy(table, objects.Input{Program: program, Options: map[string]string{Existing: "skip", objects.OptionLocation: location}})
			require.NoError(t, err)
			out.Problems = slices.DeleteFunc(out.Problems, func(p objects.Problem) bool { // the name is made up
				return strings.Contains(p.Message, "calls every") || strings.HasPrefix(p.Message, "the name ")
			})
			return out
		}
		switch out, located := made(""), made("westeurope"); {
		case len(out.Problems) == 0:
			count["as they are"]++
		case len(located.Problems) == 0:
			require.Equal(t, []string{objects.OptionLocation}, out.Problems[0].Missing, armType)
			count["with a location"]++
		default:
			require.Contains(t, problems(located), "is `existing`, and "+k.name+" of", armType)
			count["refused"]++
		}
		for _, o := range made("westeurope").Objects {
			if table.object(k.spec).discriminator == "" {
				require.NoError(t, check(table, o), armType)
			}
		}
	}
	require.Equal(t, map[string]int{"as they are": 108, "with a location": 36, "refused": 87}, count)
}
