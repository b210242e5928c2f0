package manifest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
)

// TestManifestsWhole: a manifest of each shape with everything in it, as it is written.
func TestManifestsWhole(t *testing.T) {
	t.Parallel()
	o := manifest.Options{
		Name: "app", Namespace: "apps", Group: "g", AzureScope: "/subscriptions/s/resourceGroups/g", AWSScope: "/planes/aws/aws/accounts/1/regions/r",
		Labels: map[string]string{"b": "2", "a": "x"}, Annotations: map[string]string{"c": "y"},
		Template: []byte("{\n  \"parameters\": {\n    \"s\": {\"type\": \"string\"},\n    \"n\": {\"type\": \"int\"}, \"l\": {\"type\": \"array\"}\n  }\n}"),
		Comments: []string{"Made by rad", "from app.bicep"},
		Parameters: []manifest.Parameter{{Name: "s", Value: armjson.String("[x]")}, {Name: "n", Value: armjson.Int(7)},
			{Name: "l", Value: armjson.Array{armjson.String("[y]"), armjson.NewObject(armjson.Member{Key: "[k]", Value: armjson.String("[z")})}}},
	}
	design := o
	design.InSecret = []string{"pw", "key.2_B"}
	design.Parameters = append(o.Parameters[:2:2], manifest.Parameter{Name: "r", Reference: armjson.NewObject(armjson.Member{Key: "secretName", Value: armjson.String("x")})})
	assert.Equal(t, `# Made by rad
# from app.bicep
kind: DeploymentTemplate
apiVersion: radapp.io/v1alpha3
metadata:
  name: app
  namespace: apps
  labels:
    a: x
    b: "2"
  annotations:
    c: "y"
spec:
  template: |
    {
      "parameters": {
        "s": {"type": "string"},
        "n": {"type": "int"}, "l": {"type": "array"}
      }
    }
  parameters: |
    {
      "s": {
        "value": "[x]"
      },
      "n": {
        "value": 7
      },
      "r": {
        "reference": {
          "secretName": "x"
        }
      }
    }
  parametersFrom:
    - name: pw
      secretKeyRef:
        name: app
        key: pw
    - name: key.2_B
      secretKeyRef:
        name: app
        key: key.2_B
  providerConfig:
    radius:
      type: Radius
      value:
        scope: /planes/radius/local/resourceGroups/g
    az:
      type: AzureResourceManager
      value:
        scope: /subscriptions/s/resourceGroups/g
    aws:
      type: AWS
      value:
        scope: /planes/aws/aws/accounts/1/regions/r
    deployments:
      type: Microsoft.Resources
      value:
        scope: /planes/radius/local/resourceGroups/g
`, build(t, design))
	o.Target, o.AzureScope, o.AWSScope = manifest.Radius, "", ""
	assert.Equal(t, `# Made by rad
# from app.bicep
kind: DeploymentTemplate
apiVersion: radapp.io/v1alpha3
metadata:
  name: app
  namespace: apps
  labels:
    a: x
    b: "2"
  annotations:
    c: "y"
spec:
  template: |
    {
      "parameters": {
        "s": {
          "type": "string"
        },
        "n": {
          "type": "int",
          "defaultValue": 7
        },
        "l": {
          "type": "array",
          "defaultValue": [
            "[[y]",
            {
              "[[k]": "[z"
            }
          ]
        }
      }
    }
  parameters:
    s: "[x]"
  providerConfig: |
    {
      "radius": {
        "type": "Radius",
        "value": {
          "scope": "/planes/radius/local/resourceGroups/g"
        }
      },
      "deployments": {
        "type": "Microsoft.Resources",
        "value": {
          "scope": "/planes/radius/local/resourceGroups/g"
        }
      }
    }
`, build(t, o))
	assert.Equal(t, `kind: DeploymentTemplate
apiVersion: radapp.io/v1alpha3
metadata:
  name: a
spec:
  template: |
    {}
  parameters: |
    {}
`, build(t, manifest.Options{Name: "a", Template: []byte("\ufeff{}")}))
}

// TestTemplatesAsWritten: the compiler's text stays as it is, but for white space that a literal block does not keep.
func TestTemplatesAsWritten(t *testing.T) {
	t.Parallel()
	template := func(o manifest.Options) string {
		o.Name = "a"
		var m struct{ Spec struct{ Template string } }
		require.NoError(t, yaml.Unmarshal([]byte(build(t, o)), &m))
		return m.Spec.Template
	}
	for _, c := range []struct{ text, want, compact string }{
		{"{}", "{}\n", "{}\n"},
		{"{\n  \"a\": 1.0\n}", "{\n  \"a\": 1.0\n}\n", "{\"a\":1.0}\n"},
		{"\n \n{\r\n\t\"a\":  \"b\\\" /* c\" , \r\n\n  \"d\":1E2 }\n ", "{\n  \"a\":  \"b\\\" /* c\" ,\n\n  \"d\":1E2 }\n", "{\"a\":\"b\\\" /* c\",\"d\":1E2}\n"},
		{"{\r  \"a\": 1  \r}", "{\n  \"a\": 1\n}\n", "{\"a\":1}\n"},
		{"{ // note\n \"a\": [1, {}], /* x */ \"b\": \"http://x\"}", "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": \"http://x\"\n}\n", "{\"a\":[1,{}],\"b\":\"http://x\"}\n"},
		{"{\"a\": \"é\u007f\u0080\u009f\u00a0\u2028\u2029\ufeff\ufffe\uffff\ufffd\U00010000\U0010ffff~\"}", `{"a": "é\u007f\u0080\u009f` + "\u00a0" + `\u2028\u2029\ufeff\ufffe\uffff` + "\ufffd" + `\ud800\udc00\udbff\udfff~"}` + "\n", `{"a":"é\u007f\u0080\u009f` + "\u00a0" + `\u2028\u2029\ufeff\ufffe\uffff` + "\ufffd" + `\ud800\udc00\udbff\udfff~"}` + "\n"},
		{"{\"a\": \"0123456789\u007f\"}", "{\"a\": \"0123456789\\u007f\"}\n", "{\"a\":\"0123456789\\u007f\"}\n"},
	} {
		assert.Equal(t, c.want, template(manifest.Options{Template: []byte(c.text)}), "%q", c.text)
		assert.Equal(t, c.compact, template(manifest.Options{Template: []byte(c.text), Compact: true}), "%q", c.text)
	}
	const generated = `{"metadata":{"_generator":{"name":"bicep"},"k":1},"resources":{"m":{"type":"Microsoft.Resources/deployments@2022-09-01","properties":{"template":{"metadata":{"_generator":{}},"resources":[{"type":"microsoft.resources/deployments","properties":{"template":{"metadata":{"_generator":{}},"resources":[]}}}]}}},"o":{"type":"Other/type","properties":{"template":{"metadata":{"_generator":{}}}},"resources":[{"type":"Microsoft.Resources/deployments","properties":{"template":{"metadata":{"_generator":{}}}}}]}}}`
	const without = `{"metadata":{"k":1},"resources":{"m":{"type":"Microsoft.Resources/deployments@2022-09-01","properties":{"template":{"resources":[{"type":"microsoft.resources/deployments","properties":{"template":{"resources":[]}}}]}}},"o":{"type":"Other/type","properties":{"template":{"metadata":{"_generator":{}}}},"resources":[{"type":"Microsoft.Resources/deployments","properties":{"template":{}}}]}}}`
	assert.Equal(t, generated+"\n", template(manifest.Options{Template: []byte(generated), Compact: true}))
	assert.Equal(t, without+"\n", template(manifest.Options{Template: []byte(generated), Compact: true, DropGenerator: true}))
	const none = "{ \"resources\":\n[]}"
	assert.Equal(t, none+"\n", template(manifest.Options{Template: []byte(none), DropGenerator: true}), "without a generator the text stays")
	radius := manifest.Options{Target: manifest.Radius, Group: "g", Template: []byte("{ \"parameters\": {\"n\": {}}}"), Parameters: []manifest.Parameter{{Name: "n", Value: armjson.Null{}}}}
	assert.Equal(t, "{ \"parameters\": {\"n\": {}}}\n", template(radius), "null is as if it was not given")
}

// TestRefusals: why no manifest is made, whole.
func TestRefusals(t *testing.T) {
	t.Parallel()
	reference := armjson.NewObject()
	for _, c := range []struct {
		o      manifest.Options
		option manifest.Option
		want   string
	}{
		{manifest.Options{Template: []byte("{")}, "", "the template cannot be read as JSON: invalid JSON at offset 1: "},
		{manifest.Options{Template: []byte("[]")}, "", "the template is not a JSON object"},
		{manifest.Options{Target: manifest.Radius, Group: "g", Parameters: []manifest.Parameter{{Name: "p", Reference: reference}, {Name: "q", Value: armjson.String("")}}, InSecret: []string{"s"}}, manifest.OptionTarget,
			"parameter \"p\" refers to a secret in a key vault, which the manifests of Radius 0.43 to 0.60 cannot hold; give the parameter a default, read a secret store that exists instead\nparameter \"s\" refers to a Secret of the cluster, and Radius 0.43 to 0.60 reads none; give the parameter a default, read a secret store that exists instead"},
		{manifest.Options{Target: manifest.Radius, Group: "g", Parameters: []manifest.Parameter{{Name: "p", Value: armjson.Int(1)}}}, "", `the template declares no parameter "p"`},
		{manifest.Options{InSecret: []string{"a", "b c"}}, "", `parameter "b c": a Secret can have no key of this name; rename the parameter`},
	} {
		c.o.Name = "a"
		if c.o.Template == nil {
			c.o.Template = []byte("{}")
		}
		_, err := manifest.New(c.o)
		require.Error(t, err)
		assert.True(t, strings.HasPrefix(err.Error(), c.want), "%s", err)
		var wrong *manifest.OptionError
		if c.option != "" {
			require.ErrorAs(t, err, &wrong)
			assert.Equal(t, c.option, wrong.Option)
		}
	}
	for name, want := range map[string]bool{"a": true, "Z_9.-": true, "z": true, "A": true, "0": true, strings.Repeat("k", 253): true, strings.Repeat("k", 254): false, ".": false, "..": false, "...": true, "é": false, "a/b": false, "a`": false, "a{": false, "a@": false, "a[": false, "a:": false} {
		_, err := manifest.New(manifest.Options{Name: "a", Template: []byte("{}"), InSecret: []string{name}})
		assert.Equal(t, want, err == nil, name)
	}
}

// TestSizesAtTheLimits: the limits of a cluster at both sides, in bytes, and the messages.
func TestSizesAtTheLimits(t *testing.T) {
	t.Parallel()
	sized := func(fill int, o manifest.Options) (*manifest.Manifest, error) {
		o.Name, o.Template = "a", []byte(`{"v":"`+strings.Repeat("x", fill)+`"}`)
		return manifest.New(o)
	}
	stored := len(`{"kind":"DeploymentTemplate","apiVersion":"radapp.io/v1alpha3","metadata":{"name":"a"},"spec":{"template":"{\"v\":\"\"}\n","parameters":"{}\n"}}`)
	const most = 3 << 19
	_, err := sized(most-stored, manifest.Options{})
	require.NoError(t, err)
	_, err = sized(most-stored+1, manifest.Options{})
	var wrong *manifest.OptionError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, manifest.OptionError{Option: manifest.OptionCompact, Problem: "the manifest has 1.5 MiB (1572865 bytes), and a cluster stores at most 1.5 MiB (1572864 bytes) in one object"}, *wrong)
	_, err = sized(most-stored+1, manifest.Options{Compact: true})
	require.EqualError(t, err, "the manifest has 1.5 MiB (1572865 bytes), and a cluster stores at most 1.5 MiB (1572864 bytes) in one object; split the template")

	// A client-side apply adds its annotation, with the object, a line break, and what the object lacks in it.
	const apply = 256 << 10
	const key = "kubectl.kubernetes.io/last-applied-configuration"
	for _, c := range []struct {
		o    manifest.Options
		more int // bytes
	}{
		{manifest.Options{}, len("\n") + len(`"namespace":"default",`) + len(`"annotations":{},`)},
		{manifest.Options{Namespace: "apps"}, len("\n") + len(`"namespace":"apps",`) + len(`"annotations":{},`)},
		{manifest.Options{Namespace: "apps", Annotations: map[string]string{"k": "v", "kk": "vv"}}, len("\n") + len(`"namespace":"apps",`) + len(`"annotations":{"k":"v","kk":"vv"},`) + len("kvkkvv")},
		{manifest.Options{Namespace: "apps", Labels: map[string]string{"k": "v"}}, len("\n") + len(`"namespace":"apps",`) + len(`"annotations":{},`) + len(`"labels":{"k":"v"},`)},
	} {
		fill := apply - stored - len(key) - c.more
		m, err := sized(fill, c.o)
		require.NoError(t, err)
		assert.False(t, m.Large())
		assert.Empty(t, m.Warnings)
		m, err = sized(fill+1, c.o)
		require.NoError(t, err)
		assert.True(t, m.Large())
		require.Len(t, m.Warnings, 1)
		assert.Equal(t, manifest.CodeSize, m.Warnings[0].Code)
		assert.Regexp(t, `^the manifest has 256 KiB \(26\d{4} bytes\), and the annotation of a client-side apply holds 256 KiB \(262144 bytes\); use kubectl apply --server-side$`, m.Warnings[0].Text)
	}
	m, err := sized(1<<20-stored-1, manifest.Options{})
	require.NoError(t, err)
	assert.Contains(t, m.Warnings[0].Text, "the manifest has 1024 KiB (1048575 bytes)")
	m, err = sized(1<<20-stored, manifest.Options{})
	require.NoError(t, err)
	assert.Contains(t, m.Warnings[0].Text, "the manifest has 1.0 MiB (1048576 bytes)")
}

// TestSubstitution: ${ is told wherever it stands, unless Flux is told to leave the manifest alone.
func TestSubstitution(t *testing.T) {
	t.Parallel()
	const key = "kustomize.toolkit.fluxcd.io/substitute"
	for _, c := range []struct {
		o    manifest.Options
		want bool
	}{
		{manifest.Options{Template: []byte(`{"a":"$ {$}"}`)}, false},
		{manifest.Options{Template: []byte(`{"a":["${x}"]}`)}, true},
		{manifest.Options{Template: []byte(`{"${a":1}`)}, true},
		{manifest.Options{Parameters: []manifest.Parameter{{Name: "p", Value: armjson.String("${x}")}}}, true},
		{manifest.Options{Annotations: map[string]string{"k": "${x}"}}, true},
		{manifest.Options{Target: manifest.Radius, Group: "g", Parameters: []manifest.Parameter{{Name: "${", Value: armjson.String("x")}}}, true},
		{manifest.Options{Template: []byte(`{"a":"${x}"}`), Annotations: map[string]string{key: "disabled"}}, false},
		{manifest.Options{Template: []byte(`{"a":"${x}"}`), Annotations: map[string]string{key: "enabled"}}, true},
	} {
		c.o.Name = "a"
		if c.o.Template == nil {
			c.o.Template = []byte("{}")
		}
		m, err := manifest.New(c.o)
		require.NoError(t, err)
		if !c.want {
			assert.Empty(t, m.Warnings)
			continue
		}
		assert.Equal(t, []manifest.Warning{{Code: manifest.CodeSubstitution, Text: "the manifest contains ${, which Flux replaces where postBuild substitution is on; the annotation " + key + "=disabled prevents it"}}, m.Warnings)
	}
}

// TestTextsAsYAML: a text has quotes where a reader might take it for something else, is a block where it has lines,
// and comes back as it was.
func TestTextsAsYAML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a": "a", "Z9": "Z9", "/a.b-c_d": "/a.b-c_d", "a/b": "a/b", strings.Repeat("a", 120): strings.Repeat("a", 120), strings.Repeat("a", 121): `"` + strings.Repeat("a", 121) + `"`,
		"": `""`, "1": `"1"`, "1a": `"1a"`, "0x1f": `"0x1f"`, "-a": `"-a"`, ".a": `".a"`, "_a": `"_a"`, "a b": `"a b"`, "a:b": `"a:b"`, "a#": `"a#"`, "é": `"é"`, "/": `"/"`, "//": `"//"`, "/1": `"/1"`, "a@": `"a@"`, "a[": `"a["`, "a`": "\"a`\"", "a{": `"a{"`,
		"true": `"true"`, "False": `"False"`, "YES": `"YES"`, "no": `"no"`, "on": `"on"`, "off": `"off"`, "y": `"y"`, "N": `"N"`, "null": `"null"`, "truer": "truer", "nan": "nan",
		"a\n": "|\n  a", "a\n\n": `"a\n\n"`, "\n": `"\n"`, "a\nb": `"a\nb"`, " a\n": `" a\n"`, "\na\n": `"\na\n"`, "a \n": `"a \n"`, "a \nb\n": `"a \nb\n"`, "a\n b\n\nc: d # e\n": "|\n  a\n   b\n\n  c: d # e",
		"é\u00a0漢\n": "|\n  é\u00a0漢", "a\t\n": `"a\t\n"`, "a\r\n": `"a\r\n"`, "\x7f\n": `"\x7F\n"`, "\u0085\n": `"\N\n"`, "\u2028\n": `"\L\n"`, "\ufeff\n": `"\uFEFF\n"`, "\ufffd\n": "|\n  \ufffd", "~\n": "|\n  ~",
	} {
		o := &manifest.Object{APIVersion: "v1", Kind: "Box", Name: "b", Fields: []armjson.Member{{Key: "k", Value: armjson.String(text)}}}
		out, err := manifest.RenderObjects([]*manifest.Object{o}, nil, manifest.YAML)
		require.NoError(t, err)
		_, got, _ := strings.Cut(string(out), "\nk: ")
		assert.Equal(t, want+"\n", got, "%q", text)
		var back struct{ K string }
		require.NoError(t, yaml.Unmarshal(out, &back))
		assert.Equal(t, text, back.K)
	}
	o := &manifest.Object{APIVersion: "v1", Kind: "Box", Name: "b", Fields: []armjson.Member{{Key: "k", Value: armjson.NewObject(
		armjson.Member{Key: "o", Value: armjson.NewObject()}, armjson.Member{Key: "a", Value: armjson.Array{}}, armjson.Member{Key: "no", Value: armjson.Array{armjson.Null{}, armjson.Bool(true), armjson.Number("1.50"), armjson.Array{armjson.Int(1)}}})}}}
	out, err := manifest.RenderObjects([]*manifest.Object{o}, nil, manifest.YAML)
	require.NoError(t, err)
	assert.Equal(t, "  o: {}\n  a: []\n  \"no\":\n    - null\n    - true\n    - 1.50\n    - - 1\n", string(out)[strings.Index(string(out), "  o:"):])
}

// TestComments: a comment is one line of text that YAML allows. JSON has none.
func TestComments(t *testing.T) {
	t.Parallel()
	m, err := manifest.New(manifest.Options{Name: "a", Template: []byte("{}"), Comments: []string{"a\x00b\x1fc d\x7fe\u0085f\u009fg\u00a0h\u2028i\u2029j\ufeffk\ufffel\uffffm\xffn", "  two \t", "", "é~"}})
	require.NoError(t, err)
	text, err := m.Render(manifest.YAML)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(text), "# a b c d e f g\u00a0h i j k l m n\n#   two\n#\n# é~\nkind: "), "%q", string(text)[:90])
	text, err = m.Render(manifest.JSON)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(text), "{\n  \"kind\": "))
}

// TestResourcesThatGoWrong: what Radius would refuse, lose or never finish, whole.
func TestResourcesThatGoWrong(t *testing.T) {
	t.Parallel()
	resource := func(fields string) string {
		return `{"import":"radius","type":"Applications.Core/containers@2023-10-01-preview",` + fields + `}`
	}
	template := func(resources ...string) []byte {
		return []byte(`{"parameters":{"p":{"type":"string","defaultValue":"by_default"},"c":{"type":"string","defaultValue":"[x()]"}},"variables":{"v":"by_variable","w":"[x()]"},"resources":[` + strings.Join(resources, ",") + `]}`)
	}
	named := func(name string) string { return resource(`"properties":{"name":"` + name + `"}`) }
	const rule = " is not a name for a resource of the type Applications.Core/containers: Radius takes letters, digits and -, at most 63, the first a letter and the last no -"
	var many, first []string
	for i := range 12 {
		many = append(many, named(fmt.Sprintf("a_%d", i)))
		first = append(first, fmt.Sprintf(`"a_%d"`, i)+rule)
	}
	module := func(parameters string, inner ...string) string {
		return `{"type":"Microsoft.Resources/deployments","name":"m","properties":{"parameters":{` + parameters + `},"template":` + string(template(inner...)) + `}}`
	}
	for _, c := range []struct {
		template []byte
		target   manifest.Target
		want     string
	}{
		{template(named("a_1")), "", `"a_1"` + rule},
		{template(many[:10]...), "", strings.Join(first[:10], "; ")},
		{template(many[:11]...), "", strings.Join(first[:10], "; ") + "; and 1 more"},
		{template(many...), "", strings.Join(first[:10], "; ") + "; and 2 more"},
		{template(named("a/b/c_d")), "", `"c_d"` + rule},
		{template(named("a/")), "", `""` + rule},
		{template(named("A/b")), "", ""},
		{template(named("a/B")), manifest.Radius, `"B" is not a name for a resource of the type Applications.Core/containers: Radius 0.43 to 0.60 takes lower-case letters only`},
		{template(named("[parameters('p')]")), "", `"by_default"` + rule},
		{template(named("[parameters('P')]")), "", ""},
		{template(named("[parameters('c')]")), "", ""},
		{template(named("[variables('v')]")), "", `"by_variable"` + rule},
		{template(named("[variables('w')]")), "", ""},
		{template(named("[variables('x')]")), "", ""},
		{template(named("[other('v')]")), "", ""},
		{template(module(`"P":{"value":"in_module"}`, named("[parameters('p')]"))), "", `"in_module"` + rule},
		{template(module(`"p":{"value":"[parameters('p')]"}`, named("[parameters('p')]"))), "", `"by_default"` + rule},
		{template(module(`"p":{"value":"[variables('v')]"}`, named("[parameters('p')]"))), "", `"by_variable"` + rule},
		{template(module(`"p":{"value":"fine"}`, named("[parameters('p')]"))), "", ""},
		{template(module(`"p":{"value":"[x()]"}`, named("[parameters('p')]"))), "", `"by_default"` + rule},
		{template(module(`"p":1`, named("in_it"))), "", `"in_it"` + rule},
		{template(resource(`"properties":{"name":"fine"},"resources":[` + named("child_1") + `]`)), "", `"child_1"` + rule},
		{template(resource(`"existing":true,"properties":{"name":"a_1"}`)), "", ""},
		{template(strings.Replace(named("a_1"), `"import"`, `"extension"`, 1)), "", `"a_1"` + rule},
		{template(`{"type":"applications.core/containers","name":"a_1"}`), "", strings.Replace(`"a_1"`+rule, "Applications.C", "applications.c", 1)},
		{template(`{"type":"radius.core/x@1","name":"a_1"}`), "", strings.Replace(`"a_1"`+rule, "Applications.Core/containers", "radius.core/x", 1)},
		{template(`{"type":"Radiu.core/x@1","name":"a_1"}`), "", ""},
		{template(`{"name":"a_1"}`, `1`), "", ""},
		{template(`{"type":"Microsoft.Resources/deployments","name":"m"}`), "", ""},
	} {
		_, err := manifest.New(manifest.Options{Name: "a", Group: "g", Target: c.target, Template: c.template, AzureScope: "/subscriptions/s/resourceGroups/g"})
		if c.want == "" {
			assert.NoError(t, err, string(c.template))
		} else {
			assert.EqualError(t, err, c.want, string(c.template))
		}
	}
}

// TestNamesThatAreComputed: where a name is not written out, the names that the program computes are checked. Secret
// ones are not shown.
func TestNamesThatAreComputed(t *testing.T) {
	t.Parallel()
	const rule = ": Radius takes letters, digits and -, at most 63, the first a letter and the last no -"
	names := func() []manifest.ResourceName {
		return []manifest.ResourceName{{Type: "Applications.Core/containers", Name: "a_1"}, {Type: "Microsoft.Storage/x", Name: "b_1"}, {Type: "Radius.Core/x", Name: "c_1"}, {Type: "Radius.Core/x", Name: "ok"}}
	}
	computed := []byte(`{"parameters":{"s":{"type":"string"}},"resources":[{"type":"Applications.Core/containers","name":"[x()]"}]}`)
	o := manifest.Options{Name: "a", Template: computed, Names: names}
	_, err := manifest.New(o)
	require.EqualError(t, err, `"a_1" is not a name for a resource of the type Applications.Core/containers`+rule+`; "c_1" is not a name for a resource of the type Radius.Core/x`+rule)
	o.Parameters, o.Secure = []manifest.Parameter{{Name: "S", Value: armjson.String("a_1")}}, []string{"s"}
	_, err = manifest.New(o)
	require.EqualError(t, err, `"c_1" is not a name for a resource of the type Radius.Core/x`+rule)
	o.Names = nil
	_, err = manifest.New(o)
	require.NoError(t, err)
	o.Names, o.Template = names, []byte(`{"resources":[{"type":"Applications.Core/containers","name":"fine"}]}`)
	_, err = manifest.New(o)
	require.NoError(t, err, "all names are written out")
	o.Template = []byte(`{"parameters":{"s":{"type":"string"}},"resources":[{"type":"Applications.Core/containers","name":"[parameters('s')]"}]}`)
	_, err = manifest.New(o)
	require.NoError(t, err, "a secret name is not shown")
	o.Secure, o.Parameters[0].Mark = nil, 1
	_, err = manifest.New(o)
	require.NoError(t, err, "nor one of the environment")
	o.Parameters[0].Mark = 0
	_, err = manifest.New(o)
	require.EqualError(t, err, `"a_1" is not a name for a resource of the type Applications.Core/containers`+rule)
}

// TestWarningsWhole: each warning, with its text, its option and its order.
func TestWarningsWhole(t *testing.T) {
	t.Parallel()
	radius := func(kind, name string) string {
		return `{"import":"r","type":"` + kind + `","properties":{"name":"` + name + `"}}`
	}
	template := []byte(`{"resources":[` + strings.Join([]string{
		radius("Radius.Core/b@1", "one"), radius("Radius.Core/a@1", "two"), radius("radius.core/B@2", "three"),
		`{"type":"Microsoft.Z/z@1","name":"z"}`, `{"type":"Microsoft.A/a@1","name":"z"}`, `{"type":"microsoft.z/Z@1","name":"z"}`, `{"type":"AWS.S3/b@default","name":"z"}`, `{"type":"aws.S3/a@default","name":"z"}`, `{"type":"Other.A/a","name":"z"}`,
		radius("Applications.Core/b@1", "shared"), radius("Applications.Core/a@1", "Shared"), radius("Applications.Core/a@1", "same"), radius("Applications.Core/A@1", "same"),
		strings.Replace(radius("Applications.Core/c@1", "shared"), `"import":"r"`, `"existing":true,"import":"r"`, 1),
		radius("Applications.Core/b@1", "[x()]"), strings.Replace(radius("Radius.Core/a@1", "[x()]"), "import", "extension", 1), radius("Applications.Core/b@1", "[X()]"),
		`{"type":"Applications.Core/d@1","name":"shared"}`, radius("Other.Core/d@1", "shared"),
		strings.Replace(radius("Applications.Core/e@1", "shared"), `"import":"r"`, `"copy":{},"import":"r"`, 1), radius("Applications.Core/e@1", ""), radius("Applications.Core/f@1", ""),
		`{"type":"Microsoft.Resources/deployments","name":"shared","properties":{"template":{"resources":{"a":` + radius("Applications.Core/m@1", "two") + `,"b":` + radius("Applications.Core/m@1", "[x()]") + `}}}}`,
		`{"n":[9007199254740993,9007199254740992,-9007199254740994,9007199254740993]}`,
	}, ",") + `]}`)
	collision := func(types, name string) manifest.Warning {
		return manifest.Warning{Code: manifest.CodeCollision, Text: "resources of the types " + types + ` have one name, "` + name + `"; Radius names objects after that name alone, so all but one of them would fail`}
	}
	scope := func(of, kind string, o manifest.Option) manifest.Warning {
		return manifest.Warning{Code: manifest.CodeScope, Text: "the template has a resource of " + of + ", of the type " + kind + ", and the manifest does not say where it goes", Option: o}
	}
	collisions := []manifest.Warning{
		collision("Applications.Core/b and Radius.Core/a", "[x()]"),
		collision("Applications.Core/a and Applications.Core/b", "shared"),
		collision("Applications.Core/m and Radius.Core/a", "two"),
	}
	scopes := []manifest.Warning{
		scope("Azure", "Microsoft.A/a", manifest.OptionAzureScope), scope("Azure", "Microsoft.Z/z", manifest.OptionAzureScope),
		scope("AWS", "AWS.S3/b", manifest.OptionAWSScope), scope("AWS", "aws.S3/a", manifest.OptionAWSScope),
	}
	o := manifest.Options{Name: "a", Group: "g", Template: template}
	m, err := manifest.New(o)
	require.NoError(t, err)
	assert.Equal(t, append(scopes, collisions...), m.Warnings)
	o.AzureScope = "/subscriptions/s/resourceGroups/g"
	m, err = manifest.New(o)
	require.NoError(t, err)
	assert.Equal(t, append(scopes[2:4:4], collisions...), m.Warnings)
	o.AWSScope = "/planes/aws/aws/accounts/1/regions/r"
	m, err = manifest.New(o)
	require.NoError(t, err)
	assert.Equal(t, collisions, m.Warnings)
	o.Target, o.Template = manifest.Radius, []byte(strings.ReplaceAll(string(template), "Shared", "shared"))
	m, err = manifest.New(o)
	require.NoError(t, err)
	endless := func(kind string) manifest.Warning {
		return manifest.Warning{Code: manifest.CodeDeletion, Text: "the deletion of a resource of the type " + kind + " does not end: the controllers of Radius 0.43 to 0.60 cannot finish it"}
	}
	assert.Equal(t, append([]manifest.Warning{endless("Radius.Core/a"), endless("Radius.Core/b"),
		{Code: manifest.CodeNumber, Text: "the manifest holds the number 9007199254740993 as it is, but Radius 0.43 to 0.60 carries integers exactly up to 9007199254740992 only; pass it as a string"},
		{Code: manifest.CodeNumber, Text: "the number -9007199254740994 is beyond 9007199254740992, up to which Radius 0.43 to 0.60 carries every integer; this one arrives as it is"},
	}, collisions...), m.Warnings)
}

// TestNumbersOfRadius: which numbers released Radius carries, and what is said of others.
func TestNumbersOfRadius(t *testing.T) {
	t.Parallel()
	nines := strings.Repeat("9", 40)
	for number, want := range map[string]string{
		"9007199254740992": "", "-9007199254740992": "", "1.5": "", "0.1": "", "0": "", "0e999": "", "1e-300": "", "9007199254740993.5": "",
		"9007199254740993": "inexact", "9007199254740994": "exact", "1e300": "inexact", "18014398509481984": "exact", "9007199254740994.0": "exact",
		nines: "inexact", nines + "9": "inexact",
		"1e400": "beyond", "-1e400": "beyond", "1e-400": "beyond", "1." + strings.Repeat("0", 998): "", "1." + strings.Repeat("0", 999): "beyond",
	} {
		shown := number
		if len(number) > 40 {
			shown = number[:40] + "…"
		}
		m, err := newManifest(manifest.Radius, `{"type": "x", "n": [`+number+`]}`)
		if want == "beyond" {
			assert.EqualError(t, err, "the number "+shown+" is beyond what Radius 0.43 to 0.60 can carry", number)
			continue
		}
		require.NoError(t, err, number)
		got := ""
		if len(m.Warnings) > 0 {
			require.Len(t, m.Warnings, 1)
			assert.Equal(t, manifest.CodeNumber, m.Warnings[0].Code)
			got = m.Warnings[0].Text
		}
		switch want {
		case "exact":
			assert.Equal(t, "the number "+shown+" is beyond 9007199254740992, up to which Radius 0.43 to 0.60 carries every integer; this one arrives as it is", got, number)
		case "inexact":
			assert.Equal(t, "the manifest holds the number "+shown+" as it is, but Radius 0.43 to 0.60 carries integers exactly up to 9007199254740992 only; pass it as a string", got, number)
		default:
			assert.Empty(t, got, number)
		}
	}
	_, err := newManifest(manifest.Radius, `{"type": "x", "n": [1e400, 1e500]}`)
	assert.EqualError(t, err, "the number 1e400 is beyond what Radius 0.43 to 0.60 can carry\nthe number 1e500 is beyond what Radius 0.43 to 0.60 can carry")

	// The values of parameters count, and secret ones are not shown.
	value := armjson.Array{armjson.NewObject(armjson.Member{Key: "k", Value: armjson.Int(math.MaxInt64)})}
	given := func(o *manifest.Options) {
		o.Template = []byte(`{"parameters": {"l": {"type": "array"}}, "resources": []}`)
		o.Parameters = []manifest.Parameter{{Name: "l", Value: value}}
	}
	m, err := newManifest(manifest.Radius, "{}", given)
	require.NoError(t, err)
	require.Len(t, m.Warnings, 1)
	assert.Contains(t, m.Warnings[0].Text, "9223372036854775807")
	for _, hide := range []func(o *manifest.Options){func(o *manifest.Options) { o.Secure = []string{"l"} }, func(o *manifest.Options) { o.Parameters[0].Mark = 1 }} {
		m, err = newManifest(manifest.Radius, "{}", given, hide)
		require.NoError(t, err)
		assert.Empty(t, m.Warnings)
	}
}

// TestResourceTypes: the types of a template and of its modules, in their order.
func TestResourceTypes(t *testing.T) {
	t.Parallel()
	template := parseObject(t, `{"resources":{"a":{"type":"A.B/c@1","resources":[{"type":"A.B/c/d"}]},"m":{"type":"Microsoft.Resources/deployments","properties":{"template":{"resources":[{"type":"E/f"}]}}},"e":{"existing":true,"type":"G/h@2"},"x":1}}`)
	assert.Equal(t, []string{"A.B/c", "A.B/c/d", "E/f", "G/h"}, manifest.ResourceTypes(template))
	assert.Empty(t, manifest.ResourceTypes(parseObject(t, `{"resources":1}`)))
}

func parseObject(t *testing.T, text string) *armjson.Object {
	t.Helper()
	v, err := armjson.Parse(text, armjson.Options{})
	require.NoError(t, err)
	return v.(*armjson.Object)
}
