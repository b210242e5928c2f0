package expand_test

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// FuzzExpand expands any template with any parameters. It must end, not panic, show
// nothing of a secure parameter, and predict the same twice.
func FuzzExpand(f *testing.F) {
	seeds, err := txtar.ParseFile("testdata/fuzz.txtar")
	require.NoError(f, err)
	for i := 0; i+1 < len(seeds.Files); i += 2 { // a template, and its parameters
		f.Add(string(seeds.Files[i].Data), string(seeds.Files[i+1].Data))
	}
	const canary = "CANARYCANARY"
	f.Fuzz(func(t *testing.T, template, parameters string) {
		v, err := armjson.Parse(template, armjson.Options{})
		root, ok := v.(*armjson.Object)
		if err != nil || !ok || strings.Contains(template, canary) {
			return
		}
		given := map[string]expand.Parameter{}
		if p, err := armjson.Parse(parameters, armjson.Options{}); err == nil {
			if o, ok := p.(*armjson.Object); ok {
				for name, v := range o.All() {
					if entry, ok := v.(*armjson.Object); ok {
						var one expand.Parameter
						one.Value, _ = entry.Get("value")
						one.Reference, _ = entry.Get("reference")
						given[name] = one
					}
				}
			}
		}
		// Only where every value is of a secure parameter may nothing of it be seen.
		secure := strings.Contains(strings.ToLower(template), `"type":"securestring"`) || strings.Contains(strings.ToLower(template), `"type": "securestring"`)
		for name, p := range given {
			if p.Value != nil && strings.Contains(armjson.Text(p.Value), canary) && name != "pw" {
				secure = false
			}
		}
		for _, tolerant := range []bool{false, true} {
			o := expand.Options{Parameters: given, Context: inGroup, Tolerant: tolerant, All: tolerant, Official: !tolerant,
				Limits: expand.Limits{Resources: 500, Copies: 100, Modules: 20, Steps: 20_000, Walk: 200_000, Size: 4 << 20, Depth: 500}}
			first, err := expand.Expand(root, o)
			if err != nil {
				_ = err.Error()
				continue
			}
			var out strings.Builder
			for _, r := range first.Resources {
				out.WriteString(show(r))
				for _, c := range expand.Reasons(r.Body) {
					out.WriteString(c.Call)
				}
			}
			for _, x := range first.Outputs {
				out.WriteString(expand.Text(x.Value) + expand.Expression(x.Value) + armjson.Text(x.Value))
			}
			for _, d := range first.Diagnostics {
				out.WriteString(d.String())
			}
			if secure && declaresSecure(root, "pw") && strings.Contains(out.String(), canary) {
				t.Fatalf("a secure value is shown: %s", out.String())
			}
			second, err := expand.Expand(root, o)
			require.NoError(t, err, "the second expansion differs")
			require.Len(t, second.Resources, len(first.Resources), "the second expansion differs: %v", err)
		}
	})
}

// declaresSecure reports whether a template declares a parameter as a secure string.
func declaresSecure(template *armjson.Object, name string) bool {
	v, _ := template.Object("parameters").Get(name)
	o, ok := v.(*armjson.Object)
	if !ok {
		return false
	}
	kind, _ := o.Get("type")
	s, _ := kind.(armjson.String)
	return strings.EqualFold(string(s), "securestring")
}
