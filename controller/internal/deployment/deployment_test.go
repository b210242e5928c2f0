package deployment

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

func spec(template, parameters, config string) *v1alpha3.DeploymentTemplate {
	dt := &v1alpha3.DeploymentTemplate{Spec: v1alpha3.DeploymentTemplateSpec{Template: template}}
	dt.UID, dt.Namespace = "u1", "team"
	if parameters != "" {
		dt.Spec.Parameters = &apiextensionsv1.JSON{Raw: []byte(parameters)}
	}
	if config != "" {
		dt.Spec.ProviderConfig = &apiextensionsv1.JSON{Raw: []byte(config)}
	}
	return dt
}

func quoted(s string) string { b, _ := json.Marshal(s); return string(b) }

var settings = Settings{DefaultGroup: "default"}

const typed = `{"parameters": {"port": {"type": "int"}, "on": {"type": "bool"}, "list": {"type": "array"}, "map": {"$ref": "#/definitions/m"}, "name": {"type": "string"}},
 "definitions": {"m": {"type": "object"}}, "resources": {}}`

func TestBothShapesSendTheSame(t *testing.T) {
	t.Parallel()
	asText, err := New(spec(typed, quoted(`{"port":{"value":12345678901234567890},"on":{"value":true},"list":{"value":[1,2.50]},"map":{"value":{"a":"b"}},"name":{"value":"3"}}`),
		`{"radius":{"type":"Radius","value":{"scope":"/planes/radius/local/resourceGroups/g"}},"deployments":{"type":"Microsoft.Resources","value":{"scope":"/planes/radius/local/resourceGroups/g"}}}`), settings, nil)
	require.NoError(t, err)
	asMap, err := New(spec(typed, `{"port":"12345678901234567890","on":"true","list":"[1, 2.50]","map":"{\"a\":\"b\"}","name":"3"}`,
		quoted(`{"deployments": {"type":"Microsoft.Resources","value":{"scope":"/planes/radius/local/resourceGroups/g"}}, "radius":{"type":"Radius","value":{"scope":"/planes/radius/local/resourceGroups/g"}}}`)), settings, nil)
	require.NoError(t, err)
	require.Equal(t, string(asText.Body), string(asMap.Body))
	require.Equal(t, asText.Hash, asMap.Hash)
	require.Contains(t, string(asText.Body), `"port":{"value":12345678901234567890}`)
	require.Contains(t, string(asText.Body), `"name":{"value":"3"}`)
	require.Contains(t, string(asText.Body), `2.50`)
	require.Equal(t, "/planes/radius/local/resourceGroups/g/providers/Microsoft.Resources/deployments/deploymenttemplate-u1", asText.ID)
	require.Equal(t, []string{"/planes/radius/local/resourceGroups/g"}, asText.Groups)
}

func TestTheBody(t *testing.T) {
	t.Parallel()
	d, err := New(spec(` {"resources": {"a": {"x": "<&>", "n": 9007199254740993}} }`, "", ""), settings, nil)
	require.NoError(t, err)
	require.Equal(t, `{"properties":{"template":{"resources":{"a":{"x":"<&>","n":9007199254740993}}},"parameters":{},`+
		`"providerconfig":{"deployments":{"type":"Microsoft.Resources","value":{"scope":"/planes/radius/local/resourceGroups/default"}},`+
		`"radius":{"type":"Radius","value":{"scope":"/planes/radius/local/resourceGroups/default"}}},"mode":"Incremental"},"tags":null}`, string(d.Body))
}

func TestTheHash(t *testing.T) {
	t.Parallel()
	hash := func(dt *v1alpha3.DeploymentTemplate) string {
		d, err := New(dt, settings, nil)
		require.NoError(t, err)
		return d.Hash
	}
	base := hash(spec(`{"a": 1, "b": 2}`, "", ""))
	require.Equal(t, base, hash(spec("{\n\"b\": 2,\n\"a\": 1}", `"{}"`, "")))
	require.NotEqual(t, base, hash(spec(`{"a": 1, "b": 3}`, "", "")))
	require.NotEqual(t, base, hash(spec(`{"a": 1, "b": 2}`, quoted(`{"p":{"value":1}}`), "")))
	other := spec(`{"a": 1, "b": 2}`, "", "")
	other.UID = "u2"
	require.NotEqual(t, base, hash(other), "the hash is salted")
	require.NotEqual(t, hash(spec(`{"a": 9007199254740993}`, "", "")), hash(spec(`{"a": 9007199254740992}`, "", "")))
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		dt   *v1alpha3.DeploymentTemplate
		want string
	}{
		"empty":           {spec("", "", ""), "spec.template: it is empty"},
		"short":           {spec(`{"a":`, "", ""), "spec.template: it is not JSON: the text ends too early"},
		"line":            {spec("{\n\n\"a\": x}", "", ""), "in line 3"},
		"array":           {spec(`[]`, "", ""), "spec.template: want a JSON object, got an array"},
		"twice":           {spec(`{} {}`, "", ""), "more text after"},
		"parameters":      {spec(`{}`, quoted(`[]`), ""), "spec.parameters: want an object"},
		"bare value":      {spec(`{}`, quoted(`{"p": 3}`), ""), `spec.parameters: p: want {"value": …}, got a number`},
		"no value":        {spec(`{}`, quoted(`{"p": {}}`), ""), "spec.parameters: p: want"},
		"map of numbers":  {spec(`{}`, `{"p": 3}`, ""), "spec.parameters: p: a map of parameters holds strings"},
		"not an int":      {spec(typed, `{"port": "3.5"}`, ""), "spec.parameters: port: the template declares an int"},
		"not a bool":      {spec(typed, `{"on": "yes"}`, ""), "declares a bool"},
		"not an array":    {spec(typed, `{"list": "a,b"}`, ""), "declares an array"},
		"not an object":   {spec(typed, `{"map": "a"}`, ""), "declares an object"},
		"config text":     {spec(`{}`, "", quoted(`{"radius"`)), "spec.providerConfig: it is not JSON"},
		"config no value": {spec(`{}`, "", quoted(`{"radius": {}}`)), "radius: it has no value with a scope"},
		"config no scope": {spec(`{}`, "", quoted(`{"deployments": {"value": {"scope": " "}}}`)), "deployments: its value has no scope"},
		"config scope":    {spec(`{}`, "", quoted(`{"deployments": {"value": {"scope": "/subscriptions/s"}}}`)), "is not of the form"},
	} {
		_, err := New(tt.dt, settings, nil)
		require.ErrorContains(t, err, tt.want, name)
	}
}

func TestAllowedScopes(t *testing.T) {
	t.Parallel()
	const groups = "/planes/radius/local/resourceGroups/"
	s := Settings{DefaultGroup: "team-a", AllowedScopes: []string{groups + "{namespace}-a", groups + "shared"}}
	_, err := New(spec(`{}`, "", ""), s, nil)
	require.NoError(t, err)
	cloud := func(key, scope string) string {
		return quoted(`{"` + key + `":{"type":"T","value":{"scope":"` + scope + `"}}}`)
	}
	for name, tt := range map[string]struct{ template, parameters, config, want string }{
		"an ID in the template":           {`{"resources":{"a":{"properties":{"environment":"` + groups + `Team-B/providers/Applications.Core/environments/e"}}}}`, "", "", "may not be used from namespace team"},
		"its own":                         {`{"resources":{"a":{"properties":{"environment":"` + groups + `Team-A/providers/Applications.Core/environments/e"}}}}`, "", "", ""},
		"what all may use":                {`{"resources":{"a":{"properties":{"environment":"` + groups + `shared/providers/Applications.Core/environments/e"}}}}`, "", "", ""},
		"a key":                           {`{"resources":{"a":{"identity":{"/subscriptions/s/resourceGroups/r/providers/M.I/i/x":{}}}}}`, "", "", "/subscriptions/s"},
		"a default":                       {`{"parameters":{"env":{"type":"string","defaultValue":"` + groups + `other"}}}`, "", "", "spec.template.parameters.env.defaultValue: " + groups + "other"},
		"a parameter":                     {`{}`, quoted(`{"env":{"value":["` + groups + `other"]}}`), "", "spec.parameters.env.value[0]"},
		"an escape in the template":       {`{"variables":{"v":"` + groups + `team-a/%2E%2e/other"}}`, "", "", "may not be used"},
		"dots before it":                  {`{"variables":{"v":"/./planes/radius/local/resourceGroups/other"}}`, "", "", "may not be used"},
		"escaped dots before it":          {`{"variables":{"v":"/x/%2E%2e/planes/radius/local/resourceGroups/other"}}`, "", "", "may not be used"},
		"slashes before it":               {`{"variables":{"v":"//planes/radius/local/resourceGroups/other"}}`, "", "", "may not be used"},
		"backslashes":                     {`{"variables":{"v":"\\planes\\radius\\local\\resourceGroups\\other"}}`, "", "", "may not be used"},
		"a folder":                        {`{"variables":{"v":"/subscriptions"}}`, "", "", ""},
		"a template elsewhere":            {`{"resources":{"m":{"type":"Microsoft.Resources/deployments","properties":{"templateLink":{"id":"x"}}}}}`, "", "", "m.properties.templateLink: it is not in the spec"},
		"properties by a variable":        {`{"variables":{"p":{}},"resources":{"m":{"type":"Microsoft.Resources/deployments","properties":"[variables('p')]"}}}`, "", "", "m.properties: want the properties"},
		"a template by a variable":        {`{"variables":{"p":{}},"resources":{"m":{"type":"Microsoft.Resources/deployments","properties":{"template":"[variables('p')]"}}}}`, "", "", "template: want the template as it is"},
		"a module's scope":                {`{"resources":{"m":{"type":"Microsoft.Resources/deployments@2025-04-01","scope":"` + groups + `other"}}}`, "", "", "may not be used"},
		"a module's group":                {`{"resources":{"m":{"type":"Microsoft.Resources/deployments","resourceGroup":"other"}}}`, "", "", groups + "other may not be used"},
		"a module's own group":            {`{"resources":{"m":{"type":"Microsoft.Resources/deployments","resourceGroup":"Team-a"}}}`, "", "", ""},
		"a module's subscription":         {`{"resources":{"m":{"type":"Microsoft.Resources/deployments","subscriptionId":"s","resourceGroup":"team-a"}}}`, "", "", "/subscriptions/s/resourceGroups/team-a"},
		"the namespace of another":        {`{"resources":{"e":{"properties":{"compute":{"kind":"kubernetes","namespace":"kube-system"}}}}}`, "", "", "namespaces/kube-system"},
		"its own namespace":               {`{"resources":{"e":{"properties":{"compute":{"kind":"kubernetes","namespace":"team"}}}}}`, "", "", ""},
		"a module's group by parameter":   {`{"parameters":{"rg":{"type":"string","defaultValue":"team-a"}},"resources":{"m":{"type":"Microsoft.Resources/deployments","resourceGroup":"[parameters('RG')]"}}}`, quoted(`{"rg":{"value":"other"}}`), "", groups + "other may not be used"},
		"by a default":                    {`{"parameters":{"rg":{"type":"string","defaultValue":"[variables('g')]"}},"variables":{"g":"other"},"resources":[{"type":"Microsoft.Resources/deployments","resourceGroup":"[parameters('rg')]"}]}`, "", "", groups + "other may not be used"},
		"by the parameter of a module":    {`{"parameters":{"ns":{"type":"string"}},"resources":{"m":{"type":"Microsoft.Resources/deployments","properties":{"expressionEvaluationOptions":{"scope":"inner"},"parameters":{"n":{"value":"[parameters('ns')]"}},"template":{"parameters":{"n":{"type":"string","defaultValue":"team"}},"resources":{"e":{"properties":{"compute":{"namespace":"[parameters('n')]"}}}}}}}}}`, quoted(`{"ns":{"value":"kube-system"}}`), "", "namespaces/kube-system"},
		"a parameter called metadata":     {`{"parameters":{"metadata":{"type":"string","defaultValue":"` + groups + `other"}}}`, "", "", "spec.template.parameters.metadata.defaultValue: " + groups + "other"},
		"a variable called $schema":       {`{"variables":{"$schema":{"metadata":"` + groups + `other"}}}`, "", "", "spec.template.variables.$schema.metadata"},
		"a module called metadata":        {`{"resources":{"metadata":{"type":"Microsoft.Resources/deployments","resourceGroup":"other"}}}`, "", "", "spec.template.resources.metadata"},
		"metadata in a value":             {`{}`, quoted(`{"p":{"value":{"metadata":"` + groups + `other"}}}`), "", "spec.parameters.p.value.metadata"},
		"descriptions":                    {`{"$schema":"/subscriptions/s","metadata":{"of":"` + groups + `other"},"parameters":{"p":{"type":"string","metadata":{"example":"/subscriptions/s"}}}}`, "", "", ""},
		"what is too deep":                {`{"variables":` + strings.Repeat(`{"a":`, 401) + `1` + strings.Repeat(`}`, 401) + `}`, "", "", "spec.template: it nests more than 400 levels"},
		"a secret store of another":       {`{"resources":{"s":{"type":"Applications.Core/secretStores@2023-10-01-preview","properties":{"resource":"team-b/db"}}}}`, "", "", "spec.template.resources.s.properties.resource: /planes/kubernetes/local/namespaces/team-b may not be used from namespace team: --allowed-namespaces"},
		"its own secret store":            {`{"resources":{"s":{"type":"Applications.Core/secretStores@2023-10-01-preview","properties":{"resource":"team/db"}},"t":{"type":"Applications.Core/secretStores@2023-10-01-preview","properties":{"resource":"db"}}}}`, "", "", ""},
		"an extension":                    {`{"parameters":{"e":{"type":"array","defaultValue":[{"kind":"kubernetesNamespace","namespace":"team-b"}]}}}`, "", "", "namespaces/team-b"},
		"providers of an environment":     {`{"resources":{"e":{"type":"Radius.Core/environments@2025-08-01-preview","properties":{"providers":{"kubernetes":{"namespace":"team-b"}}}}}}`, "", "", "e.properties.providers.kubernetes: /planes/kubernetes/local/namespaces/team-b"},
		"Azure of an environment":         {`{"resources":{"e":{"type":"Radius.Core/environments@2025-08-01-preview","properties":{"providers":{"azure":{"subscriptionId":"s","resourceGroupName":"r"}}}}}}`, "", "", "/subscriptions/s/resourceGroups/r"},
		"AWS of an environment":           {`{"resources":{"e":{"type":"Radius.Core/environments@2025-08-01-preview","properties":{"providers":{"aws":{"accountId":"1","region":"r"}}}}}}`, "", "", "/planes/aws/aws/accounts/1/regions/r"},
		"an extension for Kubernetes":     {`{"imports":{"k":{"provider":"Kubernetes","version":"1.0.0","config":{"namespace":"team-b"}}}}`, "", "", "spec.template.imports.k: /planes/kubernetes/local/namespaces/team-b"},
		"another form of one":             {`{"extensions":{"k":{"name":"Kubernetes","config":{"namespace":{"defaultValue":"team-b"}}}}}`, "", "", "spec.template.extensions.k"},
		"one that a module is given":      {`{"resources":{"m":{"type":"Microsoft.Resources/deployments","properties":{"extensionConfigs":{"k":{"namespace":{"value":"team-b"}}}}}}}`, "", "", "properties.extensionConfigs.k"},
		"an object of Kubernetes":         {`{"resources":{"o":{"import":"kubernetes","type":"core/Secret@v1","existing":true,"properties":{"metadata":{"name":"db","namespace":"team-b"}}}}}`, "", "", "o.properties.metadata: /planes/kubernetes/local/namespaces/team-b"},
		"a compute by a default":          {`{"parameters":{"c":{"type":"object","defaultValue":{"kind":"kubernetes","namespace":"team-b"}}},"resources":{"e":{"type":"Applications.Core/environments@1","properties":{"compute":"[parameters('c')]"}}}}`, "", "", "namespaces/team-b"},
		"an existing one elsewhere":       {`{"resources":{"e":{"existing":true,"type":"Applications.Core/environments@1","resourceGroup":"other"}}}`, "", "", groups + "other may not be used"},
		"names of the template around":    {`{"parameters":{"ns":{"type":"string"}},"resources":{"m":{"type":"Microsoft.Resources/deployments","properties":{"expressionEvaluationOptions":{"scope":"outer"},"template":{"parameters":{"ns":{"type":"string","defaultValue":"team"}},"resources":{"e":{"properties":{"compute":{"namespace":"[parameters('ns')]"}}}}}}}}}`, quoted(`{"ns":{"value":"team-b"}}`), "", "namespaces/team-b"},
		"names in what a module is given": {`{"parameters":{"ns":{"type":"string"}},"resources":{"m":{"type":"Microsoft.Resources/deployments","properties":{"expressionEvaluationOptions":{"scope":"inner"},"parameters":{"c":{"value":{"namespace":"[parameters('ns')]"}}},"template":{"parameters":{"c":{"type":"object"},"ns":{"type":"string","defaultValue":"team"}},"resources":{"e":{"properties":{"compute":"[parameters('c')]"}}}}}}}}`, quoted(`{"ns":{"value":"team-b"}}`), "", "namespaces/team-b"},
		"names of nobody":                 {`{"resources":{"m":{"type":"Microsoft.Resources/deployments","properties":{"template":{"resources":{}}}}}}`, "", "", "want expressionEvaluationOptions"},
		"two spellings in a parameter":    {`{}`, quoted(`{"c":{"value":{"namespace":"team","Namespace":"team-b"}}}`), "", `spec.parameters: an object holds "namespace" twice`},
		"a parameter that names itself":   {`{"parameters":{"rg":{"type":"string","defaultValue":"[parameters('rg')]"}},"resources":{"m":{"type":"Microsoft.Resources/deployments","resourceGroup":"[parameters('rg')]"}}}`, "", "", ""},
		"a name twice":                    {`{"resources":{"m":{"type":"Microsoft.Resources/deployments","resourceGroup":"other","resourceGroup":"team-a"}}}`, "", "", `holds "resourceGroup" twice`},
		"a name in two spellings":         {`{"resources":{"m":{"type":"Microsoft.Resources/deployments","resourceGroup":"team-a","ResourceGroup":"other"}}}`, "", "", `holds "ResourceGroup" twice`},
		"names of one's own":              {`{"variables":{"v":{"a":1,"A":[{"a":1},{"a":2}]}}}`, "", "", ""},
		"computed values are not seen":    {`{"variables":{"v":"[concat('/planes/radius/local/resourceGroups/', 'other')]"}}`, "", "", ""},
		"az":                              {`{}`, "", cloud("az", "/subscriptions/s"), "may not be used"},
		"another spelling of a key":       {`{}`, "", cloud("AZ", "/subscriptions/s"), `"AZ" is not one of radius, deployments, az, aws`},
		"Kubernetes":                      {`{}`, "", cloud("kubernetes", "/planes/kubernetes/local"), `"kubernetes" is not one of`},
		"a key twice":                     {`{}`, "", quoted(`{"radius":{"type":"Radius","value":{"scope":"` + groups + `team-a","Scope":"` + groups + `b"}}}`), `its value holds "Scope"`},
		"a value twice":                   {`{}`, "", quoted(`{"radius":{"type":"Radius","Value":{},"value":{"scope":"` + groups + `team-a"}}}`), `it holds "Value"`},
		"an escape in the config":         {`{}`, "", cloud("az", "/subscriptions/s/resourceGroups/a/%2e%2e/b"), "only dots when it is decoded"},
		"another escape":                  {`{}`, "", cloud("aws", "/planes/aws/aws/accounts/1%30"), "holds an escape"},
		"an escape in a plane of Radius":  {`{}`, "", cloud("radius", "/planes/radius/%2e%2e/resourceGroups/team-a"), "is not of the form"},
	} {
		_, err := New(spec(tt.template, tt.parameters, tt.config), s, nil)
		if tt.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, tt.want, name)
	}
	// A group is one of the plane that the resource is in: what another plane allows does not count.
	const azure = "/subscriptions/s/resourceGroups/"
	s.AllowedScopes = append(s.AllowedScopes, azure+"*")
	for group, want := range map[string]string{
		`{"type":"Microsoft.Storage/storageAccounts@1","existing":true,"resourceGroup":"net"}`:    "",
		`{"type":"Applications.Core/environments@1","existing":true,"resourceGroup":"net"}`:       groups + "net may not be used",
		`{"type":"Microsoft.Resources/deployments@1","resourceGroup":"net"}`:                      groups + "net may not be used",
		`{"type":"Microsoft.Resources/deployments@1","subscriptionId":"s","resourceGroup":"net"}`: "",
	} {
		_, err := New(spec(`{"resources":{"r":`+group+`}}`, "", cloud("az", azure+"shop")), s, nil)
		if want == "" {
			require.NoError(t, err, group)
			continue
		}
		require.ErrorContains(t, err, want, group)
	}
	s.AllowedNamespaces = []string{"{namespace}", "shared-*"}
	_, err = New(spec(`{"resources":{"e":{"properties":{"compute":{"namespace":"shared-one"}}}}}`, "", ""), s, nil)
	require.NoError(t, err)
	require.NoError(t, s.Check())
	for want, wrong := range map[string]Settings{
		"needs --allowed-scopes": {AllowedNamespaces: []string{"a"}},
		"is not the pattern":     {AllowedScopes: []string{"/a"}, AllowedNamespaces: []string{"a/b"}},
		"does not part":          {AllowedScopes: []string{"/a"}, AllowedNamespaces: []string{"{namespace}-*"}},
		"do not part":            {AllowedScopes: []string{kubernetesNamespaces + "{namespace}-b"}},
	} {
		require.ErrorContains(t, wrong.Check(), want)
	}
	s.DefaultGroup = "other"
	_, err = New(spec(`{}`, "", ""), s, nil)
	var scope *ScopeError
	require.ErrorAs(t, err, &scope)
	require.True(t, MayTouch("/planes/radius/local/resourcegroups/TEAM-a/providers/A.B/c/d", "team", s.AllowedScopes))
	require.False(t, MayTouch("/planes/radius/local/resourceGroups/default/providers/A.B/c/d", "team", s.AllowedScopes))
}

func TestPatternsThatPartNamespaces(t *testing.T) {
	t.Parallel()
	const groups = "/planes/radius/local/resourceGroups/"
	for want, patterns := range map[string][][]string{
		"": {
			nil, {groups + "{namespace}"}, {groups + "*"}, {groups + "{namespace}-prod", groups + "{namespace}-dev", groups + "shared-*"},
			{groups + "{namespace}", "/planes/kubernetes/local/namespaces/{namespace}"}, {"/planes/{namespace}/a", "/planes/{namespace}/b"},
			{"/subscriptions/*/resourceGroups/{namespace}", "/subscriptions/s/resourceGroups/{namespace}"},
		},
		"is not the pattern of a scope": {{"nonsense"}, {"/a["}},
		"does not part namespaces":      {{groups + "{namespace}-*"}, {groups + "?{namespace}"}},
		"do not part namespaces":        {{groups + "{namespace}", groups + "{namespace}-prod"}, {groups + "a-{namespace}", groups + "{namespace}-b"}, {"/x/*/{namespace}", "/x/y/{namespace}-b"}},
		"twice in one part":             {{groups + "{namespace}-{namespace}"}},
	} {
		for _, p := range patterns {
			err := checkPatterns(p)
			if want == "" {
				require.NoError(t, err, p)
				continue
			}
			require.ErrorContains(t, err, want, p)
		}
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	d, err := New(spec(`{"resources": {
	  "a": {"type": "Applications.Core/containers@2023-10-01-preview"},
	  "b": {"type": "Applications.Core/containers@2025-01-01"},
	  "m": {"type": "Microsoft.Resources/deployments", "apiVersion": "2025-04-01", "properties": {"template": {"resources": [
	    {"type": "Microsoft.Sql/servers", "apiVersion": "2022-01-01", "resources": [{"type": "databases", "apiVersion": "2021-01-01"}]},
	    {"type": "A.B/c", "apiVersion": "[parameters('v')]"}]}}}}}`, "", ""), settings, nil)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"applications.core/containers": "2025-01-01", "microsoft.resources/deployments": "2025-04-01",
		"microsoft.sql/servers": "2022-01-01", "microsoft.sql/servers/databases": "2021-01-01"}, d.Versions)
}

func TestSecretsAreFoundAndTakenOut(t *testing.T) {
	t.Parallel()
	d, err := New(spec(`{"definitions": {"login": {"type": "object", "properties": {"user": {"type": "string"}, "key": {"type": "securestring"}}}},
	 "parameters": {"password": {"type": "secureString"}, "config": {"type": "secureObject"}, "login": {"$ref": "#/definitions/login"}, "fallback": {"type": "securestring", "defaultValue": "default-secret"}, "open": {"type": "string"}},
	 "resources": {"m": {"type": "Microsoft.Resources/deployments@2025-04-01", "properties": {"parameters": {"inner": {"value": "module-secret"}}, "template": {"parameters": {"inner": {"type": "securestring"}}}}}}}`,
		quoted(`{"PASSWORD": {"value": "p\"ä/ss 1"}, "config": {"value": {"a": ["deep-secret", 4711]}}, "login": {"value": {"user": "anna", "key": "login-secret"}}, "open": {"value": "visible"}}`), ""), settings, nil)
	require.NoError(t, err)
	require.True(t, d.HasSecrets)
	for _, text := range []string{"p\"ä/ss 1", `p\"ä/ss 1`, `p\u0022\u00E4/ss 1`, "p%22%C3%A4%2Fss+1", "deep-secret", "4711", "login-secret", "default-secret", "module-secret", "cCLDpC9zcyAx"} {
		got := d.Secrets.Redact("it is " + text + ", visible, anna")
		require.Equal(t, "it is (redacted), visible, anna", got)
	}
	multi := "-----BEGIN KEY-----\nabcdefgh\n-----END KEY-----"
	require.NotContains(t, secretsOf(multi).Redact("line abcdefgh is wrong"), "abcdefgh")
	require.Equal(t, "a cat, (redacted)!", secretsOf("x1").Redact("a cat, x1!"))
	require.Equal(t, "max1", secretsOf("x1").Redact("max1"), "a short secret is not a reason to spoil words")
	plain, err := New(spec(typed, "", ""), settings, nil)
	require.NoError(t, err)
	require.False(t, plain.HasSecrets)
}

func secretsOf(words ...string) *Secrets {
	s := &Secrets{}
	for _, w := range words {
		s.Add(w)
	}
	return s
}

func TestDeepDocumentsDoNotPanic(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"resources":[{"type":"A/b","properties":{"template":`, 200) + `{}` + strings.Repeat(`}}]}`, 200)
	_, err := New(spec(deep, "", ""), settings, nil)
	require.NoError(t, err)
	_, err = New(spec(`{"parameters":{"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"$ref":"#/definitions/a","properties":{"x":{"$ref":"#/definitions/a"}}}}}`, `{"a":"1"}`, ""), settings, nil)
	require.NoError(t, err)
	_, err = New(spec(strings.Repeat("[", 100000), "", ""), settings, nil)
	require.Error(t, err)
}

// Values of Secrets and ConfigMaps are sent with the types that the template declares. The hash is that of their
// versions: who knows all else cannot find a value by trying.
func TestValuesFromElsewhere(t *testing.T) {
	const template = `{"parameters": {"password": {"type": "securestring"}, "port": {"type": "int"}, "note": {"type": "string", "defaultValue": "x"}}, "resources": {}}`
	from := func(change ...func(*v1alpha3.DeploymentTemplate)) *v1alpha3.DeploymentTemplate {
		dt := spec(template, "", "")
		dt.Spec.ParametersFrom = []v1alpha3.ParameterSource{
			{Name: "password", SecretKeyRef: &v1alpha3.KeyReference{Name: "db", Key: "password"}},
			{Name: "Port", ConfigMapKeyRef: &v1alpha3.KeyReference{Name: "net", Key: "port"}},
			{Name: "note", SecretKeyRef: &v1alpha3.KeyReference{Name: "db", Key: "note", Optional: true}},
		}
		for _, f := range change {
			f(dt)
		}
		return dt
	}
	values := func() Values {
		return Values{"password": {Text: "hunter2", Version: "v1", Secret: true}, "Port": {Text: "8080\n", Version: "v1"}}
	}
	d, err := New(from(), settings, values())
	require.NoError(t, err)
	require.Contains(t, string(d.Body), `"parameters":{"Port":{"value":8080},"password":{"value":"hunter2"}}`)
	require.Equal(t, "it is (redacted)", d.Secrets.Redact("it is hunter2"))
	require.True(t, d.HasSecrets)

	same := values()
	same["password"] = Value{Text: "another", Version: "v1", Secret: true}
	again, err := New(from(), settings, same)
	require.NoError(t, err)
	require.Equal(t, d.Hash, again.Hash, "the text is not in the hash")
	same["password"] = Value{Text: "another", Version: "v2", Secret: true}
	again, err = New(from(), settings, same)
	require.NoError(t, err)
	require.NotEqual(t, d.Hash, again.Hash)

	same["Port"] = Value{Text: "eighty", Version: "v3"}
	_, err = New(from(), settings, same)
	require.ErrorAs(t, err, new(*SourceError))
	require.EqualError(t, err, "spec.parametersFrom: Port: the template declares an int, and the text is not one")

	for want, change := range map[string]func(*v1alpha3.DeploymentTemplate){
		"password: spec.parameters has it too": func(dt *v1alpha3.DeploymentTemplate) {
			dt.Spec.Parameters = spec(template, `{"PASSWORD": "x"}`, "").Spec.Parameters
		},
		"note: it is there twice": func(dt *v1alpha3.DeploymentTemplate) {
			dt.Spec.ParametersFrom = append(dt.Spec.ParametersFrom, dt.Spec.ParametersFrom[2])
		},
		"pasword: the template has no such parameter":        func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.ParametersFrom[0].Name = "pasword" },
		"note: want one of secretKeyRef and configMapKeyRef": func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.ParametersFrom[2].SecretKeyRef = nil },
	} {
		_, err := New(from(change), settings, values())
		require.EqualError(t, err, "spec.parametersFrom: "+want)
		require.False(t, errors.As(err, new(*SourceError)), "only the spec can mend it")
	}
}

// No spec, as large as the API server takes it, keeps a worker for long.
func TestLargeSpecsTakeNoTime(t *testing.T) {
	const limit = 5 * time.Second // each took minutes, and takes a fraction of a second
	numbers := "[" + strings.TrimSuffix(strings.Repeat("1,", 490_000), ",") + "]"
	different := make([]string, 40_000)
	for i := range different {
		different[i] = fmt.Sprintf(`"k%d":"%05x"`, i, i)
	}
	declared, given := strings.Builder{}, strings.Builder{}
	for i := range 20_000 {
		fmt.Fprintf(&declared, `"p%d":{"type":"string"},`, i)
		fmt.Fprintf(&given, `,"P%d":{"value":"x"}`, i)
	}
	for name, tt := range map[string]struct {
		template, parameters, value string
		secret                      bool // too many to be hidden one by one
	}{
		"a Secret of many numbers":       {`{"parameters":{"s":{"type":"array"}}}`, "", numbers, false},
		"a Secret of many values":        {`{"parameters":{"s":{"type":"secureObject"}}}`, "", "{" + strings.Join(different, ",") + "}", true},
		"a secureObject":                 {`{"parameters":{"o":{"type":"secureObject"}}}`, quoted(`{"o":{"value":{` + strings.Join(different, ",") + `}}}`), "", true},
		"names in another spelling":      {`{"parameters":{` + declared.String() + `"s":{"type":"string"}}}`, quoted(`{"S":{"value":"x"}` + given.String() + `}`), "", false},
		"types that refer to each other": {`{"parameters":{"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"properties":{"x":{"$ref":"#/definitions/a"},"y":{"$ref":"#/definitions/a"}}}}}`, "", "", false},
		"modules in modules":             {strings.Repeat(`{"resources":[{"type":"Microsoft.Resources/deployments","properties":{"expressionEvaluationOptions":{"scope":"inner"},"template":`, 60) + `{}` + strings.Repeat(`}}]}`, 60), "", "", false},
		"a long name of many":            {`{"variables":{"` + strings.Repeat("x", 200_000) + `":[` + strings.TrimSuffix(strings.Repeat("{},", 100_000), ",") + `]}}`, "", "", false},
	} {
		dt := spec(tt.template, tt.parameters, "")
		values := Values{}
		if tt.value != "" {
			dt.Spec.ParametersFrom = []v1alpha3.ParameterSource{{Name: "s", SecretKeyRef: &v1alpha3.KeyReference{Name: "n", Key: "k"}}}
			values["s"] = Value{Text: tt.value, Version: "1", Secret: true}
		}
		start := time.Now()
		d, err := New(dt, Settings{DefaultGroup: "default", AllowedScopes: []string{"/planes/radius/local/resourceGroups/*"}}, values)
		require.NoError(t, err, name)
		said := d.Secrets.Redact("what Radius says: 00abc, " + strings.Repeat("01", 20_000))
		require.Less(t, time.Since(start), limit, name)
		if tt.secret {
			require.Equal(t, withheld, said, name)
		}
	}
}

// All words are found in one pass: one within another, one behind another, and what the bound of a text cuts off.
func TestManySecretsAreTakenOut(t *testing.T) {
	t.Parallel()
	s := secretsOf("abc", "abcdef", "cdx", "hunter2", "7")
	for text, want := range map[string]string{
		"": "", "plain": "plain", "xabcdefx": "x(redacted)x", "abcdx abc": "(redacted) (redacted)", "abchunter2": "(redacted)",
		"7 of 17": "(redacted) of 17", "ends with hunter2": "ends with (redacted)", "aHVudGVyMg==": "(redacted)",
	} {
		require.Equal(t, want, s.Redact(text), text)
	}
	for i := range 10_000 {
		s.Add(fmt.Sprintf("secret-%d-é", i))
	}
	require.Equal(t, "a (redacted) b (redacted)", s.Redact("a secret-77-é b secret-9999-\\u00E9"))
	long := strings.Repeat("-", maxText-4) + "hunter2"
	require.NotContains(t, s.Redact(long), "hunt", "the bound has cut it")
	require.Equal(t, withheld, secretsOf(strings.Repeat("s", 20_000)).Redact(long))
	require.Equal(t, "short", secretsOf(strings.Repeat("s", 20_000)).Redact("short"))
}

// How many resources a template makes is known without loops and conditions.
func TestCount(t *testing.T) {
	for template, want := range map[string]int{
		`{"resources": {"a": {"type": "A.B/c@1"}, "old": {"existing": true, "type": "A.B/d@1"}, "m": {"type": "Microsoft.Resources/deployments", "properties": {"template": {"resources": [{"type": "A.B/e", "apiVersion": "1"}]}}}}}`: 2,
		`{"resources": [{"type": "A.B/c", "apiVersion": "1", "copy": {"name": "l", "count": 3}}]}`:                                                                                                                                     0,
		`{"resources": [{"type": "A.B/c", "apiVersion": "1", "condition": true}]}`:                                                                                                                                                     0,
		`{"resources": [{"type": "Microsoft.Resources/deployments", "apiVersion": "1", "properties": {"templateLink": {"uri": "https://example.com"}}}]}`:                                                                              0,
		`{"resources": []}`: 0,
	} {
		d, err := New(spec(template, "", ""), settings, nil)
		require.NoError(t, err)
		require.Equal(t, want, d.Resources, template)
	}
}
