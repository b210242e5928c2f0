package schema

import (
	"strings"
	"time"

	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
)

// PlanVersion is the version of the result of plan.
const PlanVersion = 1

// Plan returns the schema of the result of plan.
func Plan() Schema {
	return object(Schema{"version": Schema{"const": PlanVersion}, "plans": listOf(onePlan(true))})
}

// onePlan returns the schema of one plan, as Plan.JSON writes it.
func onePlan(titled bool) Schema {
	value := Schema{"description": "a JSON value; " +
		"an expression in brackets is unknown before deployment, and (secure) stands for a secure value"}
	changes := listOf(object(Schema{
		"path": textSchema("where the property is"), "change": enumOf("deploy", "create", "update", "delete", "unknown"),
		"secure?": Schema{"const": true, "description": "the values are secure and not shown"}, "before?": value, "after?": value,
	}))
	count := Schema{"type": "integer", "minimum": 0}
	summary := object(Schema{"deploy?": count, "create?": count,
		"update?": count, "delete?": count, "replace?": count, "rename?": count, "unknown?": count, "unchanged?": count})
	summary["description"] = "how many resources, or objects that recipes make, have each action; " +
		"create and delete count those with the action replace, too; deploy alone if there is nothing to compare with"
	resource := object(Schema{
		"action": enumOf("deploy", "create", "update", "delete", "replace", "rename", "unknown"),
		"type":   textSchema("type of the resource"),
		"name?":  textSchema("name, as far as it is known"), "id?": textSchema("ID, or what is known of it"), "apiVersion?": textSchema(""),
		"symbol?": textSchema("symbolic name"), "module?": textSchema("module that declares it"),
		"application?": textSchema(""), "environment?": textSchema(""),
		"renamedFrom?": textSchema("the name before"),
		"deletes?":     describe(enumOf("yes", "maybe"), "whether what is deployed now is deleted"),
		"recipeOf?":    textSchema("ID of the resource whose recipe makes this one"),
		"notKnown?":    textSchema("why it is not known what the recipe makes, all of which the resource stands for"),
		"condition?":   value, "copies?": value, "file?": textSchema(""),
		"line?": count, "column?": count, "endLine?": count, "body?": value, "changes?": changes,
	})
	unknown := object(Schema{
		"expression": textSchema("what cannot be known"), "reason": textSchema("why"), "option?": textSchema("the flag that would say it"),
		"resources": listOf(Schema{"type": "string"}),
	})
	values := Schema{"type": "object", "description": "long expressions that others mention as variables('NAME')"}
	properties := Schema{"summary": summary, "objects?": summary, "resources": listOf(resource), "outputs?": changes,
		"notDeployed?": describe(listOf(resource), "what the change is about and a condition leaves out on both sides"),
		"values?":      values, "unknowns": listOf(unknown)}
	if titled {
		properties["title"] = textSchema("what is planned")
	}
	return object(properties)
}

// Graph returns the schema of the result of graph: Radius' ApplicationGraphResponse,
// and the kind of a connection.
func Graph() Schema {
	connection := object(Schema{
		"direction": enumOf("Inbound", "Outbound"), "id": textSchema("ID of the other resource"),
		"kind": textSchema("what makes the connection"),
	})
	made := object(Schema{"id": textSchema(""), "name": textSchema(""), "type": textSchema("")})
	return object(Schema{"resources": listOf(object(Schema{
		"connections": listOf(connection), "diffHash": textSchema("changes with the resource's properties"),
		"id": textSchema(""), "name": textSchema(""),
		"outputResources": describe(listOf(made), "with --objects: what its recipe makes"), "properties?": Schema{"type": "object"},
		"provisioningState": textSchema(""), "type": textSchema(""),
	}))})
}

// Lock returns the schema of bicep.lock.json.
func Lock() Schema {
	digest := Schema{"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
	size := Schema{"type": "integer", "minimum": 0}
	layer := object(Schema{"mediaType": textSchema(""), "digest": digest, "size": size})
	entry := object(Schema{
		"kind": enumOf("module", "extension", "recipe"), "digest": digest, "size": size,
		"mediaType": textSchema(""), "layers": listOf(layer),
	})
	return object(Schema{
		"version":   Schema{"const": artifacts.LockVersion},
		"artifacts": Schema{"type": "object", "description": "artifacts by their references", "additionalProperties": entry},
	})
}

// recipeSchema is the schema of what stands for a cluster of Radius.
func recipeSchema() Schema {
	text := Schema{"type": "string"}
	return describe(nullable(object(Schema{
		"environment?": describe(text, "file that declares environments and recipe packs"),
		"packs?":       describe(listOf(text), "files that declare more recipe packs, or default@RELEASE: the default pack of Radius"),
		"types?":       describe(listOf(text), "manifests of resource types"),
		"sources?": describe(Schema{"type": "object", "additionalProperties": text},
			"files by the sources of recipes, without tags"),
		"assume?": describe(Schema{"type": "object", "additionalProperties": Schema{"type": "object"}},
			"properties of resources, by TYPE/NAME"),
	})), "recipes of Radius, for the target kubernetes. A project's file may name files below the root")
}

// Settings returns the schema of a settings file.
func Settings() Schema {
	text := Schema{"type": "string"}
	texts := Schema{"anyOf": []Schema{text, listOf(text)}}
	textMap := Schema{"type": "object", "additionalProperties": text}
	properties := Schema{
		"labels?":      describe(textMap, "labels of all manifests"),
		"annotations?": describe(textMap, "annotations of all manifests"),
		"recipes?":     recipeSchema(),
	}
	for _, s := range settings.Generate.All() {
		var one Schema
		switch s.Default.(type) {
		case bool:
			one = Schema{"type": "boolean"}
		case time.Duration:
			pattern := "^[0-9.]+(ns|us|µs|ms|s|m|h)([0-9.]+(ns|us|µs|ms|s|m|h))*$"
			if s.Zero {
				pattern = "^0$|" + pattern
			}
			one = Schema{"type": "string", "pattern": pattern}
		case []string:
			if one = texts; len(s.Enum) > 0 {
				item := Schema{"type": "string", "pattern": "^(.*=)?(" + strings.Join(s.Enum, "|") + ")$"}
				one = Schema{"anyOf": []Schema{item, listOf(item)}}
			}
		case string:
			one = text
		}
		if _, isText := s.Default.(string); isText && len(s.Enum) > 0 {
			values := make([]any, len(s.Enum))
			for i, v := range s.Enum {
				values[i] = v
			}
			one = Schema{"enum": values}
		}
		if s.Key == settings.KeyRegistryMirrors {
			one = Schema{"anyOf": []Schema{text, listOf(text), textMap}}
		}
		properties[s.Key+"?"] = describe(one, strings.ReplaceAll(s.HelpIn(settings.Generate),
			"`", "")+". A project's file may set it: "+strings.ReplaceAll(s.Project.May, "`", ""))
	}
	one := Schema{
		"parameters?": describe(texts, "arguments of --parameters"), "labels?": textMap, "annotations?": textMap,
		"recipes?": recipeSchema(),
	}
	one["dependsOn?"] = describe(listOf(Schema{"anyOf": []Schema{text, {
		"type": "object", "additionalProperties": false, "required": []string{"apiVersion", "kind", "name"},
		"properties": Schema{"apiVersion": text, "kind": text, "name": text},
	}}}), "names of other targets, or objects, that must be ready before; for the target design")
	for _, name := range settings.TargetKeys() {
		if _, ok := one[name+"?"]; !ok {
			one[name+"?"] = text
		}
	}
	one["template"] = describe(text, ".bicep, .bicepparam or .json file, from the folder that holds .rad")
	delete(one, "template?")
	one["target?"] = Schema{"enum": settings.TargetNames}
	for _, s := range settings.OfTargets() {
		one[s.Key+"?"] = properties[s.Key+"?"]
	}
	properties["targets?"] = describe(listOf(nullable(object(one))), "the manifests of the project")
	return nullable(object(properties))
}
