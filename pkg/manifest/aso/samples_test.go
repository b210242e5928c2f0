package aso

import (
	"os"
	"path/filepath"
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
)

// TestSamples converts the sample programs, and compares the objects and the messages with those that the
// command prints.
func TestSamples(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("../../../testdata/targets/aso")
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "*.bicep"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 20)
	for _, file := range files {
		out := sample(t, file)
		base := strings.TrimSuffix(file, ".bicep")
		golden := func(extension string) string {
			text, err := os.ReadFile(base + extension)
			if err != nil {
				require.ErrorIs(t, err, os.ErrNotExist)
			}
			return string(text)
		}
		if len(out.Problems) == 0 && len(out.Objects) > 0 {
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
			line = strings.ReplaceAll(line, " Set --", " --") // the remedy is the command's
			if strings.Contains(line, "is not known. --") {
				line = strings.TrimSuffix(strings.ReplaceAll(line, " and --", " --"), ".")
			}
			want = append(want, line)
		}
		assert.ElementsMatch(t, want, said, file)
	}
}

// sample converts a sample as the command does, with the arguments that its comments name.
func sample(t *testing.T, file string) *objects.Output {
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
				in.Options[ReconcilePolicy] = key
			case "--credential-from":
				in.Options[CredentialFrom] = key
			default:
				t.Fatalf("%s: %s", file, words[i])
			}
		}
	}
	in.Program, err = expand.Expand(template, expand.Options{Context: x, Tolerant: true, SecretsApart: true, Places: result.Places})
	require.NoError(t, err, file)
	out, err := Convert(in)
	require.NoError(t, err, file)
	return out
}
