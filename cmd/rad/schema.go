package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/settings"

	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
)

// The schemas of what programs read and write: the answers of the commands, the settings
// file and the lock file. Those of answers are made of the types that are printed, and that
// of the settings of their table, so they are always up to date.

// schema is a JSON schema, or a part of one.
type schema map[string]any

// schemaHome is where the schemas are published.
const schemaHome = "https://raw.githubusercontent.com/radbicep/rad/main/docs/schemas/"

// namedSchema is a schema that `rad bicep schema` prints.
type namedSchema struct {
	name, title string
	make        func() schema
}

// schemas are all schemas, in the order in which they are listed.
func schemas() []namedSchema {
	list := []namedSchema{
		{"settings", "Settings of rad bicep: .rad/bicep.yaml", settingsSchema},
		{"lock", "bicep.lock.json", lockSchema},
		{"answer", "What a command with --format json prints", func() schema { return answerSchema("", schema{}) }},
	}
	for _, r := range commandResults {
		list = append(list, namedSchema{strings.ReplaceAll(r.command, " ", "-"), "What rad bicep " + r.command + " --format json prints",
			func() schema { return answerSchema(r.command, r.schema()) }})
	}
	return list
}

// commandResults are the results of the commands that take --format json. A test compares
// the list with the commands.
var commandResults = []struct {
	command string
	schema  func() schema
}{
	{"generate-kubernetes-manifest", schemaOf[deliver.GenerateResult]},
	{"plan", planSchema},
	{"graph", graphSchema},
	{"affected", schemaOf[affectedResult]},
	{"bundle", schemaOf[bundleResult]},
	{"inspect", schemaOf[inspectResult]},
	{"verify", schemaOf[verifyResult]},
	{"outdated", schemaOf[outdatedResult]},
	{"cache list", schemaOf[cacheContent]},
	{"cache path", schemaOf[cachePath]},
	{"cache clean", schemaOf[cacheContent]},
	{"types import az", schemaOf[azureTypes]},
	{"explain", schemaOf[explainResult]},
	{"init", schemaOf[initResult]},
	{"link", schemaOf[linked]},
	{"schema", schemaOf[schemaResult]},
	{"version", schemaOf[bicepVersionResult]},
	{"rad version", schemaOf[versionResult]},
}

func newSchema(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON schema of a result, of the settings file or of the lock file",
		Long: `Print a JSON schema: of what a command prints with --format json, of .rad/bicep.yaml
(settings), or of bicep.lock.json (lock). Without a name, the names are listed.`,
		Example: `  rad bicep schema
  rad bicep schema plan
  rad bicep schema settings > settings.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Fail(cli.ExitUsage, "%s and %s: one schema at a time", args[0], args[1])
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return schemaNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.schema(args) },
	}
	a.TakesFormat(c, "text", "json")
	return c
}

// schemaResult is the result of schema.
type schemaResult struct {
	Names  []string `json:"names,omitempty" doc:"without a name: those of the schemas"`
	Schema schema   `json:"schema,omitempty" doc:"the schema that was named"`
}

func schemaNames() []string {
	var names []string
	for _, s := range schemas() {
		names = append(names, s.name)
	}
	return names
}

func (a *app) schema(args []string) error {
	all := schemas()
	if len(args) == 0 {
		if a.WantsJSON() {
			a.Result = schemaResult{Names: schemaNames()}
			return nil
		}
		for _, s := range all {
			if _, err := fmt.Fprintf(a.Stdout, "%-30s %s\n", s.name, s.title); err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
		}
		return nil
	}
	i := slices.IndexFunc(all, func(s namedSchema) bool { return s.name == args[0] })
	if i < 0 {
		return cli.Fail(cli.ExitUsage, "there is no schema %q%s; 'rad bicep schema' lists them", args[0], cli.DidYouMean(args[0], schemaNames()))
	}
	if a.WantsJSON() {
		a.Result = schemaResult{Schema: all[i].document()}
		return nil
	}
	text, err := all[i].text()
	if err == nil {
		_, err = a.Stdout.Write(text)
	}
	return cli.FailWith(cli.ExitIO, err)
}

// document returns the whole schema.
func (s namedSchema) document() schema {
	out := s.make()
	out["$schema"] = "http://json-schema.org/draft-07/schema#"
	out["$id"] = schemaHome + s.name + ".json"
	out["title"] = s.title
	return out
}

// text returns the schema as it is printed.
func (s namedSchema) text() ([]byte, error) { return cli.EncodeJSON(s.document()) }

// answerSchema returns the schema of a command's answer.
func answerSchema(command string, result schema) schema {
	out := typeSchema(reflect.TypeFor[cli.Answer]())
	properties := out["properties"].(schema)
	properties["schemaVersion"].(schema)["const"] = cli.AnswerVersion
	if command != "" {
		properties["command"].(schema)["const"] = command
	}
	result["description"] = "what the command made; null if it made nothing"
	if command != "" {
		result = schema{"anyOf": []schema{result, {"type": "null"}}}
	}
	properties["result"] = result
	return out
}

// schemaOf returns the schema of a type as encoding/json prints it.
func schemaOf[T any]() schema { return typeSchema(reflect.TypeFor[T]()) }

func typeSchema(t reflect.Type) schema {
	switch {
	case t == reflect.TypeFor[json.RawMessage](), t.Kind() == reflect.Interface:
		return schema{}
	case t == reflect.TypeFor[schema]():
		return schema{"type": "object"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schema{"anyOf": []schema{typeSchema(t.Elem()), {"type": "null"}}}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return schema{"type": "integer"}
	case reflect.Slice:
		return listOf(typeSchema(t.Elem()))
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": typeSchema(t.Elem())}
	case reflect.Struct:
		return structSchema(t)
	}
	panic("no schema for " + t.String())
}

// structSchema returns the schema of a struct. The tag doc describes a field, enum lists its
// values, and schema:"plan" names what a raw value is.
func structSchema(t reflect.Type) schema {
	properties := schema{}
	required := []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			inner := structSchema(f.Type)
			maps.Copy(properties, inner["properties"].(schema))
			required = append(required, inner["required"].([]string)...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		s := typeSchema(f.Type)
		optional := strings.Contains(options, "omitempty")
		if f.Type.Kind() == reflect.Pointer && optional {
			s = typeSchema(f.Type.Elem())
		}
		switch f.Tag.Get("schema") {
		case "plan":
			s = onePlanSchema(false)
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			var values []any
			for v := range strings.SplitSeq(enum, ",") {
				var n json.Number
				if f.Type.Kind() == reflect.Int && json.Unmarshal([]byte(v), &n) == nil {
					values = append(values, n)
				} else {
					values = append(values, v)
				}
			}
			s["enum"] = values
		}
		if doc := f.Tag.Get("doc"); doc != "" {
			s["description"] = doc
		}
		properties[name] = s
		if !optional {
			required = append(required, name)
		}
	}
	return schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// object returns the schema of an object with these properties. Those whose names end in ?
// may be absent.
func object(properties schema) schema {
	out := schema{}
	required := []string{}
	for name, s := range properties {
		plain, optional := strings.CutSuffix(name, "?")
		if out[plain] = s; !optional {
			required = append(required, plain)
		}
	}
	slices.Sort(required)
	return schema{"type": "object", "properties": out, "required": required, "additionalProperties": false}
}

func listOf(item schema) schema { return schema{"type": "array", "items": item} }

func textSchema(description string) schema {
	return schema{"type": "string", "description": description}
}

func enumOf(values ...any) schema { return schema{"enum": values} }

// planSchema returns the schema of the result of plan.
func planSchema() schema {
	return object(schema{"version": schema{"const": planVersion}, "plans": listOf(onePlanSchema(true))})
}

// onePlanSchema returns the schema of one plan, as Plan.JSON writes it.
func onePlanSchema(titled bool) schema {
	value := schema{"description": "a JSON value; an expression in brackets is unknown before deployment, and (secure) stands for a secure value"}
	changes := listOf(object(schema{
		"path": textSchema("where the property is"), "change": enumOf("create", "update", "delete", "unknown"),
		"secure?": schema{"const": true, "description": "the values are secure and not shown"}, "before?": value, "after?": value,
	}))
	count := schema{"type": "integer", "minimum": 0}
	summary := object(schema{"deploy?": count, "create?": count, "update?": count, "delete?": count, "unknown?": count, "unchanged?": count})
	summary["description"] = "how many resources have each action; deploy alone if there is nothing to compare with"
	resource := object(schema{
		"action": enumOf("deploy", "create", "update", "delete", "unknown"), "type": textSchema("type of the resource"),
		"name?": textSchema("name, as far as it is known"), "id?": textSchema("ID, or what is known of it"), "apiVersion?": textSchema(""),
		"symbol?": textSchema("symbolic name"), "module?": textSchema("module that declares it"), "application?": textSchema(""), "environment?": textSchema(""),
		"renamedFrom?": textSchema("the deleted resource of the same type and body"), "renamedTo?": textSchema("the created resource of the same type and body"),
		"condition?": value, "copies?": value, "file?": textSchema(""), "line?": count, "column?": count, "body?": value, "changes?": changes,
	})
	unknown := object(schema{
		"expression": textSchema("what cannot be known"), "reason": textSchema("why"), "option?": textSchema("the flag that would say it"),
		"resources": listOf(schema{"type": "string"}),
	})
	properties := schema{"summary": summary, "resources": listOf(resource), "outputs?": changes, "unknowns": listOf(unknown)}
	if titled {
		properties["title"] = textSchema("what is planned")
	}
	return object(properties)
}

// graphSchema returns the schema of the result of graph: Radius' ApplicationGraphResponse,
// and the kind of a connection.
func graphSchema() schema {
	connection := object(schema{
		"direction": enumOf("Inbound", "Outbound"), "id": textSchema("ID of the other resource"), "kind": textSchema("what makes the connection"),
	})
	return object(schema{"resources": listOf(object(schema{
		"connections": listOf(connection), "diffHash": textSchema("changes with the resource's properties"), "id": textSchema(""), "name": textSchema(""),
		"outputResources": listOf(schema{}), "properties?": schema{"type": "object"}, "provisioningState": textSchema(""), "type": textSchema(""),
	}))})
}

// lockSchema returns the schema of bicep.lock.json.
func lockSchema() schema {
	digest := schema{"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
	size := schema{"type": "integer", "minimum": 0}
	layer := object(schema{"mediaType": textSchema(""), "digest": digest, "size": size})
	entry := object(schema{
		"kind": enumOf("module", "extension"), "digest": digest, "size": size, "mediaType": textSchema(""), "layers": listOf(layer),
	})
	return object(schema{
		"version":   schema{"const": artifacts.LockVersion},
		"artifacts": schema{"type": "object", "description": "artifacts by their references", "additionalProperties": entry},
	})
}

// settingsSchema returns the schema of a settings file.
func settingsSchema() schema {
	text := schema{"type": "string"}
	texts := schema{"anyOf": []schema{text, listOf(text)}}
	textMap := schema{"type": "object", "additionalProperties": text}
	properties := schema{
		"labels?":      describe(textMap, "labels of all manifests"),
		"annotations?": describe(textMap, "annotations of all manifests"),
	}
	for _, s := range settings.Generate.All() {
		var one schema
		switch s.Default.(type) {
		case bool:
			one = schema{"type": "boolean"}
		case time.Duration:
			one = schema{"type": "string", "pattern": "^[0-9.]+(ns|us|µs|ms|s|m|h)([0-9.]+(ns|us|µs|ms|s|m|h))*$"}
		case []string:
			one = texts
		default:
			one = text
		}
		if len(s.Enum) > 0 {
			values := make([]any, len(s.Enum))
			for i, v := range s.Enum {
				values[i] = v
			}
			one = schema{"enum": values}
		}
		if s.Key == settings.KeyRegistryMirrors {
			one = schema{"anyOf": []schema{text, listOf(text), textMap}}
		}
		properties[s.Key+"?"] = describe(one, strings.ReplaceAll(s.HelpIn(settings.Generate), "`", "")+". A project's file may set it: "+strings.ReplaceAll(s.Project.May, "`", ""))
	}
	one := schema{
		"parameters?": describe(texts, "arguments of --parameters"), "labels?": textMap, "annotations?": textMap,
	}
	for name := range (&settings.Target{}).Fields() {
		one[name+"?"] = text
	}
	one["template"] = describe(text, ".bicep, .bicepparam or .json file, from the folder that holds .rad")
	delete(one, "template?")
	one["target?"] = schema{"enum": settings.TargetNames}
	for _, s := range settings.OfTargets() {
		one[s.Key+"?"] = properties[s.Key+"?"]
	}
	properties["targets?"] = describe(listOf(nullable(object(one))), "the manifests of the project")
	return nullable(object(properties))
}

func describe(s schema, text string) schema {
	out := schema{"description": text}
	for k, v := range s {
		out[k] = v
	}
	return out
}

// nullable lets the values of an object be null, which stands for no value.
func nullable(s schema) schema {
	properties := s["properties"].(schema)
	for name, one := range properties {
		if !slices.Contains(s["required"].([]string), name) {
			properties[name] = schema{"anyOf": []schema{one.(schema), {"type": "null"}}}
		}
	}
	return s
}
