package integration

import (
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// compareFields holds a schema to a Go type, field by field.
func compareFields(t *testing.T, path string, schema map[string]any, object any) {
	typ := object.(reflect.Type)
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		if typ.Kind() == reflect.Slice {
			schema, _ = schema["items"].(map[string]any)
		}
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || !strings.HasSuffix(typ.PkgPath(), "api/v1alpha3") {
		return
	}
	properties, _ := schema["properties"].(map[string]any)
	var want, got []string
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue // TypeMeta
		}
		want = append(want, name)
		if inner, ok := properties[name].(map[string]any); ok {
			if name != "metadata" {
				require.NotEmpty(t, inner["description"], "%s.%s has no description", path, name)
			}
			compareFields(t, path+"."+name, inner, f.Type)
		}
	}
	for name := range properties {
		if name != "apiVersion" && name != "kind" || strings.Contains(path, ".spec") {
			got = append(got, name)
		}
	}
	sort.Strings(want)
	sort.Strings(got)
	require.Equal(t, want, got, path)
}
