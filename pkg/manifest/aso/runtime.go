package aso

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// This file converts what is known only when the cluster works: values that Azure gives,
// which the operator carries from one object to another, and secrets.

// fromConfig converts a value that Azure gives to a reference to a config map, which the
// operator makes of it. It is false for a value in the spec itself.
func (w walker) fromConfig(f *field, v armjson.Value, out *armjson.Object) bool {
	u, ok := v.(expand.Unknown)
	if !ok || u.IsSecure() {
		return false
	}
	call, ok := expand.CallOf(v)
	if !ok || call.Function != "reference" || call.Resource == nil || len(call.Path) == 0 {
		reference := w.composed(v, "configMapExpressions")
		if reference != nil {
			out.Set(f.name+"FromConfig", reference)
		}
		return reference != nil
	}
	from := w.c.byResource[call.Resource]
	if from == nil {
		if call.Resource.Existing {
			w.refuse(CodeReference, "%s is a value of %s, which is `existing`, "+
				"and Azure Service Operator reads values of its own objects only; "+
				"give the value by a parameter, or declare the resource without `existing`", w.text(), call.Resource.Symbol)
			w.c.mayExist([]*expand.Resource{call.Resource})
			return true
		}
		return false
	}
	path, hides := w.shownPath(call)
	e, ok := from.kind.export(inStatusPaths(call.Path, call.Full))
	switch {
	case ok:
	case w.leaves(v):
		return true
	default:
		w.refuse(CodeReference, "%s is the value %s of %s, which %s does not report; give the value by a parameter",
			w.text(), path, from.what(), from.kind.name)
		return true
	}
	out.Set(f.name+"FromConfig", w.written(from, e, hides))
	return true
}

// mayExist adds to the last problem that existing resources which it is about can be objects, unless that is asked for.
func (c *converter) mayExist(of []*expand.Resource) {
	if !strings.Contains(c.in.Options[Existing], ExistingForms[1]) && slices.ContainsFunc(of, func(r *expand.Resource) bool {
		return r.Existing && c.byResource[r] == nil && c.table.has(r.Type)
	}) {
		c.out.Problems[len(c.out.Problems)-1].Option = Existing
	}
}

// written has the operator write a value, and returns the reference to it, which may be what must not be shown.
func (w walker) written(from *item, e export, hides bool) armjson.Value {
	from.hidesExports = from.hidesExports || hides
	reference := from.read(from.export(e))
	if hides {
		return &manifest.Hidden{Value: reference}
	}
	return reference
}

// inStatusPaths returns the paths in the status at which what is read of reference() can be.
func inStatusPaths(path []string, full bool) []string {
	paths := []string{strings.Join(path, ".")}
	if rest, ok := strings.CutPrefix(paths[0], "properties."); ok && full {
		return append(paths, rest)
	} else if !full {
		return append(paths, "properties."+paths[0])
	}
	return paths
}

// shownPath returns how messages show what is read of the result of the call at the place, and
// whether it must not be shown.
func (w walker) shownPath(call expand.Call) (text string, hides bool) {
	if seen, ok := expand.CallOf(w.shown.Value()); ok && slices.Equal(seen.Path, call.Path) {
		return strings.Join(call.Path, "."), false
	}
	return "…", true
}

// export finds what makes a config map of a value in the status, by the first path that
// the kind has: the operator's own export, or an expression.
func (k *kind) export(paths []string) (export, bool) {
	for _, p := range paths {
		for path, key := range k.maps {
			if strings.EqualFold(path, p) {
				return export{list: "configMaps", field: key, key: key}, true
			}
		}
	}
	if path := k.statusPath(paths); path != "" {
		return export{list: "configMapExpressions", field: path, key: lastWord(path), value: "self.status." + path}, true
	}
	return export{}, false
}

// statusPath returns the first of the paths that the status has, as it has it; "" is none.
func (k *kind) statusPath(paths []string) string {
	for _, p := range paths {
		for _, path := range k.status {
			if path, ok := inStatus(path, p); ok {
				return path
			}
		}
	}
	return ""
}

// inStatus returns a path of a body as the status has it, if it is the one of the status, in which * is any key of a map.
func inStatus(status, path string) (string, bool) {
	names, keys := strings.Split(status, "."), strings.Split(path, ".")
	if len(names) != len(keys) {
		return "", false
	}
	for i, name := range names {
		switch {
		case name == "*" && word.MatchString(keys[i]): // another key would have to be written as Azure writes it
			names[i] = keys[i]
		case !strings.EqualFold(name, keys[i]):
			return "", false
		}
	}
	return strings.Join(names, "."), true
}

var word = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func lastWord(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// export notes that the operator is to write a value, under a key that no other value has.
func (it *item) export(e export) export {
	key := e.key
	for n := 2; ; n++ {
		other := slices.IndexFunc(it.exports, func(o export) bool { return o.isSecret() == e.isSecret() && o.key == e.key })
		switch {
		case other < 0:
			it.exports = append(it.exports, e)
			return e
		case it.exports[other] == e:
			return e
		case n == 2 && e.value == "self.status."+e.field:
			e.key = e.field // another value has the short key
		default:
			e.key = key + "-" + strconv.Itoa(n)
		}
	}
}

// isSecret says that the value is written into a secret, and not into a config map.
func (e export) isSecret() bool { return strings.HasPrefix(e.list, "secret") }

// read returns a reference to what an export writes. The name in it is set once all exports
// are known.
func (it *item) read(e export) *armjson.Object {
	o := keyReference("", e.key)
	if e.isSecret() {
		it.secretReaders = append(it.secretReaders, o)
	} else {
		it.configReaders = append(it.configReaders, o)
	}
	return o
}

// nameExports names the secrets and config maps that the operator writes after the objects that
// they are of. The operator writes into none that belongs to another object, or that the user
// made: where names meet, group and kind stand behind them.
func (c *converter) nameExports() {
	secrets, configs := map[string]int{c.in.Name: 1}, map[string]int{}
	for _, n := range c.secrets {
		secrets[n.name] = 1
	}
	for _, it := range c.items {
		if len(it.secretReaders) > 0 {
			secrets[it.objectName]++
		}
		if len(it.configReaders) > 0 {
			configs[it.objectName]++
		}
	}
	choose := func(it *item, taken map[string]int) string {
		if taken[it.objectName] > 1 {
			return it.nameOfKind()
		}
		return it.objectName
	}
	for _, it := range c.items {
		it.secretName, it.configName = choose(it, secrets), choose(it, configs)
		for _, o := range it.secretReaders {
			o.Set("name", it.named(it.secretName))
		}
		for _, o := range it.configReaders {
			o.Set("name", it.named(it.configName))
		}
	}
}

// nameOfKind returns a name that no object of another kind has.
func (it *item) nameOfKind() string {
	group, _, _ := strings.Cut(it.kind.group, ".")
	return it.objectName + "-" + group + "-" + strings.ToLower(it.kind.name)
}

// operator returns the item's operatorSpec; nil if it needs none.
func (it *item) operator() *armjson.Object {
	if len(it.exports) == 0 {
		return nil
	}
	slices.SortFunc(it.exports, func(a, b export) int {
		if a.list != b.list {
			return strings.Compare(a.list, b.list)
		}
		return strings.Compare(a.field, b.field)
	})
	out := armjson.NewObject()
	for _, e := range it.exports {
		name := it.configName
		if e.isSecret() {
			name = it.secretName
		}
		to := keyReference(name, e.key)
		to.Set("name", it.named(name))
		if e.value != "" {
			to.Set("value", armjson.String(e.value))
			list, _ := out.Get(e.list)
			before, _ := list.(armjson.Array)
			out.Set(e.list, append(before, to))
			continue
		}
		if out.Find(e.list) < 0 {
			out.Set(e.list, armjson.NewObject())
		}
		out.Object(e.list).Set(e.field, to)
	}
	return out
}

// needed is a key of a secret that somebody has to make. Without a key, it is the whole.
type needed struct {
	name, key string
	of        string // how messages call the place whose object the whole secret is
	at        string // where it is, or the object whose key is issued
	issued    bool   // by Azure, and not the value of a secure parameter
}

// secret converts a secure value to a reference to a key of a secret: one that the user
// makes, for a parameter, or one that the operator writes, for a key that Azure gives.
func (w walker) secret(v armjson.Value) armjson.Value {
	if name, ok := w.parameter(v); ok {
		n := needed{name: w.c.in.Name, key: name}
		w.c.secrets = append(w.c.secrets, n)
		return keyReference(n.name, n.key)
	}
	switch v := v.(type) {
	case expand.Unknown:
		if expand.InModule(v) {
			w.refuse(CodeSecret, "%s is a secret for Azure Service Operator, and the module's parameter gets plain text: %s; "+
				"pass a parameter of the template that is @secure()", w.text(), w.shown.Text())
			return nil
		}
		if reference := w.listed(v); reference != nil {
			return reference
		}
		if reference := w.composed(v, "secretExpressions"); reference != nil {
			return reference
		}
		w.unknownSecret(v)
	case armjson.String:
		w.refuse(CodeSecret, "%s is a secret for Azure Service Operator, and is written in the file as plain text; "+
			"make it a parameter that is @secure()", w.text())
	default:
		w.mismatch("a secret", v)
	}
	return nil
}

// computed refuses a secret that is not the value of a parameter, but computed.
func (w walker) computed() {
	w.refuse(CodeSecret, "%s is computed from a secure value, and Azure Service Operator takes the value of a secret as it is; "+
		"make the whole value a secure parameter: %s", w.text(), w.shown.Text())
}

// secretMap converts a secure object to a reference to a whole secret.
func (w walker) secretMap(v armjson.Value) armjson.Value {
	if name, ok := w.parameter(v); ok {
		n := needed{name: w.c.wholeSecret(name, "")}
		w.c.secrets = append(w.c.secrets, n)
		return armjson.NewObject(armjson.Member{Key: "name", Value: armjson.String(n.name)})
	}
	if u, ok := v.(expand.Unknown); ok {
		w.unknownSecret(u)
		return nil
	}
	if made := w.madeMap(v); made != nil {
		return made
	}
	if w.leave("is a map of secrets, and Azure Service Operator takes a whole secret for it") {
		return nil
	}
	w.refuse(CodeSecret, "%s is a map of secrets for Azure Service Operator, which takes a whole secret; "+
		"make it one parameter that is a @secure() object", w.text())
	return nil
}

// wholeSecret returns a name for a secret, which no other place has.
func (c *converter) wholeSecret(of, at string) string {
	name := c.in.Name + "-" + objects.SafeName(of, of, false)
	for n, unique := 2, name; ; n++ {
		if !slices.ContainsFunc(c.secrets, func(s needed) bool { return s.name == unique && s.at != at }) {
			return unique
		}
		unique = name + "-" + strconv.Itoa(n)
	}
}

// madeMap returns a reference to a whole secret that the user makes of an object of secure parameters and texts; nil for anything else.
func (w walker) madeMap(v armjson.Value) armjson.Value {
	o, ok := v.(*armjson.Object)
	if !ok || w.it.alias != "" || w.shown.Hides(v) {
		return nil
	}
	n := needed{of: w.text(), at: w.it.kind.group + "/" + w.it.kind.name + "/" + w.it.objectName + w.out}
	n.name = w.c.wholeSecret(w.it.objectName+"-"+w.name(), n.at)
	var keys []needed
	secure := false
	for key, value := range o.All() {
		_, isText := value.(armjson.String)
		_, isParameter := w.parameter(value)
		if !isText && !isParameter || len(key) > 253 || !secretKey.MatchString(key) {
			return nil
		}
		secure = secure || isParameter
		n.key = key
		keys = append(keys, n)
	}
	if !secure {
		return nil
	}
	w.c.secrets = append(w.c.secrets, keys...)
	return armjson.NewObject(armjson.Member{Key: "name", Value: armjson.String(n.name)})
}

// secretKey is what Kubernetes takes for a key of a secret, of at most 253 letters: to count them here would take 250 KB at each start.
var secretKey = regexp.MustCompile(`^[-._a-zA-Z0-9]+$`)

// keyReference returns a reference to a key of a secret or config map.
func keyReference(name, key string) *armjson.Object {
	return armjson.NewObject(armjson.Member{Key: "name", Value: armjson.String(name)},
		armjson.Member{Key: "key", Value: armjson.String(key)})
}

// parameter returns the secure parameter of the template that a value is, if its value is
// to be found in a secret of the cluster.
func (w walker) parameter(v armjson.Value) (string, bool) {
	name, ok := expand.ParameterOf(v)
	return name, ok && w.c.in.Secure[name] && !w.c.in.Vault[name]
}

// unknownSecret refuses a secret that is not known.
func (w walker) unknownSecret(u expand.Unknown) {
	if name, ok := expand.ParameterOf(u); ok && w.c.in.Vault[name] {
		w.refuse(CodeSecret, "%s is the parameter %q, whose value is in a key vault, which Azure Service Operator does not read; "+
			"make a secret in the cluster, and give the parameter no value", w.text(), name)
		return
	}
	for _, c := range expand.Reasons(u) {
		switch c.Kind {
		case expand.Place:
			if c.Option == "" {
				continue
			}
			w.c.out.RefuseUnknown(w.position(), w.text(), u, w.shown)
			return
		case expand.Keys:
			if w.leaves(u) {
				return
			}
			w.refuse(CodeSecret, "%s needs a key that Azure issues, and Azure Service Operator does not write this value into a secret: "+
				"%s; use a secure parameter", w.text(), w.shown.Text())
			w.c.mayExist(expand.References(u))
			return
		case expand.Vault:
			w.refuse(CodeSecret, "%s is in a key vault, which Azure Service Operator does not read: %s; "+
				"make a secret in the cluster, and use a @secure() parameter of the template without a value", w.text(), w.shown.Text())
			return
		}
	}
	if u.IsSecure() {
		w.computed()
		return
	}
	w.unknown(u)
}

// listed converts a key that a function such as listKeys() gives to a reference to the
// secret that the operator writes it into; nil if the operator does not.
func (w walker) listed(v armjson.Value) armjson.Value {
	call, ok := expand.CallOf(v)
	if !ok || len(call.Function) < 4 || !strings.EqualFold(call.Function[:4], "list") {
		return nil
	}
	from := w.c.byResource[call.Resource]
	if call.Resource == nil {
		from = w.c.issuer(call.First)
	}
	if from == nil {
		return nil
	}
	key, want := from.kind.key(call.Function, call.Path)
	path, hides := w.shownPath(call)
	switch {
	case want == "":
		return nil
	case key != "":
		return w.written(from, export{list: "secrets", field: key, key: key}, hides)
	case hides || from.alias != "":
		w.refuse(CodeSecret, "%s is %s of %s, which Azure Service Operator does not write into a secret; use a secure parameter",
			w.text(), path, from.what())
		return armjson.Null{}
	}
	n := needed{name: w.c.in.Name, key: from.objectName + "." + want, at: from.nameOfKind(), issued: true}
	if slices.ContainsFunc(w.c.secrets, func(s needed) bool { return s.key == n.key && s.at != n.at }) {
		n.key = n.at + "." + want
	}
	w.c.secrets = append(w.c.secrets, n)
	w.c.out.Warn(w.position(), CodeSecret, "%s is %s of %s, which Azure Service Operator does not write into a secret; "+
		"put it into the key %s of the secret %s", w.text(), want, from.what(), n.key, n.name)
	return keyReference(n.name, n.key)
}

// issuer returns the item of an ID whose keys Azure issues: those of a namespace's first rule are the namespace's own.
func (c *converter) issuer(id string) *item {
	id = strings.ToLower(id)
	if it := c.byID[id]; it != nil {
		return it
	}
	if id, ok := strings.CutSuffix(id, "/authorizationrules/rootmanagesharedaccesskey"); ok {
		return c.byID[id]
	}
	return nil
}

// key returns what the operator calls a key that a function such as listKeys() gives, "" if it does not write it, and what
// messages call it, "" if it is not one text.
func (k *kind) key(function string, path []string) (key, want string) {
	switch {
	case len(path) == 1:
		want = path[0]
	case len(path) == 3 && path[0] == "keys" && path[2] == "value": // of storage accounts
		want = path[2]
		if n, err := strconv.Atoi(path[1]); err == nil {
			want = "key" + strconv.Itoa(n+1)
		}
	}
	if want != "" && strings.EqualFold(function, "listAdminKeys") {
		want = "admin" + want
	}
	for _, key := range k.secrets {
		if strings.EqualFold(key, want) {
			return key, want
		}
	}
	return "", want
}

// text returns why a text is not valid, or "".
func (l *limits) text(s string) string {
	if l == nil {
		return ""
	}
	n := int64(utf8.RuneCountInString(s))
	switch {
	case l.minLength != nil && n < *l.minLength:
		return "want at least " + count(*l.minLength, "character")
	case l.maxLength != nil && n > *l.maxLength:
		return "want at most " + count(*l.maxLength, "character")
	case l.pattern != "":
		if p, err := regexp.Compile(l.pattern); err == nil && !p.MatchString(s) {
			return "want a text that matches " + l.pattern
		}
	}
	return ""
}

// integer returns why an integer is not valid, or "".
func (l *limits) integer(n int64) string {
	switch {
	case l == nil:
	case l.minimum != nil && n < *l.minimum:
		return "want at least " + strconv.FormatInt(*l.minimum, 10)
	case l.maximum != nil && n > *l.maximum:
		return "want at most " + strconv.FormatInt(*l.maximum, 10)
	case l.multipleOf != nil && *l.multipleOf > 0 && n%*l.multipleOf != 0:
		return "want a multiple of " + strconv.FormatInt(*l.multipleOf, 10)
	}
	return ""
}

// items returns why a list is not valid, or "".
func (l *limits) items(n int) string {
	switch {
	case l == nil:
	case l.minItems != nil && int64(n) < *l.minItems:
		return "want at least " + count(*l.minItems, "element")
	case l.maxItems != nil && int64(n) > *l.maxItems:
		return "want at most " + count(*l.maxItems, "element")
	}
	return ""
}

func count(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.FormatInt(n, 10) + " " + what
}
