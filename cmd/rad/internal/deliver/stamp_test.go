package deliver

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const stamped = `# by hand
kind: DeploymentTemplate
spec:
  template: |
    {
      "metadata": {"_generator": {"name": "bicep", "version": "0.45.1", "templateHash": "123"}},
      "variables": {
        "copied": {"_generator": {"name": "bicep", "version": "1", "templateHash": "2"}},
        "text": "{\"metadata\": {\"_generator\": {\"name\": \"bicep\", \"version\": \"3\", \"templateHash\": \"4\"}}}"
      },
      "resources": {
        "m": {"properties": {"template": {"metadata": {"_generator": {"templateHash": "5", "version": "0.45.1"}}, "resources": [
          {"properties": {"template": {"metadata": {"_generator": {"version": "0.45.1"}}, "resources": []}}}
        ]}}}
      }
    }
  parameters: {}
`

const stampedJSON = `{
  "kind": "DeploymentTemplate",
  "spec": {
    "template": "{\"metadata\": {\"_generator\": {\"name\": \"bicep\", \"version\": \"0.45.1\", \"templateHash\": \"123\"}}}\n",
    "parameters": {}
  }
}
`

func TestSameButStamp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		text     string
		from, to string
		same     bool
	}{
		{"version, in all templates", stamped, "0.45.1", "0.100.12", true},
		{"hash", stamped, "123", "98765", true},
		{"hash of a module", stamped, `"5"`, `"98765"`, true},
		{"ends of lines", stamped, "\n", "\r\n", true},
		{"JSON", stampedJSON, "0.45.1", "0.100.12", true},
		{"JSON, hash", stampedJSON, "123", "98765", true},
		{"a variable that looks like a stamp", stamped, `"1"`, `"11"`, false},
		{"a text that looks like a stamp", stamped, `\"3\"`, `\"33\"`, false},
		{"name", stamped, `"name": "bicep", "version": "0`, `"name": "other", "version": "0`, false},
		{"another member", stamped, `"resources": []`, `"resources": [], "outputs": {}`, false},
		{"an absent stamp", stamped, `{"_generator": {"version": "0.45.1"}}`, `{}`, false},
		{"layout of the template", stamped, `"metadata": {"_generator"`, `"metadata":{"_generator"`, false},
		{"layout before a stamp", stamped, `"version": "0`, `"version":  "0`, false},
		{"layout of the manifest", stamped, "    ", "      ", false},
		{"layout of JSON", stampedJSON, "\n    ", "\n  ", false},
		{"a line", stamped, "spec:", "\nspec:", false},
		{"comment", stamped, "by hand", "by me", false},
		{"another key", stamped, "  parameters", "  params", false},
		{"another document", stamped, "  parameters: {}\n", "  parameters: {}\n---\na: b\n", false},
		{"quotes", stamped, "{}\n", "{\n", false},
		{"a template that is cut off", stamped, "  }\n    }\n", "  }\n", false},
		{"version, where the template is no JSON", strings.Replace(stamped, "  }\n    }\n", "  }\n", 1), "0.45.1", "0.100.12", false},
		{"version, where the template is too deep", strings.Replace(stamped, "[]", strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000), 1), "0.45.1", "0.100.12", false},
		{"no template", stamped, "template", "other", false},
	} {
		changed := strings.ReplaceAll(c.text, c.from, c.to)
		assert.NotEqual(t, c.text, changed, c.name)
		assert.Equal(t, c.same, sameButStamp([]byte(c.text), []byte(changed)), c.name)
		assert.Equal(t, c.same, sameButStamp([]byte(changed), []byte(c.text)), c.name)
	}
	assert.False(t, sameButStamp(nil, []byte(stamped)), "nothing")
}
