package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// table is what is written: a line for each kind in a version, each distinct object
// type, each enumeration and each set of limits. Package aso says what the lines mean.
type table struct {
	kinds  []string
	types  lines
	enums  lines
	limits lines

	plurals map[string]string // of kinds, by group/Kind
	objects map[string]int    // by package and name; -1 while a type is being read
	fields  int
}

// lines is a list of distinct lines.
type lines struct {
	list []string
	at   map[string]int
}

func (l *lines) add(line string) int {
	if i, ok := l.at[line]; ok {
		return i
	}
	if l.at == nil {
		l.at = map[string]int{}
	}
	l.at[line] = len(l.list)
	l.list = append(l.list, line)
	return len(l.list) - 1
}

// text returns the table: its parts, each of which ends with an empty line.
func (t *table) text(version string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n", version)
	for _, part := range [][]string{t.kinds, t.types.list, t.enums.list, t.limits.list} {
		b.WriteString(strings.Join(part, "\n") + "\n\n")
	}
	return b.Bytes()
}

// group is a package of kinds and that of their ARM bodies.
type group struct {
	name, version string
	api, arm      *source
}

// read reads the module in a folder.
func read(module string) (*table, error) {
	dirs, err := filepath.Glob(filepath.Join(module, "api", "*", "v[0-9]*"))
	if err != nil {
		return nil, err
	}
	slices.Sort(dirs)
	t := &table{objects: map[string]int{}}
	if t.plurals, err = plurals(module); err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		g := group{name: filepath.Base(filepath.Dir(dir)) + ".azure.com", version: filepath.Base(dir)}
		if g.api, err = load(dir); err != nil {
			return nil, err
		}
		if g.arm, err = load(filepath.Join(dir, "arm")); err != nil {
			return nil, err
		}
		var kinds []string
		for kind, methods := range g.api.methods {
			if methods["GetType"] != nil && methods["GetAPIVersion"] != nil {
				kinds = append(kinds, kind)
			}
		}
		slices.Sort(kinds)
		for _, kind := range kinds {
			if err := t.kind(&g, kind); err != nil {
				return nil, fmt.Errorf("%s/%s %s: %w", g.name, g.version, kind, err)
			}
		}
	}
	if len(t.kinds) == 0 {
		return nil, fmt.Errorf("%s holds no kinds of Azure Service Operator", module)
	}
	return t, nil
}

// rights is what the operator itself needs, which stands above the type of each kind that is stored.
var rights = regexp.MustCompile(`\+kubebuilder:rbac:groups=([a-z.]+),resources=([a-z0-9]+),(?s:.*?)\ntype (\w+) struct`)

// plurals returns what the resources of kinds are called, by group/Kind.
func plurals(module string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(module, "api", "*", "v[0-9]*", "storage", "*_types_gen.go"))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range rights.FindAllStringSubmatch(string(text), -1) {
			out[m[1]+"/"+m[3]] = m[2]
		}
	}
	return out, nil
}

// kind adds the line of a kind.
func (t *table) kind(g *group, kind string) error {
	methods := g.api.methods[kind]
	specField, statusField := g.api.field(kind, "Spec"), g.api.field(kind, "Status")
	if specField == nil || statusField == nil {
		return fmt.Errorf("no spec or no status")
	}
	spec, status := typeName(specField.Type), typeName(statusField.Type)
	owner := "-"
	if f := g.api.field(spec, "Owner"); f != nil {
		owner = "*"
		if k := tagOf(f).Get("kind"); k != "" {
			owner = tagOf(f).Get("group") + "/" + k
		}
	}
	id, err := t.object(g, spec)
	if err != nil {
		return err
	}
	words := []string{g.name, g.version, returned(methods["GetAPIVersion"]), kind, returned(methods["GetType"]), owner, fmt.Sprint(id)}
	if f := g.api.field(spec, "AzureName"); f != nil {
		if n := t.limit(g.api.docs[spec]["AzureName"]); n >= 0 {
			words = append(words, fmt.Sprintf("limits=%d", n))
		}
	} else {
		words = append(words, "name="+returned(methods["AzureName"]))
	}
	switch plural := t.plurals[g.name+"/"+kind]; plural {
	case "":
		return fmt.Errorf("nothing says what its resources are called")
	case strings.ToLower(kind) + "s":
	default:
		words = append(words, "plural="+plural)
	}
	operator := ""
	if f := g.api.field(spec, "OperatorSpec"); f != nil {
		operator = typeName(f.Type)
	}
	if f := g.api.field(operator, "Secrets"); f != nil {
		words = append(words, "secrets="+strings.Join(g.api.fields(typeName(f.Type)), ","))
	}
	if f := g.api.field(operator, "ConfigMaps"); f != nil {
		if exports := g.exports(kind, typeName(f.Type), status); len(exports) > 0 {
			words = append(words, "maps="+strings.Join(exports, ","))
		}
	}
	if f := g.api.field(operator, "ConfigMapExpressions"); f != nil {
		known := map[string]bool{}
		g.api.leaves(spec, "", known, 0)
		found := map[string]bool{}
		g.api.leaves(status, "", found, 0)
		var only []string
		for path := range found {
			if (!known[path] || strings.Contains(path, ".*")) && path != "id" && path != "name" && path != "type" && !strings.HasPrefix(path, "systemData.") {
				only = append(only, path)
			}
		}
		if slices.Sort(only); len(only) > 0 {
			words = append(words, "status="+strings.Join(only, ","))
		}
	}
	for _, w := range words {
		if strings.ContainsAny(w, " \n") || w == "" {
			return fmt.Errorf("%q cannot be in a line of the table", w)
		}
	}
	t.kinds = append(t.kinds, strings.Join(words, " "))
	return nil
}

// leaves adds the paths of the strings in a struct that no list leads to. A * stands for any key of a map.
func (s *source) leaves(of, prefix string, into map[string]bool, depth int) {
	st := s.structs[of]
	if st == nil || depth > 4 {
		return
	}
	for _, f := range st.Fields.List {
		name := jsonName(f)
		if len(f.Names) != 1 || name == "" || name == "conditions" {
			continue
		}
		if m, ok := f.Type.(*ast.MapType); ok {
			s.leaves(typeName(m.Value), prefix+name+".*.", into, depth+1)
		} else if star, ok := f.Type.(*ast.StarExpr); ok {
			t := typeName(star.X)
			if named, ok := s.named[t]; ok {
				t = typeName(named)
			}
			if t == "string" {
				into[prefix+name] = true
			} else {
				s.leaves(t, prefix+name+".", into, depth+1)
			}
		}
	}
}

// exports returns what a kind can write into config maps: key=path in the status.
func (g *group) exports(kind, maps, status string) []string {
	f := g.api.method(kind, "ExportKubernetesConfigMaps")
	if f == nil {
		return nil
	}
	var out []string
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		if s, ok := call.Fun.(*ast.SelectorExpr); !ok || s.Sel.Name != "AddValue" {
			return true
		}
		receiver := f.Recv.List[0].Names[0].Name
		to, ok1 := chain(call.Args[0], receiver)
		from, ok2 := chain(call.Args[1], receiver)
		if !ok1 || !ok2 || len(to) == 0 || len(from) < 2 {
			return true
		}
		key, ok1 := g.api.path(maps, to[len(to)-1:])
		path, ok2 := g.api.path(status, from[1:])
		if ok1 && ok2 {
			out = append(out, key+"="+path)
		}
		return true
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// path turns a path of Go names in a struct into one of JSON names.
func (s *source) path(of string, names []string) (string, bool) {
	var out []string
	for _, name := range names {
		f := s.field(of, name)
		if f == nil {
			return "", false
		}
		out = append(out, jsonName(f))
		of = typeName(element(f.Type))
	}
	return strings.Join(out, "."), true
}

// object adds the line of an object type and returns its number.
func (t *table) object(g *group, name string) (int, error) {
	key := g.api.dir + "/" + name
	if id, ok := t.objects[key]; ok {
		if id < 0 {
			return 0, fmt.Errorf("%s contains itself, which the table cannot say", name)
		}
		return id, nil
	}
	t.objects[key] = -1
	st := g.api.structs[name]
	into := targets(g.api.method(name, "ConvertToARM"))
	discriminator, values := variants(g.arm.method(name, "UnmarshalJSON"))
	var words []string
	if discriminator != "" {
		words = append(words, "@"+discriminator)
	}
	pairs := paired(st)
	for _, f := range st.Fields.List {
		if len(f.Names) != 1 {
			continue
		}
		field, word := f.Names[0].Name, jsonName(f)
		switch word {
		case "", "azureName", "operatorSpec", "owner", "originalVersion":
			continue
		}
		if tagOf(f).Get("optionalConfigMapPair") != "" && strings.HasSuffix(field, "FromConfig") {
			continue
		}
		if strings.ContainsAny(word, " !~<:=#@") || word[0] == '.' {
			return 0, fmt.Errorf("%s.%s: the table has no place for the name %q", name, field, word)
		}
		t.fields++
		kind, err := t.typeOf(g, f.Type)
		if err != nil {
			return 0, fmt.Errorf("%s.%s: %w", name, field, err)
		}
		marks := ""
		doc := g.api.docs[name][field]
		if strings.Contains(doc, "+kubebuilder:validation:Required") {
			marks += "!"
		}
		if pairs[field] {
			marks += "~"
		}
		path, ok := "", false
		switch value, isVariant := values[field]; {
		case discriminator != "" && (!isVariant || strings.ContainsAny(value, " :=#")):
			if word != "name" { // the name of the resource itself
				return 0, fmt.Errorf("%s.%s: no value of %s chooses it", name, field, discriminator)
			}
		case discriminator != "":
			word = value + "=" + word
		case name == "UserAssignedIdentityDetails": // reached through the list of identities
		default:
			if names, known := into[field]; typeName(element(f.Type)) == "UserAssignedIdentityDetails" {
				path, kind = "userAssignedIdentities", "u"
			} else if path, ok = g.arm.path(name, names); !ok || !known {
				return 0, fmt.Errorf("%s.%s: ConvertToARM does not say where it goes", name, field)
			}
		}
		if rest, ok := strings.CutPrefix(path, "properties."); ok {
			marks, path = marks+".", rest
		}
		if strings.ContainsAny(path, " !~<:=#") {
			return 0, fmt.Errorf("%s.%s: the table has no place for the path %q", name, field, path)
		}
		if path != "" && path != word {
			word += "<" + path
		}
		word = marks + word + ":" + kind
		if n := t.limit(doc); n >= 0 {
			word += fmt.Sprintf("#%d", n)
		}
		words = append(words, word)
	}
	id := t.types.add(cmp.Or(strings.Join(words, " "), "-"))
	t.objects[key] = id
	return id, nil
}

// paired returns the fields that a config map may give instead.
func paired(st *ast.StructType) map[string]bool {
	pairs := map[string]bool{}
	for _, f := range st.Fields.List {
		if v := tagOf(f).Get("optionalConfigMapPair"); v != "" && strings.HasSuffix(f.Names[0].Name, "FromConfig") {
			pairs[v] = true
		}
	}
	return pairs
}

// typeOf returns how the table writes a type.
func (t *table) typeOf(g *group, e ast.Expr) (string, error) {
	inner := func(prefix string, e ast.Expr) (string, error) {
		s, err := t.typeOf(g, e)
		return prefix + s, err
	}
	switch e := e.(type) {
	case *ast.StarExpr:
		return t.typeOf(g, e.X)
	case *ast.ArrayType:
		return inner("[", e.Elt)
	case *ast.MapType:
		return inner("{", e.Value)
	case *ast.Ident:
		switch e.Name {
		case "string":
			return "s", nil
		case "int", "int64", "int32", "uint32":
			return "i", nil
		case "float64":
			return "n", nil
		case "bool":
			return "b", nil
		}
		if values, ok := g.api.enums[e.Name]; ok {
			prefix := "e"
			if typeName(g.api.named[e.Name]) == "int" {
				prefix = "E"
			}
			return fmt.Sprintf("%s%d", prefix, t.enums.add(strings.Join(values, "|"))), nil
		}
		if _, ok := g.api.structs[e.Name]; ok {
			id, err := t.object(g, e.Name)
			return fmt.Sprint(id), err
		}
		if named, ok := g.api.named[e.Name]; ok {
			return t.typeOf(g, named)
		}
	case *ast.SelectorExpr:
		switch e.Sel.Name {
		case "JSON":
			return "j", nil
		case "ResourceReference":
			return "r", nil
		case "SecretReference":
			return "p", nil
		case "SecretMapReference":
			return "P", nil
		}
	}
	return "", fmt.Errorf("the table has no place for the type %s", typeName(e))
}

var limitMark = regexp.MustCompile(`\+kubebuilder:validation:(MaxItems|MaxLength|Maximum|MinItems|MinLength|Minimum|MultipleOf|Pattern)=(.*)`)

// limit returns the number of the line that holds the limits in a field's comment; -1 if
// there are none.
func (t *table) limit(doc string) int {
	var words []string
	pattern := ""
	for _, m := range limitMark.FindAllStringSubmatch(doc, -1) {
		if m[1] == "Pattern" {
			if pattern = strings.Trim(m[2], "`"); pattern[0] == '"' {
				pattern, _ = strconv.Unquote(pattern)
			}
			continue
		}
		words = append(words, m[1]+"="+m[2])
	}
	slices.Sort(words)
	if pattern != "" { // it may hold blanks
		words = append(words, "Pattern="+pattern)
	}
	if len(words) == 0 {
		return -1
	}
	return t.limits.add(strings.Join(words, " "))
}
