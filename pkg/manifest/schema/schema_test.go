package schema_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/schema"
)

// object reads an object of YAML.
func object(t *testing.T, text string) (o *manifest.Object, group, version string) {
	t.Helper()
	list, ok := manifest.ReadObjects([]byte(text))
	require.True(t, ok && len(list) == 1, text)
	root := list[0]
	o = &manifest.Object{APIVersion: root.Str("apiVersion"), Kind: root.Str("kind"), Metadata: root.Object("metadata")}
	for name, v := range root.All() {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			o.Fields = append(o.Fields, armjson.Member{Key: name, Value: v})
		}
	}
	group, version, ok = strings.Cut(o.APIVersion, "/")
	if !ok {
		group, version = "", group
	}
	return o, group, version
}

// TestCheck: what a kube-apiserver 1.36 says of each of these is the same, but for the fields that it may not know.
func TestCheck(t *testing.T) {
	t.Parallel()
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: b"
	for _, c := range []struct{ text, want string }{
		{pod + "}]}", ""},
		{pod + ", resources: {limits: {cpu: 1, memory: 1.5Gi}}, ports: [{containerPort: 80, name: x}]}]}", ""},
		{pod + ", livenessProbe: {httpGet: {port: x}}, readinessProbe: {httpGet: {port: 80}}}]}", ""},
		{pod + ", imge: c}]}", `spec/containers/0/imge is no field of Pod (v1); did you mean "image"?`},
		{pod + ", somethingNew: c}]}", `spec/containers/0/somethingNew is no field of Pod (v1) in Kubernetes 1.34; a newer cluster may have it (doubtful)`},
		{pod + ", env: [{value: x}]}]}", "spec/containers/0/env/0 lacks name, which is required"},
		{pod + ", tty: 'yes'}]}", `spec/containers/0/tty is "yes"; want true or false`},
		{pod + ", ports: [{containerPort: 3000000000}]}]}", "spec/containers/0/ports/0/containerPort is 3000000000; want at most 2147483647"},
		{pod + ", ports: [{containerPort: 1.5}]}]}", "spec/containers/0/ports/0/containerPort is 1.5; want an integer"},
		{pod + ", resources: {limits: {cpu: a lot}}}]}", `spec/containers/0/resources/limits/cpu is "a lot"; want a quantity, such as 500m or 1Gi`},
		{pod + ", livenessProbe: {httpGet: {port: true}}}]}", "spec/containers/0/livenessProbe/httpGet/port is true; want an integer or a text"},
		{pod + ", args: x}]}", `spec/containers/0/args is "x"; want an array`},
		{pod + ", securityContext: x}]}", `spec/containers/0/securityContext is "x"; want an object`},
		{"apiVersion: v1\nkind: Secret\nmetadata: {name: a, labels: {a: 1}}\ndata: {a: b}\n", "metadata/labels/a is 1; want a text\ndata/a is \"b\"; want base64, such as base64() gives"},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nspec: {}\n", "spec is no field of ConfigMap (v1) in Kubernetes 1.34; a newer cluster may have it (doubtful)"},
		{"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {}}\n", "spec lacks selector, which is required"},
		{"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, labels: {ok/a: '', a b: c}}\nspec: {selector: {}, template: {metadata: {labels: {id: /planes/x}}, " +
			"spec: {containers: []}}}\n", "metadata/labels/a b has no key that labels take; want name or domain/name of letters, digits, -, _ and ., at most 63 of them\n" +
			`spec/template/metadata/labels/id is "/planes/x"; want at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit`},
		{"apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: a}\nspec: {gatewayClassName: a, addresses: [{value: 1.1.1.1}], listeners: [{name: a, port: 80, protocol: HTTP}]}\n", ""},
		{"apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: a}\nroleRef: {kind: Role, name: b}\n", ""},
		{"apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: a}\n", ""},
		{"apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec: {rules: [{matches: [{method: FETCH}]}], hostnames: [A_b]}\n",
			"spec/hostnames/0 is \"A_b\"; want a text that matches ^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$\n" +
				`spec/rules/0/matches/0/method is "FETCH"; want "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE" or "PATCH"`},
		{"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {size: 2, any: {a: b}, one: {b: x}, colour: null}\n", `spec/colour is null; want a text`},
		{"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {one: {}}\n", "spec/one is {}; want exactly one of the forms that its schema (oneOf) takes\nspec lacks size, which is required"},
		{"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {size: 0, sizes: 1}\n", "spec/size is 0; want at least 1\n" + `spec/sizes is no field of Thing (example.com/v1); did you mean "size"?`},
		{"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {size: 1, few: [b], map: {}, part: 0.5}\n", ""},
		{"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {size: 1, few: [a, a], map: {a: b}}\n", ""},
		{"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {size: 1, few: [a, b], part: 0}\n", "spec/few is [\"a\",\"b\"]; want exactly one of the forms that its schema (oneOf) takes\nspec/part is 0; want more than 0"},
		{"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {size: 1, few: [a, a, a], part: 1}\n", "spec/few is [\"a\",\"a\",\"a\"]; want anything but what its schema excludes (not)\nspec/part is 1; want less than 1"},
	} {
		kinds := &schema.Kinds{}
		text, err := os.ReadFile("../../../testdata/targets/kubernetes/crds/thing.yaml")
		require.NoError(t, err)
		list, ok := manifest.ReadObjects(text)
		require.True(t, ok && kinds.Add(list[0]))
		o, group, version := object(t, c.text)
		kind := kinds.Find(group, version, o.Kind)
		require.NotNil(t, kind, c.text)
		var said []string
		for _, p := range kind.Check(o) {
			line := strings.Join(p.Path, "/") + " " + p.Text
			if p.Doubtful {
				line += " (doubtful)"
			}
			said = append(said, line)
		}
		want := strings.Split(c.want, "\n")
		slices.Sort(said)
		slices.Sort(want)
		assert.Equal(t, strings.Join(want, "\n"), strings.Join(said, "\n"), c.text)
	}
}

// TestReadDefinitions: CRDs are found however a file is written, and a file that is cut off is told.
func TestReadDefinitions(t *testing.T) {
	t.Parallel()
	const versions = "  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        description: |\n          - a: b\n\n          c\n        type: object\n" +
		"    served: true # still\n  - name: v2\n    served: false\n    schema: {openAPIV3Schema: {type: object}}\n"
	const spec = "spec:\n  group: example.com # ours\n  names: {kind: Thing, plural: things}\n" + versions
	const block = "spec:\n  group: 'example.com'\n  # the names\n  names:\n    kind: \"Thing\"\n    plural: things\n" + versions
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	indented := func(s string) string { return "- " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n  ") + "\n" }
	asJSON := func(s string) string {
		text, err := yaml.YAMLToJSON([]byte(s))
		require.NoError(t, err)
		return string(text)
	}
	list := "apiVersion: v1\nitems:\n" + indented("kind: Pod\n") + indented(head+block) + "kind: List\n"
	bare := "apiVersion: apiextensions.k8s.io/v1\nitems:\n" + indented(block) + "kind: CustomResourceDefinitionList\n"
	for _, text := range []string{
		head + spec, head + block, "# first\n---\n" + head + "# and\n" + block, "kind: Pod\n--- # next\n" + head + block + "---\n", list, bare,
		strings.ReplaceAll(head+block, "\n", "\r\n"), asJSON(head + block), asJSON(list), asJSON(bare), strings.ReplaceAll(head+block, "  versions:\n", "  versions: # all\n"),
		"kind: # a CRD\n  CustomResourceDefinition\n" + block, strings.ReplaceAll(head+block, "served: true", "served: True"),
		"\ufeff" + head + block, strings.Replace(head+block, "        type: object\n", "# lower\n\n        type: object\n", 1),
		"---\nkind: ConfigMap\ndata:\n  a: |\n    openAPIV3Schema:\n      a: b\n---\n" + head + block,
	} {
		found, err := schema.ReadDefinitions([]byte(text))
		require.NoError(t, err, text)
		require.Len(t, found, 1, text)
		d := found[0]
		assert.Equal(t, []any{"example.com", "Thing", "things", true}, []any{d.Group, d.Kind, d.Plural, d.Namespaced}, text)
		require.Len(t, d.Versions, 2, text)
		assert.Equal(t, []any{"v1", true, "v2", false}, []any{d.Versions[0].Name, d.Versions[0].Served, d.Versions[1].Name, d.Versions[1].Served}, text)
		kinds := &schema.Kinds{}
		kinds.Use(found)
		require.NotNil(t, kinds.Find("example.com", "v1", "Thing"), text)
		assert.Equal(t, "- a: b\n\nc\n", kinds.Find("example.com", "v1", "Thing").Schema().Str("description"), text)
		require.NoError(t, kinds.Err())
	}
	for _, text := range []string{
		"some words", list[:len(list)-len("kind: List\n")], list[:len(list)-120], (head + block)[:120], asJSON(list)[:200], "[1]", "- a\n- b\n",
	} {
		found, err := schema.ReadDefinitions([]byte(text))
		assert.Error(t, err, "%s: %v", text, found)
	}
}

// TestHiddenValuesAreNotShown: neither the value nor a name in it.
func TestHiddenValuesAreNotShown(t *testing.T) {
	t.Parallel()
	hidden := &manifest.Hidden{Value: armjson.NewObject(armjson.Member{Key: "canary", Value: armjson.Int(7)}, armjson.Member{Key: "containers", Value: armjson.String("canary")})}
	o := &manifest.Object{APIVersion: "v1", Kind: "Pod", Name: "a", Fields: []armjson.Member{{Key: "spec", Value: hidden}}}
	kinds := &schema.Kinds{}
	problems := kinds.Find("", "v1", "Pod").Check(o)
	require.Len(t, problems, 2)
	for _, p := range problems {
		assert.Equal(t, schema.Problem{Path: []string{"spec"}, Text: "has a value that does not fit and is not shown"}, p)
	}
}

// TestFind: scopes, and kinds that are in no table.
func TestFind(t *testing.T) {
	t.Parallel()
	kinds := &schema.Kinds{}
	for name, namespaced := range map[[3]string]bool{
		{"", "v1", "Namespace"}: false, {"", "v1", "Service"}: true, {"rbac.authorization.k8s.io", "v1", "ClusterRole"}: false,
		{"gateway.networking.k8s.io", "v1", "GatewayClass"}: false, {"gateway.networking.k8s.io", "v1", "TCPRoute"}: true,
	} {
		kind := kinds.Find(name[0], name[1], name[2])
		require.NotNil(t, kind, name)
		assert.Equal(t, namespaced, kind.Namespaced, name)
	}
	assert.Nil(t, kinds.Find("apps", "v1beta1", "Deployment"))
	assert.Nil(t, kinds.Find("example.com", "v1", "Pod"))
	assert.False(t, kinds.Add(armjson.NewObject()))
}
