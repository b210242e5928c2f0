package schema

import (
	"reflect"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Named is a schema that `rad bicep schema` prints.
type Named struct {
	Name, Title string
	Make        func() Schema
}

// Document returns the whole schema.
func (s Named) Document() Schema {
	out := s.Make()
	out["$schema"] = "http://json-schema.org/draft-07/schema#"
	out["$id"] = Home + s.Name + ".json"
	out["title"] = s.Title
	return out
}

// Text returns the schema as it is printed.
func (s Named) Text() ([]byte, error) { return report.EncodeJSON(s.Document()) }

// Answer returns the schema of a command's answer.
func Answer(command string, result Schema) Schema {
	out := ofType(reflect.TypeFor[cli.Answer]())
	properties := out["properties"].(Schema)
	properties["schemaVersion"].(Schema)["const"] = cli.AnswerVersion
	if command != "" {
		properties["command"].(Schema)["const"] = command
	}
	result["description"] = "what the command made; null if it made nothing"
	if command != "" {
		result = Schema{"anyOf": []Schema{result, {"type": "null"}}}
	}
	properties["result"] = result
	return out
}
