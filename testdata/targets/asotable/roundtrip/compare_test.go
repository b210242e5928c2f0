package roundtrip

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/Azure/azure-service-operator/v2/pkg/genruntime"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// comparison compares the objects of a program with its resources.
type comparison struct {
	*runner
	*outcome
	manifest string
	objs     []*object
}

// object is an object of the manifest, and what the operator makes of it.
type object struct {
	meta genruntime.ARMMetaObject
	kind schema.GroupVersionKind
	name string
	raw  map[string]any
	id   string
	body map[string]any
	used bool
}

func (c *comparison) bad(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// load reads the objects, as strictly as an API server does.
func (c *comparison) load(manifest []byte) error {
	for document := range bytes.SplitSeq(manifest, []byte("---\n")) {
		text, err := yaml.YAMLToJSONStrict(document)
		if err != nil {
			return err
		}
		o := &object{}
		if err := decode(text, &o.raw); err != nil {
			return err
		}
		if len(o.raw) == 0 {
			continue // comments
		}
		version, _ := o.raw["apiVersion"].(string)
		kind, _ := o.raw["kind"].(string)
		o.kind = schema.FromAPIVersionAndKind(version, kind)
		made, err := c.scheme.New(o.kind)
		if err != nil {
			return err
		}
		meta, ok := made.(genruntime.ARMMetaObject)
		if !ok {
			return fmt.Errorf("%s is no resource of Azure", o.kind)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(meta); err != nil {
			return fmt.Errorf("%s: %w", o.kind, err)
		}
		o.meta, o.name = meta, meta.GetName()
		c.objs = append(c.objs, o)
	}
	c.objects += len(c.objs)
	for _, o := range c.objs {
		var err error
		if o.id, err = c.idOf(o, 0); err != nil {
			return err
		}
	}
	for _, o := range c.objs {
		if err := c.convert(o); err != nil {
			return fmt.Errorf("%s %s: %w", o.kind.Kind, o.name, err)
		}
	}
	return nil
}

func (c *comparison) find(group, kind, name string) *object {
	for _, o := range c.objs {
		if o.kind.Group == group && o.kind.Kind == kind && o.name == name {
			return o
		}
	}
	return nil
}

// idOf returns the ID of the resource that the operator makes of an object.
func (c *comparison) idOf(o *object, depth int) (string, error) {
	if depth > 10 {
		return "", fmt.Errorf("%s %s owns itself", o.kind.Kind, o.name)
	}
	azure, armType := o.meta.AzureName(), o.meta.GetType()
	if azure == "" {
		azure = o.name // as the operator's webhook does
	}
	ref := o.meta.Owner()
	if ref == nil {
		if o.meta.GetResourceScope() == genruntime.ResourceScopeTenant {
			return "/providers/" + armType + "/" + azure, nil
		}
		return "/subscriptions/" + deployedTo[1] + "/resourceGroups/" + azure, nil
	}
	owner := ref.ARMID
	if owner == "" {
		other := c.find(ref.Group, ref.Kind, ref.Name)
		if other == nil {
			return "", fmt.Errorf("%s %s: there is no owner %s", o.kind.Kind, o.name, ref)
		}
		var err error
		if owner, err = c.idOf(other, depth+1); err != nil {
			return "", err
		}
	}
	if o.meta.GetResourceScope() != genruntime.ResourceScopeExtension && strings.Contains(strings.ToLower(owner), "/providers/") {
		return owner + armType[strings.LastIndexByte(armType, '/'):] + "/" + azure, nil
	}
	return strings.TrimSuffix(owner, "/") + "/providers/" + armType + "/" + azure, nil
}

// Values that are given later are in bodies as texts that begin with these.
const (
	fromSecret    = "\x00secret\x00"
	fromConfigMap = "\x00config\x00"
	fromSecretMap = "\x00secretmap"
)

// convert makes the body that the operator sends.
func (c *comparison) convert(o *object) error {
	refs, secrets := map[genruntime.ResourceReference]string{}, map[genruntime.SecretReference]string{}
	secretMaps, configs := map[genruntime.SecretMapReference]map[string]string{}, map[genruntime.ConfigMapReference]string{}
	var failed error
	spec := o.meta.GetSpec()
	visit(reflect.ValueOf(spec), func(v any) {
		switch v := v.(type) {
		case genruntime.ResourceReference:
			refs[v] = v.ARMID
			if v.ARMID == "" {
				other := c.find(v.Group, v.Kind, v.Name)
				if other == nil {
					failed = fmt.Errorf("there is no object %s", v)
					return
				}
				refs[v] = other.id
			}
		case genruntime.SecretReference:
			secrets[v] = fromSecret + v.Name + "\x00" + v.Key
		case genruntime.SecretMapReference:
			secretMaps[v] = map[string]string{fromSecretMap: v.Name}
		case genruntime.ConfigMapReference:
			configs[v] = fromConfigMap + v.Name + "\x00" + v.Key
		}
	})
	if failed != nil {
		return failed
	}
	converter, ok := spec.(genruntime.ToARMConverter)
	if !ok {
		return fmt.Errorf("%T does not convert", spec)
	}
	made, err := converter.ConvertToARM(genruntime.ConvertToARMResolvedDetails{
		Name:               o.meta.AzureName(),
		ResolvedReferences: genruntime.MakeResolved(refs), ResolvedSecrets: genruntime.MakeResolved(secrets),
		ResolvedSecretMaps: genruntime.MakeResolved(secretMaps), ResolvedConfigMaps: genruntime.MakeResolved(configs),
	})
	if err != nil {
		return err
	}
	text, err := json.Marshal(made)
	if err != nil {
		return err
	}
	return decode(text, &o.body)
}

// visit calls f with every struct in a value.
func visit(v reflect.Value, f func(any)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			visit(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), f)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			visit(v.MapIndex(k), f)
		}
	case reflect.Struct:
		if v.CanInterface() {
			f(v.Interface())
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				visit(v.Field(i), f)
			}
		}
	}
}

// compare holds the bodies against the predicted resources.
func (c *comparison) compare(predicted []map[string]any) {
	seen := map[string]bool{}
	var list []map[string]any
	for _, p := range predicted {
		id, _ := p["id"].(string)
		if id == "" {
			c.bad("the resource %v has no ID, and there are objects", p["name"])
			return
		}
		if !seen[strings.ToLower(id)] {
			seen[strings.ToLower(id)] = true
			list = append(list, p)
		}
	}
	// A child that the compiler has in the body of its parent goes back there.
	slices.SortStableFunc(c.objs, func(a, b *object) int { return len(b.id) - len(a.id) })
	for _, o := range c.objs {
		if seen[strings.ToLower(o.id)] {
			continue
		}
		parent, kind := "", o.meta.GetType()
		kind = kind[strings.LastIndexByte(kind, '/')+1:]
		if i := strings.LastIndex(strings.ToLower(o.id), "/"+strings.ToLower(kind)+"/"); i > 0 {
			parent = o.id[:i]
		}
		i := slices.IndexFunc(c.objs, func(p *object) bool { return strings.EqualFold(p.id, parent) })
		if i < 0 {
			c.bad("%s %s makes %s, which the program does not", o.kind.Kind, o.name, o.id)
			continue
		}
		o.used = true
		o.body["name"] = o.meta.AzureName()
		properties, _ := c.objs[i].body["properties"].(map[string]any)
		if properties == nil {
			properties = map[string]any{}
			c.objs[i].body["properties"] = properties
		}
		children, _ := properties[kind].([]any)
		properties[kind] = append(children, o.body)
	}
	for _, p := range list {
		id := p["id"].(string)
		i := slices.IndexFunc(c.objs, func(o *object) bool { return strings.EqualFold(o.id, id) && !o.used })
		if i < 0 {
			c.bad("no object makes %s", id)
			continue
		}
		o := c.objs[i]
		o.used = true
		c.resources++
		if !strings.EqualFold(p["type"].(string), o.meta.GetType()) {
			c.bad("%s is %s", id, o.meta.GetType())
		}
		want := maps.Clone(p)
		for _, k := range []string{"id", "type", "name", "apiVersion"} {
			delete(want, k)
		}
		delete(o.body, "name")
		c.same(o.kind.Kind+" "+o.name, want, o.body)
	}
	for _, o := range c.objs {
		if !o.used {
			c.bad("%s %s makes %s a second time", o.kind.Kind, o.name, o.id)
		}
	}
}

// same compares what the compiler predicts with what the operator sends.
func (c *comparison) same(at string, want, got any) {
	switch want := want.(type) {
	case map[string]any:
		if o, ok := got.(map[string]any); ok {
			c.sameObject(at, want, o)
			return
		}
		if empty(want) && got == nil {
			return
		}
	case []any:
		if l, ok := got.([]any); ok {
			c.sameList(at, want, l)
			return
		}
		if len(want) == 0 && got == nil {
			return // the operator sends no empty lists
		}
	case string:
		if s, ok := got.(string); ok && c.sameText(want, s) {
			return
		}
	case json.Number:
		if n, ok := got.(json.Number); ok && (n == want || number(n) == number(want)) {
			return
		}
	case bool:
		if got == want {
			return
		}
	case nil:
		if empty(got) {
			return
		}
	}
	c.bad("%s: the compiler has %s, and the operator sends %s", at, shown(want), shown(got))
}

func number(n json.Number) float64 { f, _ := n.Float64(); return f }

func (c *comparison) sameObject(at string, want, got map[string]any) {
	if name, ok := got[fromSecretMap].(string); ok {
		c.late++
		if name == "" {
			c.bad("%s: a secret without a name", at)
		}
		return
	}
	given := map[string]bool{}
	for k, v := range want {
		key := k
		if _, ok := got[k]; !ok {
			for other := range got {
				if strings.EqualFold(other, k) {
					key = other
				}
			}
		}
		given[key] = true
		c.same(at+"."+k, v, got[key])
	}
	for k, v := range got {
		if !given[k] && !empty(v) {
			c.bad("%s.%s: the operator sends %s, which the compiler does not have", at, k, shown(v))
		}
	}
}

func (c *comparison) sameList(at string, want, got []any) {
	if len(want) != len(got) {
		c.bad("%s: %d elements, and the operator sends %d", at, len(want), len(got))
		return
	}
	// Children that went back to their parent have the order of the manifest.
	name := func(v any) string { o, _ := v.(map[string]any); s, _ := o["name"].(string); return s }
	for i, w := range want {
		g := got[i]
		if n := name(w); n != "" && n != name(g) {
			if j := slices.IndexFunc(got, func(v any) bool { return name(v) == n }); j >= 0 {
				g = got[j]
			}
		}
		c.same(fmt.Sprintf("%s[%d]", at, i), w, g)
	}
}

// empty reports whether a value says nothing: the operator adds such values of its own.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, x := range v {
			if !empty(x) {
				return false
			}
		}
		return true
	}
	return false
}

func (c *comparison) sameText(want, got string) bool {
	if want == got {
		return true
	}
	if strings.HasPrefix(got, "\x00") {
		c.late++
		parts := strings.Split(got, "\x00")
		return c.given(want, "\x00"+parts[1]+"\x00", parts[2], parts[3])
	}
	// Enumerations have the operator's letter case and blanks, and IDs the letter case of its types.
	if c.enums[got] && strings.EqualFold(strings.ReplaceAll(want, " ", ""), strings.ReplaceAll(got, " ", "")) {
		return true
	}
	if strings.EqualFold(want, got) {
		return strings.HasPrefix(got, "/")
	}
	if want == "[resourceGroup().location]" { // of a group that the program makes
		return slices.ContainsFunc(c.objs, func(o *object) bool { return o.kind.Kind == "ResourceGroup" && o.body["location"] == got })
	}
	// The ID of a child that is written in the body of its parent.
	if strings.HasPrefix(want, "[reference(") && strings.HasSuffix(want, ".id]") {
		i := slices.IndexFunc(c.objs, func(o *object) bool { return strings.EqualFold(o.id, got) })
		return i >= 0 && strings.Contains(strings.ToLower(want), strings.ToLower(parentOf(c.objs[i].id)))
	}
	return false
}

func parentOf(id string) string {
	for range 2 {
		id = id[:max(strings.LastIndexByte(id, '/'), 0)]
	}
	return id
}

// given reports whether a key of a secret or config map is what an expression stands for.
func (c *comparison) given(want, how, name, key string) bool {
	if how == fromSecret && (want == "[parameters('"+key+"')]" || want == "[newGuid()]") {
		return name == c.manifest
	}
	for _, o := range c.objs {
		lower, id := strings.ToLower(want), "('"+strings.ToLower(o.id)
		if !strings.Contains(lower, id+"'") && !strings.Contains(lower, id+"/authorizationrules/rootmanagesharedaccesskey'") {
			continue
		}
		spec, _ := o.raw["spec"].(map[string]any)
		operator, _ := spec["operatorSpec"].(map[string]any)
		if how == fromSecret && strings.HasPrefix(want, "[list") && destination(operator["secrets"], name, key) != "" {
			return true
		}
		list := "configMapExpressions"
		if how == fromSecret {
			list = "secretExpressions"
		}
		if e := destinationExpression(operator[list], name, key); e != "" {
			return c.composed(want, e)
		}
		last := strings.TrimSuffix(want[strings.LastIndexByte(want, '.')+1:], "]")
		if how == fromSecret { // a key that somebody puts there
			return name == c.manifest && strings.HasSuffix(key, "."+last)
		}
		if f := destination(operator["configMaps"], name, key); f != "" {
			return strings.Contains(strings.ToLower(want), "."+strings.ToLower(f)) || strings.EqualFold(last, f)
		}
	}
	return false
}

// destinationExpression returns the expression of a list that writes a key, or "".
func destinationExpression(v any, name, key string) string {
	list, _ := v.([]any)
	for _, e := range list {
		if e, _ := e.(map[string]any); e["name"] == name && e["key"] == key {
			value, _ := e["value"].(string)
			return value
		}
	}
	return ""
}

var (
	inStatus = regexp.MustCompile(`self\.status\.([A-Za-z0-9_.]+?)(\.(replace|split|lowerAscii|upperAscii|trim)\b|[^A-Za-z0-9_.]|$)`)
	inSecret = regexp.MustCompile(`secret\.(\w+)`)
	hole     = regexp.MustCompile(`\{\d+\}`)
)

// composed evaluates an expression as the operator does, with its version of CEL, and values that say what they are. All texts of
// want, and what it reads, have to be in the result.
func (c *comparison) composed(want, expression string) bool {
	status, secret := map[string]any{}, map[string]any{}
	for _, m := range inStatus.FindAllStringSubmatch(expression, -1) {
		at, names := status, strings.Split(m[1], ".")
		for _, name := range names[:len(names)-1] {
			if at[name] == nil {
				at[name] = map[string]any{}
			}
			at, _ = at[name].(map[string]any)
		}
		at[names[len(names)-1]] = "https://<" + m[1] + ">/"
	}
	for _, m := range inSecret.FindAllStringSubmatch(expression, -1) {
		secret[m[1]] = "<" + m[1] + ">"
	}
	result, err := evaluate(expression, map[string]any{"self": map[string]any{"status": status}, "secret": secret})
	if err != nil || result == "" {
		c.outcome.wrong = append(c.outcome.wrong, fmt.Sprintf("%s: %v", expression, err))
		return false
	}
	if text, rest, ok := strings.Cut(strings.TrimPrefix(want, "[format('"), "', "); ok && strings.HasPrefix(want, "[format('") && rest != "" {
		for _, piece := range hole.Split(text, -1) {
			if !strings.Contains(result, piece) {
				return false
			}
		}
		return strings.Contains(result, "<")
	}
	if strings.HasPrefix(want, "[reference(") {
		return strings.HasSuffix(strings.ToLower(want), strings.ToLower(expression[strings.LastIndexByte(expression, '.'):])+"]")
	}
	return strings.Count(result, "<") == 1 || strings.Contains(want, "split(")
}

// evaluate evaluates an expression with what the operator's expressions can use.
func evaluate(expression string, vars map[string]any) (string, error) {
	env, err := cel.NewEnv(ext.Strings(ext.StringsVersion(3)), cel.OptionalTypes(),
		cel.Variable("self", cel.DynType), cel.Variable("secret", cel.MapType(cel.StringType, cel.StringType)))
	if err != nil {
		return "", err
	}
	ast, issues := env.Compile(expression)
	if issues.Err() != nil {
		return "", issues.Err()
	}
	program, err := env.Program(ast)
	if err != nil {
		return "", err
	}
	out, _, err := program.Eval(vars)
	if err != nil {
		return "", err
	}
	text, _ := out.Value().(string)
	return text, nil
}

// destination returns the field of an operatorSpec that writes a key, or "".
func destination(v any, name, key string) string {
	fields, _ := v.(map[string]any)
	for field, to := range fields {
		if to, ok := to.(map[string]any); ok && to["name"] == name && to["key"] == key {
			return field
		}
	}
	return ""
}

func shown(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(text) > 300 {
		text = append(text[:300], "…"...)
	}
	return string(text)
}
