package roundtrip

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// values makes up values for the parameters of a template: those without a default, or all of
// them. The secure ones are apart.
func values(template []byte, all bool) (plain, secure map[string]any, err error) {
	var t struct {
		Parameters  map[string]map[string]any `json:"parameters"`
		Definitions map[string]map[string]any `json:"definitions"`
	}
	if err := decode(template, &t); err != nil {
		return nil, nil, err
	}
	plain, secure = map[string]any{}, map[string]any{}
	for name, p := range t.Parameters {
		_, hasDefault := p["defaultValue"]
		if (hasDefault || p["nullable"] == true) && !all {
			continue
		}
		v := valueOf(p, t.Definitions, name, all, 0)
		if kind, _ := resolved(p, t.Definitions)["type"].(string); strings.HasPrefix(strings.ToLower(kind), "secure") {
			if !hasDefault && p["nullable"] != true {
				secure[name] = v
			}
			continue
		}
		plain[name] = v
	}
	return plain, secure, nil
}

// resolved follows the references of a type.
func resolved(p map[string]any, definitions map[string]map[string]any) map[string]any {
	for range 20 {
		ref, ok := p["$ref"].(string)
		if !ok {
			break
		}
		p = definitions[strings.TrimPrefix(ref, "#/definitions/")]
	}
	return p
}

// valueOf makes up a value of a type. Its name says what it may be good for.
func valueOf(p map[string]any, definitions map[string]map[string]any, name string, all bool, depth int) any {
	p = resolved(p, definitions)
	if list, ok := p["allowedValues"].([]any); ok && len(list) > 0 {
		if p["type"] == "array" {
			return list[:1]
		}
		return list[0]
	}
	kind, _ := p["type"].(string)
	switch strings.TrimPrefix(strings.ToLower(kind), "secure") {
	case "bool":
		return true
	case "int":
		if n, ok := p["minValue"]; ok {
			return n
		}
		return json.Number("1")
	case "array":
		list := []any{}
		if prefix, ok := p["prefixItems"].([]any); ok {
			for _, x := range prefix {
				if x, ok := x.(map[string]any); ok {
					list = append(list, valueOf(x, definitions, name, all, depth+1))
				}
			}
			return list
		}
		items, ok := p["items"].(map[string]any)
		if n, _ := p["minLength"].(json.Number); ok && (all && depth < 6 || n != "" && n != "0") {
			list = append(list, valueOf(items, definitions, strings.TrimSuffix(name, "s"), all, depth+1))
		}
		return list
	case "object":
		return objectOf(p, definitions, all, depth)
	}
	return textOf(name, p)
}

func objectOf(p map[string]any, definitions map[string]map[string]any, all bool, depth int) any {
	o := map[string]any{}
	if d, ok := p["discriminator"].(map[string]any); ok {
		mapping, _ := d["mapping"].(map[string]any)
		for _, value := range slices.Sorted(maps.Keys(mapping)) {
			variant, _ := mapping[value].(map[string]any)
			v, _ := valueOf(variant, definitions, value, all, depth+1).(map[string]any)
			return v
		}
	}
	properties, _ := p["properties"].(map[string]any)
	for name, x := range properties {
		of, ok := x.(map[string]any)
		if !ok || of["nullable"] == true && (!all || depth > 5) {
			continue
		}
		o[name] = valueOf(of, definitions, name, all, depth+1)
	}
	return o
}

// textOf makes up a text that Azure might take under such a name.
func textOf(name string, p map[string]any) string {
	lower := strings.ToLower(name)
	text := "sample"
	switch {
	case lower == "location":
		text = "westeurope"
	case strings.Contains(lower, "principalid"), strings.Contains(lower, "objectid"), strings.Contains(lower, "tenantid"), strings.HasSuffix(lower, "clientid"):
		text = "11111111-2222-3333-4444-555555555555"
	case strings.Contains(lower, "subnet") && strings.Contains(lower, "id"):
		text = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/s"
	case strings.Contains(lower, "workspace") && strings.Contains(lower, "id"):
		text = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/logs/providers/Microsoft.OperationalInsights/workspaces/w"
	case strings.HasSuffix(lower, "id"):
		text = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/other/providers/Microsoft.Example/things/t"
	case strings.Contains(lower, "addressprefix"), strings.Contains(lower, "cidr"):
		text = "10.0.0.0/24"
	}
	least, _ := p["minLength"].(json.Number)
	if n, err := least.Int64(); err == nil {
		for int64(len(text)) < n {
			text += "x"
		}
	}
	most, _ := p["maxLength"].(json.Number)
	if n, err := most.Int64(); err == nil && int64(len(text)) > n {
		text = text[:n]
	}
	return text
}

// writeParameters writes a parameter file.
func writeParameters(file, template string, of ...map[string]any) error {
	var b strings.Builder
	fmt.Fprintf(&b, "using '%s'\n", template)
	for _, values := range of {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			text, err := json.Marshal(map[string]any{"v": values[name]})
			if err != nil {
				return err
			}
			quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`, `$`, `\$`).Replace(string(text))
			fmt.Fprintf(&b, "param %s = json('%s').v\n", name, quoted)
		}
	}
	return os.WriteFile(file, []byte(b.String()), 0o666)
}
