package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func TestNearestFileWinsAndExtends(t *testing.T) {
	t.Parallel()
	l := config.NewLoader(source.Memory{
		"/p/bicepconfig.json":   `{"experimentalFeaturesEnabled": {"assertions": true, "unknown": 1}}`,
		"/p/a/bicepconfig.json": `{"extends": "../base/b.json", /* mine */ "experimentalFeaturesEnabled": {"patch": true, "waitUntil": null}, "analyzers": {"core": {"rules": {"x": {"level": "ERROR"}}}}}`,
		"/p/base/b.json":        `{"experimentalFeaturesEnabled": {"waitUntil": true, "patch": false}, "implicitExtensions": []}`,
	})
	top, leaf, builtIn := l.For("/p/main.bicep"), l.For("/p/a/deep/er/main.bicep"), l.For("/main.bicep")
	f := top.Features
	require.True(t, f.Assertions, "/p: got %+v", f)
	require.False(t, f.WaitUntil, "/p: got %+v", f)
	f = leaf.Features
	require.False(t, f.Assertions, "/p/a: got %+v, want waitUntil and patch", f)
	require.True(t, f.WaitUntil, "/p/a: got %+v, want waitUntil and patch", f)
	require.True(t, f.Patch, "/p/a: got %+v, want waitUntil and patch", f)
	require.Empty(t, leaf.Implicit, "implicit extensions: got %v and %v", leaf.Implicit, top.Implicit)
	require.Len(t, top.Implicit, 1, "implicit extensions: got %v", leaf.Implicit)
	s, ok := leaf.Analyzers.Level("x")
	require.True(t, ok, "level of x: got %v, %v", s, ok)
	require.Equal(t, diag.Error, s, "level of x: got %v, %v", s, ok)
	s, ok = leaf.Analyzers.Level("no-hardcoded-env-urls")
	require.True(t, ok, "a built-in level was lost: got %v, %v", s, ok)
	require.Equal(t, diag.Warning, s, "a built-in level was lost: got %v, %v", s, ok)
	require.Empty(t, builtIn.Path, "built-in configuration: %+v", builtIn)
	require.True(t, builtIn.IsBuiltIn("radius"), "built-in configuration: %+v", builtIn)
	require.True(t, builtIn.IsBuiltIn("sys"), "built-in configuration: %+v", builtIn)
	require.False(t, builtIn.IsBuiltIn("nope"), "built-in configuration: %+v", builtIn)
}

func TestProblems(t *testing.T) {
	t.Parallel()
	deep := source.Memory{}
	for i := range 70 {
		deep[fmt.Sprintf("/p/%d.json", i)] = fmt.Sprintf(`{"extends": "%d.json"}`, i+1)
	}
	deep["/p/70.json"] = "{}"
	deep["/p/bicepconfig.json"] = `{"extends": "0.json"}`
	for _, test := range []struct {
		text  string
		files source.Memory
		want  string
	}{
		{"{", nil, "BCP271"},
		{`{"extensions": {},}`, nil, "BCP271"},
		{"[]", nil, "BCP273"},
		{`{"extends": 1}`, nil, "BCP273"},
		{`{"extensions": {"mine": 1}}`, nil, "BCP273"},
		{`{"experimentalFeaturesEnabled": {"patch": "yes"}}`, nil, "BCP273"},
		{`{"cloud": {"currentProfile": "Mine"}}`, nil, "BCP273"},
		{`{"cloud": {"credentialPrecedence": ["Password"]}}`, nil, "BCP273"},
		{`{"cloud": {"credentialPrecedence": ["azurecli", "ManagedIdentity"], "credentialOptions": {"managedIdentity": {"type": "UserAssigned", "clientId": "00000000-0000-0000-0000-00000000000A"}}}}`, nil, ""},
		{`{"cloud": {"credentialOptions": {"managedIdentity": {"type": "UserAssigned"}}}}`, nil, "BCP273"},
		{`{"cloud": {"credentialOptions": {"managedIdentity": {"type": "UserAssigned", "clientId": "me"}}}}`, nil, "BCP273"},
		{`{"cloud": {"credentialOptions": {"managedIdentity": {"type": "SystemAssigned", "clientId": "ignored"}}}}`, nil, ""},
		{`{"analyzers": {"core": []}}`, nil, "BCP273"},
		{`{"analyzers": {"core": {"enabled": "false"}}}`, nil, "BCP273"},
		{`{"analyzers": {"core": {"verbose": 1}}}`, nil, "BCP273"},
		{`{"analyzers": {"core": {"rules": []}}}`, nil, "BCP273"},
		{`{"analyzers": {"core": {"rules": {"no-unused-params": "off"}}}}`, nil, "BCP273"},
		{`{"analyzers": {"core": {"rules": {"no-unused-params": {"level": 3}}}}}`, nil, "BCP273"},
		{`{"analyzers": {"core": {"rules": {"no-unused-params": {"level": null}}}}}`, nil, "BCP273"},
		{`{"analyzers": {"core": {"enabled": null, "rules": {"no-hardcoded-env-urls": {"level": null}}}}}`, nil, ""},
		{`{"analyzers": {"core": {"rules": {"no-unused-params": {"level": "Off"}, "//": "a comment"}}}}`, nil, ""},
		{`{"extends": "none.json"}`, nil, "BCP272"},
		{`{"extends": "/abs.json"}`, nil, "BCP453"},
		{`{"extends": "./bicepconfig.json"}`, nil, "BCP454"},
		{"", deep, "BCP455"},
		{`{"extends": null}`, nil, ""},
	} {
		files := test.files
		if files == nil {
			files = source.Memory{"/p/bicepconfig.json": test.text}
		}
		c := config.NewLoader(files).For("/p/main.bicep")
		var codes []string
		for _, p := range c.Problems {
			codes = append(codes, p.Code())
		}
		assert.Equal(t, test.want, strings.Join(codes, " "), test.text)
	}
}

func TestJSONMistakesHaveAPlace(t *testing.T) {
	t.Parallel()
	c := config.NewLoader(source.Memory{"/p/bicepconfig.json": "{\n  \"cloud\": {},\n  extensions: 1\n}"}).For("/p/main.bicep")
	require.Len(t, c.Problems, 1)
	require.Contains(t, c.Problems[0].Message(), "line 3, column 3", "got %v", c.Problems)
}

// The order is that of the list in the template.
func TestEngineFeatures(t *testing.T) {
	t.Parallel()
	f := config.Features{AzExtensionConfig: true, Assertions: true, ResourceInfoCodegen: true, Patch: true, OCI: true}
	got := strings.Join(f.Engine(), "; ")
	assert.Equal(t, "Resource info code generation; Asserts; Enable configuration for the built-in 'az' extension", got)
}
