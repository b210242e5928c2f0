// Schematable writes the table of kinds that package schema is built with: of the OpenAPI documents of Kubernetes, and of the
// CRDs of Gateway API. Both come from the Go module proxy.
//
//	go run . -out ../../../pkg/manifest/schema/table.gz
//	go run . -text
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// The modules that are read. What messages call them is their name and the release, without the patch.
var sources = []struct{ name, module, version string }{
	{"Kubernetes", "k8s.io/kubernetes", "v1.34.2"},
	{"Gateway API", "sigs.k8s.io/gateway-api", "v1.6.0"},
}

func main() {
	out := flag.String("out", "", "`file` to write the table to, compressed")
	text := flag.Bool("text", false, "print the table")
	flag.Parse()
	if err := run(*out, *text); err != nil {
		fmt.Fprintln(os.Stderr, "schematable:", err)
		os.Exit(1)
	}
}

func run(out string, text bool) error {
	t := &table{numbers: map[string]int{}, openAPI: map[string]map[string]any{}}
	var header []string
	for i, s := range sources {
		dir, err := download(s.module + "@" + s.version)
		if err == nil && i == 0 {
			err = t.readOpenAPI(filepath.Join(dir, "api", "openapi-spec", "v3"))
		} else if err == nil {
			// This channel has all kinds and all fields of the other.
			err = t.readCRDs(filepath.Join(dir, "config", "crd", "experimental"), i)
		}
		if err != nil {
			return err
		}
		header = append(header, s.name+" "+strings.TrimPrefix(s.version[:strings.LastIndexByte(s.version, '.')], "v"))
	}
	slices.Sort(t.kinds)
	plain := []byte(strings.Join(header, "\n") + "\n\n" + strings.Join(t.kinds, "\n") + "\n\n" + strings.Join(t.schemas, "\n") + "\n")
	if text {
		if _, err := os.Stdout.Write(plain); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err = w.Write(plain); err == nil {
		err = w.Close()
	}
	if err != nil || out == "" {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d kinds, %d schemas; %d bytes, %d compressed\n", len(t.kinds), len(t.schemas), len(plain), b.Len())
	return os.WriteFile(out, b.Bytes(), 0o666)
}

// download returns where a version of a module lies.
func download(module string) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Stderr = os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go mod download %s: %w: %s", module, err, answer)
	}
	var m struct{ Dir string }
	return m.Dir, json.Unmarshal(answer, &m)
}

// table has a line for each kind and for each schema. Schemas refer to others by their numbers.
type table struct {
	kinds, schemas []string
	numbers        map[string]int
	openAPI        map[string]map[string]any // by name
}

// addKind adds a kind: group, version, kind, whether it is in a namespace, the number of its schema and that of its source.
func (t *table) addKind(group, version, kind string, namespaced bool, schema, source int) {
	scope := "c"
	if namespaced {
		scope = "n"
	}
	t.kinds = append(t.kinds, fmt.Sprintf("%s %s %s %s %d %d", cmp.Or(group, "-"), version, kind, scope, schema, source))
}

func (t *table) addSchema(s any) (int, error) {
	text, err := json.Marshal(s)
	t.schemas = append(t.schemas, string(text))
	return len(t.schemas) - 1, err
}

// readOpenAPI reads the documents of a cluster's API: a kind that can be applied is one that has a path for PATCH.
func (t *table) readOpenAPI(dir string) error {
	type gvk struct{ Group, Version, Kind string }
	type document struct {
		Components struct{ Schemas map[string]map[string]any }
		Paths      map[string]struct {
			Patch *struct {
				Kind gvk `json:"x-kubernetes-group-version-kind"`
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%s holds no documents: %w", dir, err)
	}
	namespaced := map[gvk]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var d document
		if err := json.Unmarshal(text, &d); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		maps.Copy(t.openAPI, d.Components.Schemas)
		for path, ops := range d.Paths {
			if ops.Patch != nil && strings.HasSuffix(path, "{name}") {
				namespaced[ops.Patch.Kind] = strings.Contains(path, "{namespace}")
			}
		}
	}
	names := map[gvk]string{}
	for _, name := range slices.Sorted(maps.Keys(t.openAPI)) {
		list, err := json.Marshal(t.openAPI[name]["x-kubernetes-group-version-kind"])
		var kinds []gvk
		if err == nil {
			err = json.Unmarshal(list, &kinds)
		}
		if err != nil {
			return err
		}
		if !strings.Contains(name, ".meta.v1.") { // options, which all groups have
			for _, k := range kinds {
				names[k] = name
			}
		}
	}
	if _, err := t.number("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"); err != nil {
		return err
	}
	for _, k := range slices.SortedFunc(maps.Keys(namespaced), func(a, b gvk) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Kind, b.Kind))
	}) {
		n, err := t.number(names[k])
		if err != nil {
			return fmt.Errorf("%v: %w", k, err)
		}
		t.addKind(k.Group, k.Version, k.Kind, namespaced[k], n, 0)
	}
	return nil
}

// number returns the number of a schema of the API; that of metadata is 0.
func (t *table) number(name string) (int, error) {
	if n, ok := t.numbers[name]; ok {
		return n, nil
	}
	s, ok := t.openAPI[name]
	if !ok {
		return 0, fmt.Errorf("there is no schema %q", name)
	}
	n := len(t.schemas)
	t.numbers[name], t.schemas = n, append(t.schemas, "")
	slim, err := t.slim(s, false)
	if err != nil {
		return 0, err
	}
	if required, ok := slim["required"].([]any); ok {
		may := optional[name[strings.LastIndexByte(name, '.')+1:]]
		slim["required"] = slices.DeleteFunc(required, func(field any) bool { return slices.Contains(may, field.(string)) })
	}
	text, err := json.Marshal(slim)
	t.schemas[n] = string(text)
	return n, err
}

// readCRDs reads the CRDs in a folder.
func (t *table) readCRDs(dir string, source int) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var d struct {
			Kind string
			Spec struct {
				Group    string
				Scope    string
				Names    struct{ Kind string }
				Versions []struct {
					Name   string
					Schema struct{ OpenAPIV3Schema map[string]any }
				}
			}
		}
		if err := yaml.Unmarshal(text, &d); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if d.Kind != "CustomResourceDefinition" {
			continue
		}
		for _, v := range d.Spec.Versions {
			slim, err := t.slim(v.Schema.OpenAPIV3Schema, true)
			if err != nil {
				return err
			}
			n, err := t.addSchema(slim)
			if err != nil {
				return err
			}
			t.addKind(d.Spec.Group, v.Name, d.Spec.Names.Kind, d.Spec.Scope == "Namespaced", n, source)
		}
	}
	return nil
}

// kept are the members of a schema that say which values fit.
var kept = []string{
	"type", "format", "required", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
	"multipleOf", "minItems", "maxItems", "minProperties", "maxProperties", "nullable",
	"x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource",
}

// optional are fields that the schemas of the API require and an API server does without: kube-apiserver 1.36 was asked.
var optional = map[string][]string{
	"CSIDriver": {"spec"}, "CSINode": {"spec"}, "CSINodeSpec": {"drivers"}, "ControllerRevision": {"revision"},
	"CustomResourceDefinitionVersion": {"served", "storage"}, "DeviceClass": {"spec"}, "EndpointSlice": {"endpoints"}, "HTTPHeader": {"value"},
	"ISCSIPersistentVolumeSource": {"lun"}, "ISCSIVolumeSource": {"lun"}, "LimitRangeSpec": {"limits"}, "PodFailurePolicy": {"rules"},
	"PodFailurePolicyOnPodConditionsPattern": {"status"}, "PreferredSchedulingTerm": {"preference"}, "PriorityClass": {"value"},
	"ResourceClaim": {"spec"}, "RoleRef": {"apiGroup"}, "ScaleIOPersistentVolumeSource": {"secretRef"}, "ScaleIOVolumeSource": {"secretRef"},
	"SleepAction": {"seconds"}, "Sysctl": {"value"},
}

// slim returns what a schema says of values.
func (t *table) slim(s map[string]any, crd bool) (map[string]any, error) {
	if ref, ok := s["$ref"].(string); ok {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		switch name[strings.LastIndexByte(name, '.')+1:] {
		case "Quantity":
			return map[string]any{"format": "quantity"}, nil
		case "IntOrString":
			return map[string]any{"x-kubernetes-int-or-string": true}, nil
		}
		n, err := t.number(name)
		return map[string]any{"$ref": strconv.Itoa(n)}, err
	}
	if all, ok := s["allOf"].([]any); ok && !crd { // so that a reference has a description
		return t.slim(all[0].(map[string]any), crd)
	}
	out := map[string]any{}
	for _, key := range kept {
		if v, ok := s[key]; ok {
			out[key] = v
		}
	}
	if v, ok := s["default"]; ok && crd { // where a cluster fills it in before it checks
		out["default"] = v
	}
	if out["type"] == "object" && !crd && s["properties"] == nil && s["additionalProperties"] == nil {
		out["x-kubernetes-preserve-unknown-fields"] = true // any object
	}
	for _, key := range []string{"properties", "additionalProperties", "items", "not", "allOf", "anyOf", "oneOf"} {
		v, ok := s[key]
		if !ok {
			continue
		}
		var err error
		if out[key], err = t.part(key, v, crd); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// part returns a member of a schema that holds others.
func (t *table) part(key string, v any, crd bool) (any, error) {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			var err error
			if list[i], err = t.slim(x.(map[string]any), crd); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		if key != "properties" {
			return t.slim(v, crd)
		}
		members := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) { // they number the schemas that they refer to
			x := v[name]
			if name == "status" && v["spec"] != nil { // the cluster writes it
				members[name] = map[string]any{}
				continue
			}
			var err error
			if members[name], err = t.slim(x.(map[string]any), crd); err != nil {
				return nil, err
			}
		}
		return members, nil
	}
	return v, nil
}
