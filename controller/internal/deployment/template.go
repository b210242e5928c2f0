package deployment

import (
	"encoding/json"
	"strings"
)

// document is a parsed ARM template.
type document struct{ root map[string]any }

// maxDepth bounds the nesting of templates and types that is followed.
const maxDepth = 50

func objectOf(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// parameter finds a declaration. Names of parameters do not depend on case.
func (d *document) parameter(name string) map[string]any {
	return lookup(objectOf(d.root["parameters"]), name)
}

func lookup(m map[string]any, name string) map[string]any {
	if v, ok := m[name]; ok {
		return objectOf(v)
	}
	for k, v := range m {
		if strings.EqualFold(k, name) {
			return objectOf(v)
		}
	}
	return nil
}

// resolve follows references to definitions. What is beside a reference is added to it.
func (d *document) resolve(declared map[string]any) map[string]any {
	for range maxDepth {
		name, ok := strings.CutPrefix(stringOf(declared["$ref"]), "#/definitions/")
		if !ok {
			return declared
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		merged := map[string]any{}
		for k, v := range lookup(objectOf(d.root["definitions"]), name) {
			merged[k] = v
		}
		for k, v := range declared {
			if k != "$ref" {
				merged[k] = v
			}
		}
		declared = merged
	}
	return declared
}

// resources calls f for each resource, those of nested templates and children included, with its full type.
func resources(root map[string]any, f func(typ string, resource map[string]any)) {
	var walk func(v any, parent string, depth int)
	one := func(v any, parent string, depth int) {
		r := objectOf(v)
		if r == nil || depth > maxDepth {
			return
		}
		typ := stringOf(r["type"])
		if parent != "" && !strings.Contains(typ, "/") {
			typ = parent + "/" + typ
		}
		f(typ, r)
		bare, _, _ := strings.Cut(typ, "@")
		walk(r["resources"], bare, depth+1)
		walk(objectOf(objectOf(r["properties"])["template"])["resources"], "", depth+1)
	}
	walk = func(v any, parent string, depth int) {
		switch list := v.(type) {
		case []any:
			for _, r := range list {
				one(r, parent, depth)
			}
		case map[string]any:
			for _, name := range sortedKeys(list) {
				one(list[name], parent, depth)
			}
		}
	}
	walk(root["resources"], "", 0)
}

// versions are the API versions that the template names, by lower-case type. Of several the newest counts.
func (d *document) versions() map[string]string {
	found := map[string]string{}
	resources(d.root, func(typ string, r map[string]any) {
		bare, version, ok := strings.Cut(typ, "@")
		if !ok {
			version = stringOf(r["apiVersion"])
		}
		if bare == "" || version == "" || strings.HasPrefix(version, "[") || strings.HasPrefix(bare, "[") {
			return
		}
		key := strings.ToLower(bare)
		found[key] = max(found[key], version)
	})
	if len(found) == 0 {
		return nil
	}
	return found
}

// count is how many resources the template makes, those of its modules included, or 0 if that is not
// known before it is deployed.
func (d *document) count() int {
	n, known := 0, true
	resources(d.root, func(typ string, r map[string]any) {
		_, loops := r["copy"]
		_, conditional := r["condition"]
		_, linked := objectOf(r["properties"])["templateLink"]
		existing, _ := r["existing"].(bool)
		bare, _, _ := strings.Cut(typ, "@")
		switch {
		case existing:
		case loops || conditional || linked:
			known = false
		case !strings.EqualFold(bare, "Microsoft.Resources/deployments"):
			n++
		}
	})
	if !known {
		return 0
	}
	return n
}

// secrets are the values that must not be shown: those given for secure parameters, their
// defaults, and what the template hands to secure parameters of its modules.
func (d *document) secrets(given map[string]any) (values []string, has bool) {
	seen := map[string]bool{}
	add := func(v any) {
		leaves(v, 0, func(s string) {
			if !seen[s] {
				seen[s] = true
				values = append(values, s)
			}
		})
	}
	for name := range given {
		d.secure(given[name].(map[string]any)["value"], d.parameter(name), 0, func(v any) { has = true; add(v) })
	}
	inner := func(doc *document, handed map[string]any) {
		declared := objectOf(doc.root["parameters"])
		for _, name := range sortedKeys(declared) {
			if doc.isSecure(objectOf(declared[name]), 0) {
				has = true
			}
			for _, v := range []any{objectOf(declared[name])["defaultValue"], lookup(handed, name)["value"]} {
				doc.secure(v, objectOf(declared[name]), 0, func(v any) {
					if s := stringOf(v); !strings.HasPrefix(s, "[") {
						add(v)
					}
				})
			}
		}
	}
	inner(d, nil)
	resources(d.root, func(_ string, r map[string]any) {
		properties := objectOf(r["properties"])
		if template := objectOf(properties["template"]); template != nil {
			inner(&document{template}, objectOf(properties["parameters"]))
		}
	})
	return values, has
}

// isSecure is true if a type is secure, or something in it is.
func (d *document) isSecure(declared map[string]any, depth int) bool {
	if declared == nil || depth > maxDepth {
		return false
	}
	declared = d.resolve(declared)
	if strings.HasPrefix(strings.ToLower(stringOf(declared["type"])), "secure") {
		return true
	}
	for _, p := range objectOf(declared["properties"]) {
		if d.isSecure(objectOf(p), depth+1) {
			return true
		}
	}
	return d.isSecure(objectOf(declared["additionalProperties"]), depth+1) || d.isSecure(objectOf(declared["items"]), depth+1)
}

// secure calls f for each part of a value whose declared type is secure.
func (d *document) secure(v any, declared map[string]any, depth int, f func(any)) {
	if v == nil || declared == nil || depth > maxDepth {
		return
	}
	declared = d.resolve(declared)
	if strings.HasPrefix(strings.ToLower(stringOf(declared["type"])), "secure") {
		f(v)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			typ := lookup(objectOf(declared["properties"]), k)
			if typ == nil {
				typ = objectOf(declared["additionalProperties"])
			}
			d.secure(child, typ, depth+1, f)
		}
	case []any:
		prefix, _ := declared["prefixItems"].([]any)
		for i, child := range v {
			typ := objectOf(declared["items"])
			if i < len(prefix) {
				typ = objectOf(prefix[i])
			}
			d.secure(child, typ, depth+1, f)
		}
	}
}

// leaves calls f for each text and number in a value.
func leaves(v any, depth int, f func(string)) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case string:
		if v != "" {
			f(v)
		}
	case json.Number:
		f(v.String())
	case []any:
		for _, c := range v {
			leaves(c, depth+1, f)
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			leaves(v[k], depth+1, f)
		}
	}
}
