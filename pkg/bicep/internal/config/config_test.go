package config_test

import (
	"fmt"
	"strings"
	"testing"

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
	if f := top.Features; !f.Assertions || f.WaitUntil {
		t.Errorf("/p: got %+v", f)
	}
	if f := leaf.Features; f.Assertions || !f.WaitUntil || !f.Patch {
		t.Errorf("/p/a: got %+v, want waitUntil and patch", f)
	}
	if len(leaf.Implicit) != 0 || len(top.Implicit) != 1 {
		t.Errorf("implicit extensions: got %v and %v", leaf.Implicit, top.Implicit)
	}
	if s, ok := leaf.Analyzers.Level("x"); !ok || s != diag.Error {
		t.Errorf("level of x: got %v, %v", s, ok)
	}
	if s, ok := leaf.Analyzers.Level("no-hardcoded-env-urls"); !ok || s != diag.Warning {
		t.Errorf("a built-in level was lost: got %v, %v", s, ok)
	}
	if builtIn.Path != "" || !builtIn.IsBuiltIn("radius") || !builtIn.IsBuiltIn("sys") || builtIn.IsBuiltIn("nope") {
		t.Errorf("built-in configuration: %+v", builtIn)
	}
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
		if got := strings.Join(codes, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestJSONMistakesHaveAPlace(t *testing.T) {
	t.Parallel()
	c := config.NewLoader(source.Memory{"/p/bicepconfig.json": "{\n  \"cloud\": {},\n  extensions: 1\n}"}).For("/p/main.bicep")
	if len(c.Problems) != 1 || !strings.Contains(c.Problems[0].Message(), "line 3, column 3") {
		t.Errorf("got %v", c.Problems)
	}
}

// The order is that of the list in the template.
func TestEngineFeatures(t *testing.T) {
	t.Parallel()
	f := config.Features{AzExtensionConfig: true, Assertions: true, ResourceInfoCodegen: true, Patch: true, OCI: true}
	got := strings.Join(f.Engine(), "; ")
	if want := "Resource info code generation; Asserts; Enable configuration for the built-in 'az' extension"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
