// Package kubernetes makes plain objects of the resources of the extension Kubernetes: what a cluster will hold, without
// Radius. Begin with Convert.
//
// Nothing is guessed: what is not known before the deployment is refused. A Secret with a secret value is not written, but
// listed, and no other object may hold one.
package kubernetes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/manifest/schema"
)

// CreateNamespace is the key of the option that adds the namespaces of the objects.
const CreateNamespace = "createNamespace"

// The codes of problems.
const (
	CodeType   = "kubernetes-type"
	CodeName   = "object-name"
	CodeTwice  = "object-twice"
	CodeSecret = "object-secret"

	CodeAnnotation = "object-annotation"
)

// Convert makes the objects of a program. The output says what is wrong with the program.
func Convert(in objects.Input) (*objects.Output, error) {
	if in.Kinds == nil {
		in.Kinds = &schema.Kinds{}
	}
	c := &converter{in: in, aliases: objects.Aliases{}, seen: map[string]*item{},
		out: &objects.Output{Missing: in.Missing, Of: map[*manifest.Object]objects.Origin{}}}
	c.define(in.Program)
	c.addAll(in, nil)
	for i, m := range in.Made {
		if in.IsLeft(m.Resource) {
			continue
		}
		c.define(m.Program)
		c.of, c.place, in.Program, in.Shown = " of the recipe for "+m.For, fmt.Sprintf("/%d", i), m.Program, m.Shown
		c.out.Settled = []string{objects.OptionSubscription, objects.OptionGroup, objects.OptionAWSScope, objects.OptionDeployment}
		c.addAll(in, m.Resource)
	}
	if in.Options[CreateNamespace] == "true" {
		c.createNamespaces()
	}
	sortObjects(c.out.Objects)
	c.list()
	c.out.Sort()
	return c.out, nil
}

// addAll adds the objects of a program, or of the recipe of a resource. Those of Radius' resources are what their recipes make.
func (c *converter) addAll(in objects.Input, of *expand.Resource) {
	shownOf := in.Shower()
	for _, r := range in.Program.Resources {
		if r.Existing || in.Recipes && r.IsRadius() || in.IsLeft(r) {
			continue
		}
		before := len(c.out.Problems)
		c.add(r, cmp.Or(of, r), shownOf(r))
		for i := range c.out.Problems[before:] {
			if p := &c.out.Problems[before+i]; unsupported[p.Code] && len(p.Missing) == 0 {
				p.Resource = cmp.Or(of, r)
			}
		}
	}
}

// unsupported are the codes of what is no mistake: Radius would deploy it.
var unsupported = map[string]bool{CodeType: true, CodeSecret: true, objects.CodeUnknown: true}

// define adds the kinds that a program defines to those that are known.
func (c *converter) define(program *expand.Result) {
	for _, r := range program.Resources {
		if r.Type == "apiextensions.k8s.io/CustomResourceDefinition" && r.APIVersion == "v1" && !r.Existing && expand.IsKnown(r.Body) {
			crd := r.Body.Clone()
			crd.Set("kind", armjson.String("CustomResourceDefinition"))
			c.in.Kinds.Add(crd)
		}
	}
}

// converter converts one program.
type converter struct {
	of      string // what messages add to the name of a resource
	place   string // what tells the aliases of recipes apart
	in      objects.Input
	out     *objects.Output
	aliases objects.Aliases
	seen    map[string]*item // by what identifies the object in a cluster
	items   []*item
}

// item is a resource that becomes an object.
type item struct {
	called          string // by messages
	resource        *expand.Resource
	shown           expand.Resource // what messages may show of it
	group, kind     string
	name, namespace string
	hides           struct{ name, namespace bool } // they must not be shown
	body            *armjson.Object
}

func newItem(r *expand.Resource) *item {
	it := &item{resource: r}
	it.group, it.kind, _ = strings.Cut(r.Type, "/")
	if it.group == "core" {
		it.group = ""
	}
	return it
}

// isSecret reports whether the object is a Secret with a secret value, which is not written.
func (it *item) isSecret() bool {
	return it.group == "" && it.kind == "Secret" &&
		(expand.IsSecure(it.body.Value("data")) || expand.IsSecure(it.body.Value("stringData")))
}

// what is how messages call a resource.
func (c *converter) what(r *expand.Resource) string {
	if r.Symbol == "" {
		return "the resource of the type " + r.Type + c.of
	}
	return strconv.Quote(strings.TrimPrefix(r.Module.Path()+"/"+r.Symbol, "/")) + c.of
}

// shownBody returns what may be shown of the body.
func (it *item) shownBody() objects.Shown {
	if it.shown.Body == nil {
		return objects.Show(nil)
	}
	return objects.Show(it.shown.Body)
}

// add adds the object of a resource, or of the recipe of another. Messages show what is in seen.
func (c *converter) add(r, of, seen *expand.Resource) {
	if !c.fits(r) {
		return
	}
	if r.Condition != nil {
		c.refuseUnknown(r.Position, "the condition of "+c.what(r), r.Condition, objects.Show(seen.Condition))
		return
	}
	if r.Copies != nil {
		c.refuseUnknown(r.Position, "how many objects the loop "+c.what(r)+" makes", r.Copies, objects.Show(seen.Copies))
		return
	}
	it := newItem(r)
	it.shown, it.called = *seen, c.what(r)
	if seen.Body != nil {
		it.shown.Body = c.labelled(seen.Body)
	}
	it.body = c.labelled(withoutNulls(r.Body).(*armjson.Object))
	if c.of != "" {
		it.body = c.plainAnnotations(it, it.body).(*armjson.Object)
	}
	if !c.identify(it) {
		return
	}
	secret := it.isSecret()
	known := true
	for name, v := range it.body.All() {
		switch {
		case secret && (name == "data" || name == "stringData"):
		case name == "metadata":
			metadata := v.(*armjson.Object).Clone()
			metadata.Delete("name")
			metadata.Delete("namespace")
			known = c.check(it, metadata, it.shownBody().In(name), name) && known
		default:
			known = c.check(it, v, it.shownBody().In(name), name) && known
		}
	}
	if !known {
		return
	}
	c.items = append(c.items, it)
	alias := ""
	if it.hides.name || it.hides.namespace { // files of one name are told apart by the namespace
		alias = c.aliases.Of(&c.in, r, c.place)
	}
	if secret {
		c.out.Secrets = append(c.out.Secrets, it.unwritten(alias))
		return
	}
	o := c.object(it, alias)
	c.out.Objects, c.out.Of[o] = append(c.out.Objects, o), objects.Origin{Resource: r, Called: it.called, Of: of}
}

// plainAnnotations returns a part of an object that a recipe makes without annotations that hold a secret: a hash of one, by which
// pods begin anew when it changes.
func (c *converter) plainAnnotations(it *item, v armjson.Value, path ...string) armjson.Value {
	o, ok := v.(*armjson.Object)
	if !ok {
		return v
	}
	return armjson.WithParts(o, func(name string, x armjson.Value) armjson.Value {
		at := append(slices.Clip(path), name)
		inner, ok := x.(*armjson.Object)
		if name != "annotations" || !ok {
			return c.plainAnnotations(it, x, at...)
		}
		out := armjson.NewObject()
		for key, y := range inner.All() {
			if expand.IsSecure(y) {
				c.out.Warn(it.resource.Property(append(at, key)...), CodeAnnotation,
					"the annotation %q of %s depends on a secret, and is left out", key, it.called)
			} else {
				out.Set(key, y)
			}
		}
		return out
	})
}

// fits refuses a resource that is no object.
func (c *converter) fits(r *expand.Resource) bool {
	refuse := func(format string, args ...any) bool {
		c.out.Refuse(r.Position, CodeType, format, args...)
		return false
	}
	switch x := r.Extension; {
	case x == nil && strings.EqualFold(r.Type, "Microsoft.Resources/deployments"):
		return refuse("%s is a deployment whose template is not known here; make it a module", c.what(r))
	case x == nil:
		return refuse("%s is a resource of Azure (%s), and plain objects are made of those of the extension kubernetes only; "+
			"write it with the target aso, or leave it out", c.what(r), r.Type)
	case r.IsRadius():
		return refuse("%s is a resource of Radius (%s), and plain objects are made of those of the extension kubernetes only; "+
			"write it with the target design or radius, or leave it out", c.what(r), r.Type)
	case x.Provider == "":
		return refuse("%s is a resource of the extension %s, which the template does not declare", c.what(r), x.Alias)
	case !r.IsKubernetes():
		return refuse("%s is a resource of the extension %s, and plain objects are made of those of the extension kubernetes only; "+
			"leave it out", c.what(r), x.Alias)
	}
	group, kind, ok := strings.Cut(r.Type, "/")
	if !ok || !manifest.IsSubdomain(group) || !isWord(kind) || !isWord(r.APIVersion) {
		return refuse("%s has the type %q; want GROUP/KIND@VERSION, such as apps/Deployment@v1", c.what(r), r.Type+"@"+r.APIVersion)
	}
	return true
}

// identify finds the name and the namespace of an object, and refuses one that the program makes twice.
func (c *converter) identify(it *item) bool {
	r := it.resource
	metadata, seen := it.body.Value("metadata"), it.shownBody().In("metadata")
	given, ok := metadata.(*armjson.Object)
	if !ok {
		c.check(it, metadata, seen, "metadata")
	}
	v := given.Value("name")
	if v == nil {
		if ok || metadata == nil || expand.IsKnown(metadata) {
			c.out.Refuse(r.Property("metadata"), CodeName, "%s has no name; give it metadata.name", it.called)
		}
		return false
	}
	if it.name, ok = c.text(it, v, seen.In("name"), "name"); !ok {
		return false
	}
	it.hides.name = seen.In("name").Hides(v)
	shownName := seen.In("name").Text()
	if why := nameProblem(it.group, it.kind, it.name); why != "" {
		c.out.Refuse(r.Property("metadata", "name"), CodeName, "%q is no name for %s, which is a %s: %s",
			shownName, it.called, it.kind, why)
		return false
	}
	scope := c.in.Kinds.Find(it.group, r.APIVersion, it.kind)
	if (scope == nil || scope.Namespaced) && !c.inNamespace(it, given.Value("namespace"), seen, scope != nil) {
		return false
	}
	key := strings.Join([]string{it.group, it.kind, it.namespace, it.name}, "/")
	if other := c.seen[key]; other != nil {
		c.out.Refuse(r.Position, CodeTwice, "%s makes the %s %s a second time (%s makes it at %s); a cluster has one object of that name",
			it.called, it.kind, shownName, other.called, other.resource.Position.Short())
		return false
	}
	c.seen[key] = it
	return true
}

// inNamespace finds the namespace of an object: its own, else that of the extension, else the user's. known says that it must
// have one.
func (c *converter) inNamespace(it *item, own armjson.Value, seen objects.Shown, known bool) bool {
	shown := seen.In("namespace")
	if own == nil || own == armjson.String("") {
		own, shown = it.resource.Scope, objects.Show(it.shown.Scope)
	}
	if own == nil || own == armjson.String("") {
		if it.namespace = c.in.Namespace; c.of != "" && known { // Radius says: Namespace parameter required
			c.out.Refuse(it.resource.Property("metadata"), CodeName, "%s has no namespace, and Radius deploys none without one; "+
				"give the environment providers.kubernetes.namespace", it.called)
			return false
		}
		return true
	}
	var ok bool
	if it.namespace, ok = c.text(it, own, shown, "namespace"); !ok {
		return false
	}
	it.hides.namespace = shown.Hides(own)
	if !isLabel(it.namespace) {
		c.out.Refuse(it.resource.Property("metadata", "namespace"), CodeName, "%q is no namespace for %s: %s",
			shown.Text(), it.called, labelRule)
		return false
	}
	return true
}

// text returns a text that identifies an object.
func (c *converter) text(it *item, v armjson.Value, shown objects.Shown, name string) (string, bool) {
	if s, ok := expand.Known(v); ok {
		return s, true
	}
	at := it.resource.Property("metadata", name) // reads the file once more
	switch {
	case expand.IsSecure(v):
		c.out.Refuse(at, CodeSecret, "the %s of %s is secure, and would be in the manifest; use a value that is not secure",
			name, it.called)
	case !expand.IsKnown(v):
		c.refuseUnknown(at, "the "+name+" of "+it.called, v, shown)
	default:
		c.out.Refuse(at, CodeName, "the %s of %s is %s; want a text", name, it.called, shown.Text())
	}
	return "", false
}

// check refuses what is not known or secret in a part of a body, which path leads to.
func (c *converter) check(it *item, v armjson.Value, shown objects.Shown, path ...string) (ok bool) {
	ok = true
	switch v := v.(type) {
	case *armjson.Object:
		for name, x := range v.All() {
			if !shown.Has(name) {
				name = "…"
			}
			ok = c.check(it, x, shown.In(name), append(slices.Clip(path), name)...) && ok
		}
	case armjson.Array:
		for i, x := range v {
			n := strconv.Itoa(i)
			ok = c.check(it, x, shown.In(n), append(slices.Clip(path), n)...) && ok
		}
	case expand.Unknown:
		ok = false
		at, field := it.resource.Property(path...), fmt.Sprintf("%q of %s", objects.PathText(path), it.called)
		if v.IsSecure() {
			text := shown.Brief()
			if list := expand.Parameters(shown.Value()); len(list) > 0 && strings.HasSuffix(text, "…") {
				text = "[" + list[0] + "]" // which is not at its beginning
			}
			c.out.Refuse(at, CodeSecret, "%s would hold a secret, and only a Secret may: put it into one, and refer to that: %s",
				field, text)
		} else {
			c.refuseUnknown(at, field, v, shown)
		}
	}
	return ok
}

// refuseUnknown refuses what is not known. What a resource of Radius returns can be assumed.
func (c *converter) refuseUnknown(at expand.Position, what string, v armjson.Value, shown objects.Shown) {
	p := c.out.RefuseUnknown(at, what, v, shown)
	causes, of := expand.Reasons(v), expand.References(v)
	if c.in.Recipes && len(p.Missing) == 0 && len(causes) > 0 && len(of) > 0 && of[0].IsRadius() {
		name, _ := expand.Known(of[0].Name)
		_, read, _ := strings.Cut(causes[0].Call, ".properties.")
		if end := strings.IndexAny(read, ".[("); end >= 0 {
			read = read[:end]
		}
		p.Option, p.Example = objects.OptionAssume, of[0].Type+"/"+name+"."+cmp.Or(read, "PROPERTY")+"=VALUE"
	}
}

// object makes the object of an item.
func (c *converter) object(it *item, alias string) *manifest.Object {
	o := &manifest.Object{APIVersion: it.resource.APIVersion, Kind: it.kind, Name: it.name, Namespace: it.namespace, Alias: alias}
	if it.group != "" {
		o.APIVersion = it.group + "/" + o.APIVersion
	}
	o.Metadata = armjson.NewObject(armjson.Member{Key: "name", Value: hidden(it.name, it.hides.name)})
	if it.namespace != "" {
		o.Metadata.Set("namespace", hidden(it.namespace, it.hides.namespace))
	}
	given, seen := it.body.Object("metadata"), it.shownBody().In("metadata")
	for _, key := range []string{"labels", "annotations"} {
		if v := given.Value(key); v != nil {
			o.Metadata.Set(key, seen.In(key).Mark(v))
		}
	}
	for key, v := range given.All() {
		if key != "namespace" && o.Metadata.Find(key) < 0 {
			o.Metadata.Set(key, seen.In(key).Mark(v))
		}
	}
	for key, v := range it.body.All() {
		if key != "apiVersion" && key != "kind" && key != "metadata" {
			o.Fields = append(o.Fields, armjson.Member{Key: key, Value: it.shownBody().In(key).Mark(v)})
		}
	}
	return o
}

// labelled returns a body with the labels and annotations of the user beside its own.
func (c *converter) labelled(body *armjson.Object) *armjson.Object {
	metadata, ok := body.Value("metadata").(*armjson.Object)
	if !ok {
		return body
	}
	metadata = withTexts(withTexts(metadata, "labels", c.in.Labels), "annotations", c.in.Annotations)
	body = body.Clone()
	body.Set("metadata", metadata)
	return body
}

// withTexts returns an object in which one member has some texts, beside those that it has.
func withTexts(o *armjson.Object, key string, texts map[string]string) *armjson.Object {
	before := o.Value(key)
	inner, ok := before.(*armjson.Object)
	if len(texts) == 0 || before != nil && !ok { // what is wrong with it is said elsewhere
		return o
	}
	o, inner = o.Clone(), inner.Clone()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		inner.Set(name, armjson.String(texts[name]))
	}
	o.Set(key, inner)
	return o
}

// hidden returns a text as it is written, marked if it must not be shown.
func hidden(s string, hides bool) armjson.Value {
	if hides {
		return &manifest.Hidden{Value: armjson.String(s)}
	}
	return armjson.String(s)
}

// ofAnyCluster are the namespaces that nobody has to make.
var ofAnyCluster = map[string]bool{"": true, "default": true, "kube-system": true, "kube-public": true, "kube-node-lease": true}

// createNamespaces adds the namespaces that the program does not make and that a cluster does not have by itself.
func (c *converter) createNamespaces() {
	made := maps.Clone(ofAnyCluster)
	for _, it := range c.items {
		if it.group == "" && it.kind == "Namespace" {
			made[it.name] = true
		}
	}
	for _, it := range c.items {
		if made[it.namespace] {
			continue
		}
		made[it.namespace] = true
		namespace := &item{kind: "Namespace", name: it.namespace, resource: &expand.Resource{APIVersion: "v1"}}
		namespace.hides.name = it.hides.namespace
		namespace.body = c.labelled(armjson.NewObject(armjson.Member{Key: "metadata", Value: armjson.NewObject()}))
		namespace.shown.Body = namespace.body
		alias := ""
		if namespace.hides.name {
			alias = c.aliases.Of(&c.in, it.resource, "/namespace")
		}
		c.out.Objects = append(c.out.Objects, c.object(namespace, alias))
	}
}

// unwritten returns the Secret of an item, whose values are secret.
func (it *item) unwritten(alias string) objects.Secret {
	s := objects.Secret{Name: it.name, Namespace: it.namespace, Keys: []string{}}
	if alias != "" {
		s.Name = alias
	}
	if it.hides.namespace {
		s.Namespace = "…"
	}
	more := func(why string) {
		if !slices.Contains(s.More, why) {
			s.More = append(s.More, why)
		}
	}
	for _, part := range []string{"data", "stringData"} {
		o, ok := it.body.Value(part).(*armjson.Object)
		if !ok && it.body.Value(part) != nil {
			more("secret")
		}
		for key, v := range o.All() {
			if !it.shownBody().In(part).Has(key) {
				key = "…"
			}
			if expand.HasUnknownName(armjson.NewObject(armjson.Member{Key: key, Value: v})) {
				more("not known")
			} else if !slices.Contains(s.Keys, key) {
				s.Keys = append(s.Keys, key)
			}
		}
	}
	slices.Sort(s.Keys)
	return s
}

// list says in comments which Secrets are not written.
func (c *converter) list() {
	defer c.out.TellLeft(&c.in)
	if len(c.out.Secrets) == 0 {
		return
	}
	c.out.Comments = []string{"Make these Secrets yourself; their values are secret, and no file holds them:"}
	for _, s := range c.out.Secrets {
		line := "  " + s.Name
		if s.Namespace != "" {
			line += " in the namespace " + s.Namespace
		}
		switch more := strings.Join(s.More, " or "); {
		case len(s.Keys) == 0:
			line += ", whose keys are " + strings.Replace(more, "secret", "secret, too", 1)
		case more != "":
			line += ", with the keys " + strings.Join(s.Keys, ", ") + " and others, which are " + more
		default:
			line += ", with the keys " + strings.Join(s.Keys, ", ")
		}
		c.out.Comments = append(c.out.Comments, line)
	}
}

// withoutNulls returns a value without members that are null: they say that a field is not set.
func withoutNulls(v armjson.Value) armjson.Value {
	switch v := v.(type) {
	case armjson.Array:
		return armjson.WithParts(v, func(_ string, x armjson.Value) armjson.Value { return withoutNulls(x) })
	case *armjson.Object:
		out := armjson.NewObject()
		for name, x := range v.All() {
			if x != (armjson.Null{}) {
				out.Set(name, withoutNulls(x))
			}
		}
		return out
	}
	return v
}
