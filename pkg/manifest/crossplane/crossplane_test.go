package crossplane

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

func convertTemplate(template *armjson.Object, options map[string]string) (*objects.Output, error) {
	program, err := expand.Expand(template, expand.Options{
		Context: expand.Context{SubscriptionID: "s", ResourceGroup: "apps", AWSScope: "/planes/aws/aws/accounts/1/regions/eu-west-1"}, Tolerant: true,
		Limits: expand.Limits{Resources: 300, Copies: 100, Modules: 20},
	})
	if err != nil {
		return nil, err
	}
	return Convert(objects.Input{Program: program, Name: "main", Options: options})
}

// TestTable: every type has one kind, a name to find it by, and what its provider asks for.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for provider, list := range map[string][]kind{"": azure, "AWS": amazon, "GCP": google} {
		for _, one := range list {
			require.False(t, seen[strings.ToLower(one.armType)], one.armType)
			seen[strings.ToLower(one.armType)] = true
			k, why := find(provider, strings.ToUpper(one.armType))
			require.NotNil(t, k, why)
			require.NotEmpty(t, k.externalName, k.armType)
			require.True(t, strings.HasSuffix(k.group, ".m.upbound.io"), k.group)
			require.Equal(t, provider != "", k.byProperties)
		}
	}
	require.GreaterOrEqual(t, len(seen), 40)
	for armType := range impossible {
		require.False(t, seen[armType], armType)
		k, why := find(map[bool]string{true: "AWS"}[strings.HasPrefix(armType, "aws.")], armType)
		require.Nil(t, k)
		require.NotEmpty(t, why)
	}
}

// observed holds the objects to what makes them harmless: managed resources are observed
// only, but for the token of a cluster, and objects of Cluster API are annotated.
func observed(t *testing.T, list []*manifest.Object) {
	t.Helper()
	names := map[string]bool{}
	for _, o := range list {
		key := o.Group() + "/" + o.Kind + "/" + o.Name
		require.False(t, names[key], "two objects are called %s", key)
		names[key] = true
		require.True(t, manifest.IsSubdomain(o.Name), o.Name)
		require.True(t, Owns(manifest.Head{APIVersion: o.APIVersion, Kind: o.Kind}))
		spec := o.Root().Object("spec")
		switch {
		case strings.HasSuffix(o.Group(), capiGroup):
			require.Equal(t, "crossplane", o.Annotations[managedBy], key)
		case o.Kind == "ClusterAuth" || o.Group() == objectGroup:
		default:
			policies, _ := spec.Get("managementPolicies")
			require.Equal(t, armjson.Value(armjson.Array{armjson.String("Observe")}), policies, key)
			require.NotEmpty(t, o.Annotations["crossplane.io/external-name"], key)
		}
	}
}

func programs(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../../../testdata/targets/crossplane/*.bicep")
	require.NoError(t, err)
	out := map[string][]byte{}
	for _, file := range files {
		abs, err := filepath.Abs(file)
		require.NoError(t, err)
		result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: source.Disk{}, File: abs, Options: bicep.Options{Symbolic: true}})
		require.NoError(t, err)
		require.True(t, result.OK(), "%s: %v", file, result.Findings)
		out[file] = result.Template
	}
	return out
}

func TestObjectsAreHarmless(t *testing.T) {
	t.Parallel()
	for file, text := range programs(t) {
		template, err := bicep.ParseTemplate(text)
		require.NoError(t, err, file)
		for _, options := range []map[string]string{{}, {CapiPaused: "true"}} {
			out, err := convertTemplate(template, options)
			require.NoError(t, err, file)
			observed(t, out.Objects)
			for _, o := range out.Objects {
				_, isPaused := o.Annotations[paused]
				// Cluster API's own objects are never paused, so that it sees what becomes of the provider's.
				require.Equal(t, options[CapiPaused] == "true" && strings.HasSuffix(o.Group(), "."+capiGroup), isPaused, o.Kind)
				require.NotEqual(t, "AzureASOManagedControlPlane", o.Kind)
				if strings.HasSuffix(o.Group(), capiGroup) {
					require.Equal(t, "crossplane", o.Annotations[managedBy], o.Kind)
				}
			}
		}
	}
}

// FuzzConvert converts any template. It must not panic, and makes harmless objects only.
func FuzzConvert(f *testing.F) {
	for _, text := range programs(f) {
		f.Add(string(text))
	}
	if text, err := os.ReadFile("../../../testdata/existing/template.json"); err == nil {
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		template, err := bicep.ParseTemplate([]byte(text))
		if err != nil || template == nil {
			return
		}
		out, err := convertTemplate(template, nil)
		if err != nil || len(out.Problems) > 0 {
			return
		}
		observed(t, out.Objects)
	})
}
