// Package aso makes objects of Azure Service Operator from the resources of a program.
//
// What the operator knows is in a table (table.gz, which testdata/targets/asotable makes of the operator's
// source): which kinds there are and in which versions of Azure's API, what each property
// of a body is called in the spec, and which properties are references, secrets or
// enumerations. CRDs of the operator that is there can take its place (crds.go, reader.go). Convert walks bodies along
// the table, so no kind has code of its own. What
// the operator cannot express is refused and never left out.
package aso

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/spell"
)

// The keys of the options in objects.Input that this target knows, lists of VALUE and PATTERN=VALUE, separated by commas.
const (
	ReconcilePolicy = "reconcilePolicy"
	CredentialFrom  = "credentialFrom"
	Existing        = "existing"
)

// Policies are the values of the reconcile policy; the first is the operator's default.
var Policies = []string{"manage", "skip", "detach-on-delete"}

// ExistingForms are the values of what becomes of existing resources: references by ID, or objects that the operator only
// reads. The first is the default.
var ExistingForms = []string{"refer", "skip"}

// The codes of problems and warnings.
const (
	CodeType      = "aso-type"
	CodeVersion   = "aso-version"
	CodeProperty  = "aso-property"
	CodeValue     = "aso-value"
	CodeReference = "aso-reference"
	CodeSecret    = "aso-secret"
	CodeResource  = "aso-resource"
)

// groupSuffix ends the groups of all kinds.
const groupSuffix = ".azure.com"

// Owns reports whether a kind is one that Convert makes.
func Owns(h manifest.Head) bool {
	group, _, _ := strings.Cut(h.APIVersion, "/")
	return strings.HasSuffix(group, groupSuffix)
}

// Convert makes the objects of a program. An error is about the options; what is wrong
// with the program is in the output.
func Convert(in objects.Input) (*objects.Output, error) { return convertBy(newTable(unpack()), in) }

// convertBy converts along a table. What turns out to be left out is left out with what needs it, from the beginning.
func convertBy(t *table, in objects.Input) (*objects.Output, error) {
	if t.define(in.Kinds); t.crds == nil && len(in.Kinds.Defined()) > 0 {
		return nil, errors.New("none of the given CRDs is one of Azure Service Operator: their groups end with " + groupSuffix)
	}
	for {
		c := newConverter(t, in)
		out, err := c.all()
		if in = c.in; err != nil || !in.LeaveOut(c.unfit) {
			return out, err
		}
	}
}

func newConverter(t *table, in objects.Input) *converter {
	return &converter{
		in: in, out: &objects.Output{Missing: in.Missing}, table: t, shownOf: in.Shower(),
		byID: map[string]*item{}, byPlace: map[string]*item{}, byResource: map[*expand.Resource]*item{},
		warned: map[string]bool{},
	}
}

// all converts all resources, once.
func (c *converter) all() (*objects.Output, error) {
	c.leaveOut()
	for _, r := range c.in.Program.Resources {
		if !r.Existing && !c.in.IsLeft(r) {
			c.add(r)
		}
	}
	if err := c.addExisting(); err != nil {
		return nil, err
	}
	if err := c.annotate(); err != nil {
		return nil, err
	}
	c.name()
	for _, it := range c.items {
		c.convert(it)
	}
	c.nameExports()
	if len(c.secrets) > 0 && !manifest.IsSubdomain(c.in.Name) {
		return nil, fmt.Errorf("%q cannot be the name of the secret that holds the values of secure parameters; "+
			"give the manifest another name with lower-case letters, digits, dots and -", c.in.Name)
	}
	c.out.Of = map[*manifest.Object]objects.Origin{}
	for _, it := range c.items {
		o := it.object()
		c.out.Objects, c.out.Of[o] = append(c.out.Objects, o), objects.Origin{Resource: it.resource, Called: it.what(), Place: it.place}
	}
	manifest.SortObjects(c.out.Objects)
	c.out.Comments = c.comments()
	c.out.TellLeft(&c.in)
	c.out.Sort()
	return c.out, nil
}

// converter converts one program.
type converter struct {
	in      objects.Input
	out     *objects.Output
	table   *table
	shownOf func(*expand.Resource) *expand.Resource // what messages may show of a resource

	items      []*item
	byID       map[string]*item // by ID, or the expression that it is, in lower case
	byPlace    map[string]*item // by scope, type and name, for IDs that are not known
	byResource map[*expand.Resource]*item
	unfit      []objects.Problem // about resources that are left out, if the user asks for that
	warned     map[string]bool
	secrets    []needed
	spelling   spell.Limited
}

// item is a resource that becomes an object.
type item struct {
	resource *expand.Resource
	// path leads to the item in the resource's body, if it is a child that is written there.
	path  []string
	index string              // what aliases add for it
	from  map[string][]string // where in the body each part of the spec comes from, by its names, each after a slash

	kind       *kind
	apiVersion string // that the program names
	armType    string
	name       string // whole: account/default
	id         armjson.Value
	scope      armjson.Value
	body       *armjson.Object
	objectName string
	alias      string // of the object, if its name is not shown
	owner      *item
	ownerID    string // where the owner is not an item
	exports    []export
	spec       *armjson.Object

	annotations map[string]string

	// What may be shown of the name, the ID, the scope and the body.
	shown struct{ name, id, scope, body objects.Shown }
	// hidesSpec says that the names of properties must not be shown, and hidesExports that
	// those of what the operator writes must not.
	hidesSpec, hidesExports bool

	// The secret and the config map that the operator writes, and the references to them.
	secretName, configName       string
	secretReaders, configReaders []*armjson.Object

	c *converter
}

// export is a value that the operator writes into a secret or config map.
type export struct {
	list  string // of operatorSpec: secrets, secretExpressions, configMaps or configMapExpressions
	field string
	key   string
	value string // the expression, of those
}

func textKey(v armjson.Value) string { return strings.ToLower(expand.Text(v)) }

func placeKey(scope armjson.Value, armType, name string) string {
	return strings.ToLower(expand.Text(scope) + "|" + armType + "|" + name)
}

// at returns where a property of an item is declared.
func (it *item) at(path ...string) expand.Position {
	return it.resource.Property(append(slices.Clip(it.path), path...)...)
}

// place returns where the program says a part of the item's object; false if it does not.
func (it *item) place(path []string) (at expand.Position, said bool) {
	switch {
	case len(path) == 0 || path[0] == "metadata":
		return it.at("name"), len(path) > 1 && path[1] == "name"
	case len(path) == 1 || path[1] == "owner" || it.resource.Existing:
		return it.at(), true
	case path[1] == "azureName":
		return it.at("name"), true
	}
	for n := len(path); n > 1; n-- {
		if from, ok := it.from["/"+strings.TrimSuffix(strings.Join(path[1:n], "/"), "FromConfig")]; ok {
			return it.at(from...), true
		}
	}
	return it.at(), false
}

// what is how messages call an item.
func (it *item) what() string {
	if it.resource.Symbol != "" && len(it.path) == 0 {
		return fmt.Sprintf("%q", it.resource.Symbol)
	}
	return fmt.Sprintf("%q", it.armType+"/"+it.shown.name.Text())
}

// lastName returns how messages call the last part of an item's name.
func (it *item) lastName() string {
	if name, ok := expand.Known(it.shown.name.Value()); ok {
		return lastName(name)
	}
	return it.shown.name.Text()
}

// named returns a name that is made of the name of the item's object.
func (it *item) named(name string) armjson.Value {
	if it.alias != "" {
		return &manifest.Hidden{Value: armjson.String(name)}
	}
	return armjson.String(name)
}

// add adds a resource, and the children that are written in its body.
func (c *converter) add(r *expand.Resource) {
	refuse := func(code, format string, args ...any) { c.out.Refuse(r.Position, code, format, args...) }
	what, seen := objects.What(r), c.shownOf(r)
	if r.Extension != nil {
		refuse(CodeType, "%s is a resource of the extension %s; Azure Service Operator makes resources of Azure only",
			what, r.Extension.Alias)
		return
	}
	if strings.EqualFold(r.Type, "Microsoft.Resources/deployments") {
		refuse(CodeType, "%s is a deployment whose template is not known here; make it a module", what)
		return
	}
	if r.Condition != nil {
		c.out.RefuseUnknown(r.Position, "the condition of "+what, r.Condition, objects.Show(seen.Condition))
		return
	}
	if r.Copies != nil {
		c.out.RefuseUnknown(r.Position, "how many resources the loop "+what+" makes", r.Copies, objects.Show(seen.Copies))
		return
	}
	for _, d := range r.Decorators {
		refuse(CodeResource, "%s: Azure Service Operator has no counterpart of @%s(); remove it", what, d)
	}
	name, ok := expand.Known(r.Name)
	if !ok {
		if expand.IsSecure(r.Name) {
			refuse(CodeSecret, "the name of %s is secure, and would be in the manifest; use another parameter", what)
			return
		}
		c.out.RefuseUnknown(r.Property("name"), "the name of "+what, r.Name, objects.Show(seen.Name))
		return
	}
	if !objects.FitsType(name, r.Type) {
		refuse(CodeResource, "the name %q of %s does not fit the type %s: "+
			"it has a part for each part of the type but the first, separated by /", objects.Show(seen.Name).Text(), what, r.Type)
		return
	}
	k := c.choose(r.Type, r.APIVersion, r.Position, what)
	if k == nil {
		return
	}
	it := &item{resource: r, kind: k, apiVersion: r.APIVersion, armType: r.Type, name: name, id: r.ID, scope: r.Scope, body: r.Body, c: c}
	it.shown.name, it.shown.id, it.shown.scope = objects.Show(seen.Name), objects.Show(seen.ID), objects.Show(seen.Scope)
	if seen.Body != nil {
		it.shown.body = objects.Show(seen.Body)
	}
	if r.Existing {
		c.complete(it)
	}
	if it.body != nil {
		c.insert(it)
	}
}

// insert adds an item unless the same is there already.
func (c *converter) insert(it *item) {
	it.body = c.split(it)
	if len(it.path) == 0 {
		c.byResource[it.resource] = it
	}
	// Where IDs are not known, resources of several groups look alike.
	if other := c.byPlace[placeKey(it.scope, it.armType, it.name)]; other != nil && expand.IsKnown(it.scope) {
		same := armjson.Equal(expand.Printable(other.body), expand.Printable(it.body)) && other.kind.version == it.kind.version
		if same || it.resource.Existing {
			c.byResource[it.resource] = other
			return
		}
		differ := "properties"
		if other.kind.version != it.kind.version {
			differ = "versions"
		}
		c.out.Refuse(it.at(), CodeResource, "%s %s is declared twice with different %s (the other is at %s); "+
			"a cluster has one object for it", it.armType, it.shown.name.Text(), differ, other.at().Short())
		return
	}
	c.items = append(c.items, it)
	c.byPlace[placeKey(it.scope, it.armType, it.name)] = it
	if it.id != nil {
		c.byID[textKey(it.id)] = it
	}
}

// choose returns the kind for a type: in the version that the program names, else in the
// oldest stable one that is newer, else in the newest stable one. Previews are only taken where the program names them, or
// an older one of a type that has nothing else.
func (c *converter) choose(armType, apiVersion string, at expand.Position, what string) *kind {
	all := c.table.versions(armType)
	if len(all) == 0 {
		c.out.Refuse(at, CodeType, "%s: %s", what, c.table.lacks(armType))
		return nil
	}
	var newer, newest, preview *kind
	var previews []string
	for _, k := range all {
		if first := all[0]; k.group != first.group || k.name != first.name {
			c.out.Refuse(at, CodeType, "%s: the given CRDs of %s (%s) and %s (%s) are both for the type %s; give one of them",
				what, first.name, first.group, k.name, k.group, armType)
			return nil
		}
	}
	for _, k := range all {
		if strings.EqualFold(k.apiVersion, apiVersion) {
			return c.table.open(k)
		}
		if isPreview(k.apiVersion) {
			previews = append(previews, k.apiVersion)
			if isPreview(apiVersion) && k.apiVersion > apiVersion && (preview == nil || k.apiVersion < preview.apiVersion) {
				preview = k
			}
			continue
		}
		if newest == nil || k.apiVersion > newest.apiVersion {
			newest = k
		}
		if isNewer(k.apiVersion, apiVersion) && (newer == nil || k.apiVersion < newer.apiVersion) {
			newer = k
		}
	}
	chosen := cmp.Or(newer, newest, preview)
	if chosen == nil {
		c.out.Refuse(at, CodeVersion, "%s: of %s, %s has previews only, and not %s; use %s",
			what, armType, c.table.operator, apiVersion, strings.Join(previews, " or "))
		return nil
	}
	c.out.Warn(at, CodeVersion, "the version %s of %s is not in %s; %s calls Azure with %s",
		apiVersion, armType, c.table.operator, what, chosen.apiVersion)
	return c.table.open(chosen)
}

// isNewer reports whether a stable version is newer than another: it follows its preview.
func isNewer(stable, than string) bool {
	date := than[:min(len(than), len("2006-01-02"))]
	return stable > date || stable == date && isPreview(than)
}

func isPreview(version string) bool { return len(version) > len("2006-01-02") }

// split takes the children out of a body that the operator has kinds of their own for, such
// as the subnets of a virtual network, and adds them as items. It returns the rest.
func (c *converter) split(it *item) *armjson.Object {
	props := it.body.Object("properties")
	if props == nil {
		return it.body
	}
	o := c.table.object(it.kind.spec)
	var rest *armjson.Object
	for name, v := range props.All() {
		list, ok := v.(armjson.Array)
		if !ok || o.byPath["properties."+strings.ToLower(name)] != nil || !it.shown.body.In("properties").Has(name) {
			continue // the name of a kind is in messages, so it cannot be one that must not be shown
		}
		childType := it.armType + "/" + name
		if !c.table.has(childType) || !c.children(it, childType, name, list) {
			continue
		}
		if rest == nil {
			rest = without(props, "")
		}
		rest.Delete(name)
	}
	if rest == nil {
		return it.body
	}
	body := without(it.body, "")
	body.Set("properties", rest)
	return body
}

// children adds the elements of a list as items; false if they are not resources.
func (c *converter) children(it *item, childType, name string, list armjson.Array) bool {
	for _, v := range list {
		o, ok := v.(*armjson.Object)
		if !ok || o.Find("name") < 0 {
			return false
		}
	}
	at := it.at("properties", name)
	for i, v := range list {
		o := v.(*armjson.Object)
		what := fmt.Sprintf("properties.%s[%d] of %s", name, i, it.what())
		seen := it.shown.body.In("properties").In(name).In(strconv.Itoa(i))
		given, _ := o.Get("name")
		child, ok := expand.Known(given)
		if !ok {
			c.out.RefuseUnknown(at, "the name of "+what, given, seen.In("name"))
			continue
		}
		if !objects.FitsType(it.name+"/"+child, childType) {
			c.out.Refuse(at, CodeResource, "%q is not a name for %s", seen.In("name").Text(), what)
			continue
		}
		k := c.choose(childType, it.apiVersion, at, what)
		if k == nil {
			continue
		}
		part := &item{
			resource: it.resource, path: append(slices.Clip(it.path), "properties", name, strconv.Itoa(i)),
			kind: k, apiVersion: it.apiVersion, armType: childType,
			name: it.name + "/" + child, scope: it.scope, body: without(o, "name"), c: c,
		}
		if id, ok := expand.Known(it.id); ok {
			part.id = armjson.String(id + "/" + name + "/" + child)
		}
		part.shown.scope, part.shown.body = it.shown.scope, seen
		part.shown.name = join(it.shown.name, "/", seen.In("name"))
		part.shown.id = join(it.shown.id, "/"+name+"/", seen.In("name"))
		part.index = fmt.Sprintf("%s/%s/%d", it.index, name, i)
		c.insert(part)
	}
	return true
}

// join returns two texts as one; nothing is shown of it if one of them is not.
func join(a objects.Shown, between string, b objects.Shown) objects.Shown {
	x, ok := expand.Known(a.Value())
	y, both := expand.Known(b.Value())
	if !ok || !both {
		return objects.Shown{}
	}
	return objects.Show(armjson.String(x + between + y))
}

// without returns a copy of an object that lacks a member.
func without(o *armjson.Object, name string) *armjson.Object {
	out := armjson.NewObject()
	for k, v := range o.All() {
		if k != name {
			out.Set(k, v)
		}
	}
	return out
}

// object returns the object of an item.
func (it *item) object() *manifest.Object {
	spec := armjson.NewObject()
	if it.kind.fixedName == "" {
		azure := armjson.Value(armjson.String(lastName(it.name)))
		if it.hidesName() {
			azure = &manifest.Hidden{Value: azure}
		}
		spec.Set("azureName", azure)
	}
	if owner := it.ownerReference(); owner != nil {
		spec.Set("owner", owner)
	}
	if it.spec != nil {
		for k, v := range it.spec.All() {
			spec.Set(k, v)
		}
	}
	if op := it.operator(); op != nil {
		if it.hidesExports {
			spec.Set("operatorSpec", &manifest.Hidden{Value: op})
		} else {
			spec.Set("operatorSpec", op)
		}
	}
	whole := armjson.Value(spec)
	if it.hidesSpec {
		whole = &manifest.Hidden{Value: spec}
	}
	return &manifest.Object{
		APIVersion: it.kind.group + "/" + it.kind.version, Kind: it.kind.name,
		Name: it.objectName, Alias: it.alias, Namespace: it.c.in.Namespace,
		Labels: it.c.in.Labels, Annotations: it.annotations, Fields: []armjson.Member{{Key: "spec", Value: whole}},
	}
}

// ownerReference returns the owner as the spec has it; nil if the kind has none.
func (it *item) ownerReference() *armjson.Object {
	switch {
	case it.kind.owner == "-":
		return nil
	case it.owner == nil:
		id := armjson.Value(armjson.String(it.ownerID))
		if it.shown.scope.Hides(it.scope) || it.hidesName() {
			id = &manifest.Hidden{Value: id}
		}
		return armjson.NewObject(armjson.Member{Key: "armId", Value: id})
	case it.kind.owner == "*":
		return it.owner.reference()
	}
	return armjson.NewObject(armjson.Member{Key: "name", Value: it.owner.named(it.owner.objectName)})
}

// reference returns how objects refer to an item.
func (it *item) reference() *armjson.Object {
	return armjson.NewObject(
		armjson.Member{Key: "group", Value: armjson.String(it.kind.group)},
		armjson.Member{Key: "kind", Value: armjson.String(it.kind.name)},
		armjson.Member{Key: "name", Value: it.named(it.objectName)},
	)
}

// hidesName reports whether the item's name must not be shown.
func (it *item) hidesName() bool { return it.shown.name.Hides(armjson.String(it.name)) }

func lastName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
