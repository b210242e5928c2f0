package deployment

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// document is a parsed ARM template.
type document struct {
	root map[string]any
	// folded are objects of the template by where they are, with folded names: a search through one for each name of
	// another would take too long.
	folded map[uintptr]map[string]any
}

// maxDepth bounds the nesting of templates and types that is followed.
const maxDepth = 50

func objectOf(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// parameter finds a declaration. Names of parameters do not depend on case.
func (d *document) parameter(name string) map[string]any {
	return d.find(objectOf(d.root["parameters"]), name)
}

// find is an entry of an object, whatever the case of its name.
func (d *document) find(object map[string]any, name string) map[string]any {
	if v, ok := object[name]; ok || len(object) == 0 {
		return objectOf(v)
	}
	at := reflect.ValueOf(object).Pointer()
	folded := d.folded[at]
	if folded == nil {
		folded = make(map[string]any, len(object))
		for _, k := range sortedKeys(object) {
			folded[fold(k)] = object[k]
		}
		if d.folded == nil {
			d.folded = map[uintptr]map[string]any{}
		}
		d.folded[at] = folded
	}
	return objectOf(folded[fold(name)])
}

// fold is equal for names that strings.EqualFold calls equal.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
}

// resolve follows references to definitions. What is beside a reference is added to it.
func (d *document) resolve(declared map[string]any) map[string]any {
	for range maxDepth {
		name, ok := strings.CutPrefix(stringOf(declared["$ref"]), "#/definitions/")
		if !ok {
			return declared
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		merged := maps.Clone(d.find(objectOf(d.root["definitions"]), name))
		if merged == nil {
			merged = map[string]any{}
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
func (d *document) secrets(given map[string]any) (values *Secrets, has bool) {
	values = &Secrets{}
	for name := range given {
		d.secure(given[name].(map[string]any)["value"], d.parameter(name), func(v any) { has = true; leaves(v, values.Add) })
	}
	inner := func(doc *document, handed map[string]any) {
		declared := objectOf(doc.root["parameters"])
		seen := map[string]bool{}
		for _, name := range sortedKeys(declared) {
			if doc.isSecure(objectOf(declared[name]), seen) {
				has = true
			}
			for _, v := range []any{objectOf(declared[name])["defaultValue"], doc.find(handed, name)["value"]} {
				doc.secure(v, objectOf(declared[name]), func(v any) {
					if s := stringOf(v); !strings.HasPrefix(s, "[") {
						leaves(v, values.Add)
					}
				})
			}
		}
	}
	inner(d, nil)
	resources(d.root, func(_ string, r map[string]any) {
		properties := objectOf(r["properties"])
		if template := objectOf(properties["template"]); template != nil {
			inner(&document{root: template}, objectOf(properties["parameters"]))
		}
	})
	return values, has
}

// isSecure is true if a type is secure, or something in it is. Definitions can refer to each other; those that were seen
// are not looked at again.
func (d *document) isSecure(declared map[string]any, seen map[string]bool) bool {
	if declared == nil {
		return false
	}
	if ref := stringOf(declared["$ref"]); ref != "" {
		if seen[ref] {
			return false
		}
		seen[ref] = true
		declared = d.resolve(declared)
	}
	if strings.HasPrefix(strings.ToLower(stringOf(declared["type"])), "secure") {
		return true
	}
	for _, p := range objectOf(declared["properties"]) {
		if d.isSecure(objectOf(p), seen) {
			return true
		}
	}
	prefix, _ := declared["prefixItems"].([]any)
	return slices.ContainsFunc(prefix, func(p any) bool { return d.isSecure(objectOf(p), seen) }) ||
		d.isSecure(objectOf(declared["additionalProperties"]), seen) || d.isSecure(objectOf(declared["items"]), seen)
}

// secure calls f for each part of a value whose declared type is secure.
func (d *document) secure(v any, declared map[string]any, f func(any)) {
	if v == nil || declared == nil {
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
			typ := d.find(objectOf(declared["properties"]), k)
			if typ == nil {
				typ = objectOf(declared["additionalProperties"])
			}
			d.secure(child, typ, f)
		}
	case []any:
		prefix, _ := declared["prefixItems"].([]any)
		for i, child := range v {
			typ := objectOf(declared["items"])
			if i < len(prefix) {
				typ = objectOf(prefix[i])
			}
			d.secure(child, typ, f)
		}
	}
}

// leaves calls f for each text and number in a value.
func leaves(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case json.Number:
		f(v.String())
	case []any:
		for _, c := range v {
			leaves(c, f)
		}
	case map[string]any:
		for _, c := range v {
			leaves(c, f)
		}
	}
}
