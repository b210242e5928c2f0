// Package crossplane makes Crossplane's managed resources of the existing resources of a
// program, for observing them: nothing is created, changed or deleted. For clusters of AKS
// and EKS and for their node pools it also makes the objects that Cluster API needs to list
// and reach them.
//
// A table (kinds.go) says for each type which kind it is, and by which values the provider finds
// the resource. A resource is refused if the program does not give these values.
package crossplane

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// CapiPaused is the key of the option that pauses the objects of Cluster API.
const CapiPaused = "capiPaused"

// The codes of problems and warnings.
const (
	CodeType      = "crossplane-type"
	CodeExisting  = "crossplane-existing"
	CodeIdentity  = "crossplane-identity"
	CodeManaged   = "crossplane-managed-by"
	CodeNamespace = "crossplane-namespace"
)

// Owns reports whether a kind is one that Convert makes.
func Owns(h manifest.Head) bool {
	group, _, _ := strings.Cut(h.APIVersion, "/")
	return strings.HasSuffix(group, ".m.upbound.io") || group == objectGroup ||
		group == capiGroup || strings.HasSuffix(group, "."+capiGroup)
}

// Convert makes the objects of a program. The output says what is wrong with the program.
func Convert(in objects.Input) (*objects.Output, error) {
	c := &converter{in: in, out: &objects.Output{Missing: in.Missing, Of: map[*manifest.Object]objects.Origin{}},
		shownOf: in.Shower(), taken: map[string]*item{}, byName: map[string]*item{}}
	for _, r := range in.Program.Resources {
		c.add(r)
	}
	for _, it := range c.items {
		c.nameOf(it)
	}
	c.hide()
	c.oneSubscription()
	for _, it := range c.items {
		c.convert(it)
	}
	c.clusters()
	manifest.SortObjects(c.out.Objects)
	c.out.Sort()
	return c.out, nil
}

// converter converts one program.
type converter struct {
	in     objects.Input
	out    *objects.Output
	items  []*item
	byName map[string]*item // by scope, type and name
	// shownOf returns what messages may show of a resource.
	shownOf func(*expand.Resource) *expand.Resource
	taken   map[string]*item // by kind and name of the object
}

// item is an existing resource.
type item struct {
	resource   *expand.Resource
	kind       *kind
	name       string // what the provider finds it by, or what stands for it in names
	parentName string
	id         string // of Azure, if it is known
	objectName string
	parent     *item
	shown      *expand.Resource // what messages may show
	hides      bool             // what it is found by must not be shown
	alias      string           // of its objects, if so
}

func (it *item) what() string { return fmt.Sprintf("%q", it.resource.Symbol) }

func (c *converter) add(r *expand.Resource) {
	refuse := func(code, format string, args ...any) { c.out.Refuse(r.Position, code, format, args...) }
	what := fmt.Sprintf("%q", r.Symbol)
	if r.Symbol == "" {
		what = "the resource of the type " + r.Type
	}
	seen := c.shownOf(r)
	if !r.Existing {
		refuse(CodeExisting, "%s is not `existing`, so there is nothing to observe yet; declare it `existing`, or deploy it in another way",
			what)
		return
	}
	provider := ""
	if r.Extension != nil {
		if provider = r.Extension.Provider; !strings.EqualFold(provider, "AWS") && !strings.EqualFold(provider, "GCP") {
			refuse(CodeType, "%s is a resource of the extension %s; resources of Azure and AWS are observed", what, r.Extension.Alias)
			return
		}
	}
	k, why := find(provider, r.Type)
	if k == nil {
		refuse(CodeType, "%s: %s", what, why)
		return
	}
	if r.Condition != nil {
		c.out.RefuseUnknown(r.Position, "the condition of "+what, r.Condition, objects.Show(seen.Condition))
		return
	}
	if r.Copies != nil {
		c.out.RefuseUnknown(r.Position, "how many resources the loop "+what+" refers to", r.Copies, objects.Show(seen.Copies))
		return
	}
	it := &item{resource: r, kind: k, shown: seen}
	key := ""
	if k.byProperties {
		name, ok := c.property(it, k.externalName)
		if !ok {
			return
		}
		it.name = name
		if parent := map[cluster]origin{eksPool: eksCluster1, gkePool: "cluster"}[k.cluster]; parent != "" {
			if it.parentName, ok = c.property(it, parent); !ok {
				return
			}
		}
		key = strings.ToLower(k.armType) + "|" + it.parentName + "/" + it.name
	} else {
		name, ok := expand.Known(r.Name)
		if !ok {
			c.out.RefuseUnknown(r.Property("name"), "the name of "+what, r.Name, objects.Show(seen.Name))
			return
		}
		if !objects.FitsType(name, k.armType) {
			refuse(CodeIdentity, "the name %q of %s does not fit the type %s", objects.Show(seen.Name).Text(), what, k.armType)
			return
		}
		it.name = name
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			it.parentName, it.name = name[:i], name[i+1:]
		}
		it.id, _ = expand.Known(r.ID)
		key = c.key(r.Scope, k.armType, name)
	}
	if c.byName[key] != nil {
		return // the same, under another symbol
	}
	c.byName[key] = it
	c.items = append(c.items, it)
	for _, pair := range [][2]armjson.Value{{r.Name, seen.Name}, {r.ID, seen.ID}, {r.Scope, seen.Scope}, {r.Group, seen.Group}} {
		it.hides = it.hides || objects.Show(pair[1]).Hides(pair[0])
	}
}

// oneSubscription refuses what a provider would look for in another subscription: it finds most resources by their names, in that
// of its configuration.
func (c *converter) oneSubscription() {
	var first *item
	var of string
	for _, it := range c.items {
		if it.kind.byProperties || it.kind.externalName == wholeID || slices.ContainsFunc(it.kind.fields, identifier.isID) {
			continue
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(it.id), "/subscriptions/"), "/")
		at := it.resource.Position
		switch {
		case first == nil:
			first, of = it, id
		case id == of:
		case id == "" || of == "":
			c.out.RefuseMissing(at, "whether "+it.what()+" is in the subscription of "+first.what(), objects.OptionSubscription)
		default:
			c.out.Refuse(at, CodeIdentity, "%s is in another subscription than %s, and a ClusterProviderConfig, in whose "+
				"subscription both would be looked for, has only one; "+
				"declare it in another file, and give its objects another providerConfigRef", it.what(), first.what())
		}
	}
}

// isID says that an identifier is an ID, which has a subscription.
func (i identifier) isID() bool { return i.from == parentID }

// hide gives aliases to what must not be shown: an item, and what is named after it.
func (c *converter) hide() {
	aliases := objects.Aliases{}
	hidden := func(it *item) bool {
		for ; it != nil; it = it.parent {
			if it.hides {
				return true
			}
		}
		return false
	}
	for _, it := range c.items {
		if !hidden(it) {
			aliases[it.objectName] = true
		}
	}
	for _, it := range c.items {
		if hidden(it) {
			it.alias = aliases.Of(&c.in, it.resource, "")
		}
	}
}

func (c *converter) key(scope armjson.Value, armType, name string) string {
	return strings.ToLower(expand.Text(scope) + "|" + armType + "|" + name)
}

// parentOf finds the item that another is a part of, if the program has it.
func (c *converter) parentOf(it *item) *item {
	if it.parentName == "" {
		return nil
	}
	switch it.kind.cluster {
	case eksPool:
		return c.byName["aws.eks/cluster|/"+it.parentName]
	case gkePool:
		return c.byName["google.container/clusters|/"+it.parentName]
	}
	parentType := it.kind.armType[:strings.LastIndexByte(it.kind.armType, '/')]
	return c.byName[c.key(it.resource.Scope, parentType, it.parentName)]
}

// nameOf names the object of an item: after its parent and the resource.
func (c *converter) nameOf(it *item) {
	if it.objectName != "" {
		return
	}
	text := it.name
	if it.parent = c.parentOf(it); it.parent != nil {
		c.nameOf(it.parent)
		text = it.parent.objectName + "-" + text
	} else if it.parentName != "" {
		text = it.parentName + "-" + text
	}
	id := it.kind.group + expand.Text(it.resource.ID) + "|" + it.parentName + "/" + it.name
	n := objects.SafeName(text, id, false)
	of := it.kind.group + "/" + it.kind.name
	switch it.kind.cluster { // the objects of Cluster API have the same kinds for both clouds
	case aksCluster, eksCluster, gkeCluster:
		of = "Cluster"
	case aksPool, eksPool, gkePool:
		of = "MachinePool"
	}
	if c.taken[of+"/"+n] != nil {
		n = objects.SafeName(text, id, true)
	}
	c.taken[of+"/"+n] = it
	it.objectName = n
}

// convert makes the managed resource of an item.
func (c *converter) convert(it *item) {
	external, ok := c.identifier(it, it.kind.externalName)
	if !ok {
		return
	}
	provider := armjson.NewObject()
	for _, f := range it.kind.fields {
		if f.from == parentID && it.id == "" && it.parent != nil {
			provider.Set(f.field+"Ref", armjson.NewObject(armjson.Member{Key: "name", Value: armjson.String(it.parent.objectName)}))
			continue
		}
		value, ok := c.identifier(it, f.from)
		if !ok {
			return
		}
		provider.Set(f.field, armjson.String(value))
	}
	spec := armjson.NewObject(
		armjson.Member{Key: "managementPolicies", Value: armjson.Array{armjson.String("Observe")}},
		armjson.Member{Key: "forProvider", Value: provider},
	)
	if it.kind.cluster == aksCluster || it.kind.cluster == gkeCluster {
		spec.Set("writeConnectionSecretToRef", nameOnly(it.connectionSecret()))
	}
	c.emit(it, it.kind.group+"/"+version, it.kind.name, it.objectName, map[string]string{"crossplane.io/external-name": external}, spec)
}

// nameOnly is a reference to an object by its name.
func nameOnly(name string) *armjson.Object {
	return armjson.NewObject(armjson.Member{Key: "name", Value: armjson.String(name)})
}

// emit adds an object of an item. The user's annotations come first.
func (c *converter) emit(it *item, apiVersion, kind, name string, annotations map[string]string, spec *armjson.Object) {
	all := map[string]string{}
	maps.Copy(all, c.in.Annotations)
	maps.Copy(all, annotations)
	o := &manifest.Object{
		APIVersion: apiVersion, Kind: kind, Name: name, Alias: it.alias, Namespace: c.in.Namespace, Labels: c.in.Labels, Annotations: all,
		Fields: []armjson.Member{{Key: "spec", Value: spec}},
	}
	if it.alias != "" {
		o.Fields[0].Value = &manifest.Hidden{Value: spec}
	}
	c.out.Objects = append(c.out.Objects, o)
	c.out.Of[o] = objects.Origin{Resource: it.resource, Called: kind + " " + o.Called(),
		Place: func(path []string) (at expand.Position, said bool) { return it.place(o, path) }}
}

// place returns where the program says a part of an object of the item: what it is found by, and what is named after it. It is
// false for what all such objects have.
func (it *item) place(o *manifest.Object, path []string) (at expand.Position, said bool) {
	r := it.resource
	name := r.Property("name")
	if it.kind.byProperties {
		name = r.Property("properties", string(it.kind.externalName))
	}
	var v armjson.Value = o.Root()
	for _, part := range path {
		switch in := v.(type) {
		case *armjson.Object:
			v = member(in, part)
		case armjson.Array:
			if i, err := strconv.Atoi(part); err == nil && i < len(in) {
				v = in[i]
			}
		}
	}
	text, isText := v.(armjson.String)
	switch {
	case it.alias != "":
		return r.Position, true
	case !isText:
		return r.Position, false
	case len(path) == 3 && path[1] == "forProvider":
		for _, f := range it.kind.fields {
			if f.field == path[2] && it.kind.byProperties {
				return r.Property("properties", string(f.from)), true
			}
		}
		return r.Position, true
	}
	for _, own := range []string{it.objectName, it.name, it.parentName} {
		if own != "" && strings.Contains(string(text), own) {
			return name, true
		}
	}
	return r.Position, false
}

// identifier returns what the provider needs to find a resource; ok is false if it was
// refused.
func (c *converter) identifier(it *item, from origin) (value string, ok bool) {
	r := it.resource
	switch from {
	case ownName: // of all that are found by their name, and by a property of that name
		return it.name, true
	case parentName:
		return it.parentName, true
	case wholeID, parentID:
		if it.id == "" {
			c.out.RefuseUnknown(r.Position, "the ID of "+it.what(), r.ID, objects.Show(it.shown.ID))
			return "", false
		}
		if from == wholeID {
			return it.id, true
		}
		id := it.id
		for range 2 {
			id = id[:strings.LastIndexByte(id, '/')]
		}
		return id, true
	case groupName:
		if s, ok := expand.Known(r.Group); ok {
			return s, true
		}
		if r.Group != nil {
			c.out.RefuseUnknown(r.Position, "the resource group of "+it.what(), r.Group, objects.Show(it.shown.Group))
			return "", false
		}
		c.out.RefuseMissing(r.Position, "the resource group of "+it.what(), objects.OptionGroup)
		return "", false
	case regionName:
		return c.region(it)
	}
	return c.property(it, from)
}

// region returns the region of AWS, which the scope of the deployment names.
func (c *converter) region(it *item) (string, bool) {
	scope, _ := expand.Known(it.resource.Scope)
	if i := strings.LastIndex(strings.ToLower(scope), "/regions/"); i >= 0 {
		return scope[i+len("/regions/"):], true
	}
	p := c.out.RefuseMissing(it.resource.Position, "the region of "+it.what(), objects.OptionAWSScope)
	p.Example = "/planes/aws/aws/accounts/ID/regions/NAME"
	return "", false
}

// property returns an identifier in the body of a resource of AWS or Google Cloud.
func (c *converter) property(it *item, from origin) (string, bool) {
	r := it.resource
	names := []string{string(from)}
	part := -1
	switch from {
	case eksCluster1:
		names, part = []string{"ClusterName", "Id"}, 0
	case eksGroup:
		names, part = []string{"NodegroupName", "Id"}, 1
	case "Id":
		names = []string{"Id", "GroupId"}
	}
	body, shownBody := r.Body, it.shown.Body
	if inner, ok := member(body, "properties").(*armjson.Object); ok { // of AWS
		body = inner
		shownBody, _ = member(shownBody, "properties").(*armjson.Object)
	}
	for _, name := range names {
		v := member(body, name)
		if v == nil {
			continue
		}
		seen := objects.Show(member(shownBody, name))
		s, ok := expand.Known(v)
		if !ok {
			c.out.RefuseUnknown(r.Property("properties", name), fmt.Sprintf("%q of %s", name, it.what()), v, seen)
			return "", false
		}
		it.hides = it.hides || seen.Hides(v)
		if name == "Id" && part >= 0 {
			parts := strings.Split(s, "|")
			if len(parts) < 2 {
				c.out.Refuse(r.Property("properties", name), CodeIdentity, "%q of %s is %q; want CLUSTER|NODEGROUP",
					name, it.what(), seen.Text())
				return "", false
			}
			s = parts[part]
		}
		if s == "" {
			break
		}
		return s, true
	}
	c.out.Refuse(r.Position, CodeIdentity, "%s does not say its %s, by which it is found; add the property",
		it.what(), strings.Join(names, " or "))
	return "", false
}

func member(o *armjson.Object, name string) armjson.Value {
	v, _ := o.Lookup(name)
	return v
}
