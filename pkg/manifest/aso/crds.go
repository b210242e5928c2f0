package aso

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest/schema"
)

// This file reads kinds from CRDs: those of the operator that is really there. What a CRD does not say comes from the
// table, for the same kind and path, else from the rules by which the operator's specs are made of Azure's bodies.

// define makes the operator's CRDs, if there are any, all the kinds that the table has.
func (t *table) define(kinds *schema.Kinds) {
	releases := map[string]bool{}
	for _, d := range kinds.Defined() {
		if !strings.HasSuffix(d.Group, groupSuffix) {
			continue
		}
		if t.crds == nil {
			t.crds, t.own = kinds, map[string][]*kind{}
		}
		releases[strings.TrimPrefix(d.Release, "v")] = true
		t.defineOne(d)
	}
	if t.crds == nil {
		return
	}
	t.operator, t.version = "Azure Service Operator of the given CRDs", "X.Y.Z"
	if delete(releases, ""); len(releases) == 1 {
		for t.version = range releases {
			t.operator = operatorName + t.version
		}
	}
	for _, all := range t.own { // v20240901 is what v1api20240901 is called since 2.17
		slices.SortStableFunc(all, func(a, b *kind) int { return strings.Count(a.version, "v1api") - strings.Count(b.version, "v1api") })
	}
}

// defineOne adds a kind in the versions that are served. Those that the operator stores objects in are served, too.
func (t *table) defineOne(d *schema.Definition) {
	known := t.builtIn(d.Group, d.Kind)
	armType, fixedName := "", ""
	if len(known) > 0 {
		armType, fixedName = known[0].armType, known[0].fixedName
	}
	for _, v := range d.Versions {
		if armType == "" {
			armType, fixedName = typeInURI(v.Text)
		}
	}
	if armType == "" { // as of users of databases, which are no resources of Azure
		if !slices.ContainsFunc(d.Versions, func(v *schema.Version) bool { return bytes.Contains(v.Text, []byte("description:")) }) {
			t.untyped = append(t.untyped, d.Kind+" ("+d.Group+")")
		}
		return
	}
	for _, v := range d.Versions {
		apiVersion := strings.TrimSuffix(date.ReplaceAllString(v.Name, "$1-$2-$3-$4"), "-")
		if v.Served && apiVersion != v.Name && !strings.HasSuffix(v.Name, "storage") {
			key := strings.ToLower(armType)
			t.own[key] = append(t.own[key], &kind{group: d.Group, version: v.Name, apiVersion: apiVersion, name: d.Kind,
				armType: armType, fixedName: fixedName, plural: d.Plural, spec: unread, known: known})
		}
	}
}

// unread stands for the number of a type that nobody asked for.
const unread = -1

var date = regexp.MustCompile(`^v(?:1api)?(\d{4})(\d\d)(\d\d)(.*)$`)

// builtIn returns a kind in all versions that the table has, the newest first.
func (t *table) builtIn(group, name string) (list []*kind) {
	if t.byKind == nil {
		t.byKind = map[string][]string{}
		for _, lines := range t.kinds {
			for _, line := range lines {
				words := strings.SplitN(line, " ", 5)
				t.byKind[words[0]+"/"+words[3]] = append(t.byKind[words[0]+"/"+words[3]], line)
			}
		}
	}
	for _, line := range t.byKind[group+"/"+name] {
		list = append(list, t.kind(line))
	}
	slices.SortStableFunc(list, func(a, b *kind) int { return strings.Compare(b.apiVersion, a.apiVersion) })
	return list
}

var uri = regexp.MustCompile(`ARM URI: (/[^\s"'\\]*)`)

// typeInURI returns Azure's type, and the name if all its resources have the same, as a description says them; nothing
// if it does not.
func typeInURI(text []byte) (armType, name string) {
	at := bytes.Index(text, []byte("ARM URI: "))
	if at < 0 {
		return "", ""
	}
	found := uri.FindSubmatch(text[at:])
	if found == nil {
		return "", ""
	}
	path := string(found[1])
	if i := strings.LastIndex(path, "/providers/"); i >= 0 {
		path = path[i+len("/providers/"):]
	} else {
		path = "Microsoft.Resources/" + path[strings.LastIndexByte(strings.TrimSuffix(path, "/{resourceGroupName}"), '/')+1:]
	}
	parts := strings.Split(path, "/")
	armType = parts[0]
	for i := 1; i < len(parts); i += 2 {
		armType += "/" + parts[i]
	}
	if last := parts[len(parts)-1]; len(parts)%2 == 1 && !strings.HasPrefix(last, "{") {
		name = last
	}
	return armType, name
}

// open reads the schema of a kind that a CRD defines, once. A schema that cannot be read is an error of the CRDs.
func (t *table) open(k *kind) *kind {
	if k.spec != unread {
		return k
	}
	root := armjson.NewObject()
	if read := t.crds.Find(k.group, k.version, k.name); read != nil && read.Schema() != nil {
		root = read.Schema()
	}
	spec, status := property(root, "spec"), property(root, "status")
	var like []*object
	k.known = slices.SortedStableFunc(slices.Values(k.known), func(a, b *kind) int { return rank(a, k) - rank(b, k) })
	for _, one := range k.known {
		like = append(like, t.object(one.spec))
	}
	r := reader{t: t, described: described(spec)}
	k.spec = r.object(spec, like, true)
	k.owner = t.ownerIn(k, property(spec, "owner"))
	if name := property(spec, "azureName"); name != nil {
		k.fixedName, k.limits = "", limitsIn(name)
	} else if k.fixedName == "" {
		k.fixedName = unclear
	}
	operator := property(spec, "operatorSpec")
	k.secrets = names(property(operator, "secrets"))
	k.maps = map[string]string{}
	for _, key := range names(property(operator, "configMaps")) {
		if path := exported(k.known, key, status); path != "" {
			k.maps[path] = key
		}
	}
	for _, list := range []string{"configMapExpressions", "secretExpressions"} {
		if property(operator, list) == nil {
			k.withoutLists = append(k.withoutLists, list)
		}
	}
	if property(operator, "configMapExpressions") != nil {
		given, found := map[string]bool{}, map[string]bool{}
		leaves(spec, "", given, 0)
		leaves(status, "", found, 0)
		for path := range found {
			if (!given[path] || strings.Contains(path, ".*")) && path != "id" && path != "name" && path != "type" &&
				!strings.HasPrefix(path, "systemData.") {
				k.status = append(k.status, path)
			}
		}
		slices.Sort(k.status)
	}
	return k
}

// rank puts the same version first.
func rank(one, like *kind) int {
	if one.apiVersion == like.apiVersion {
		return 0
	}
	return 1
}

// property returns the schema of a property; nil if there is none.
func property(s *armjson.Object, name string) *armjson.Object {
	if s == nil {
		return nil
	}
	p, _ := exactly(s.Object("properties"), name).(*armjson.Object)
	return p
}

func exactly(o *armjson.Object, name string) armjson.Value {
	if o == nil {
		return nil
	}
	v, _ := o.Get(name)
	return v
}

// names returns the names of a schema's properties.
func names(s *armjson.Object) (list []string) {
	if s == nil || s.Object("properties") == nil {
		return nil
	}
	for name := range s.Object("properties").All() {
		list = append(list, name)
	}
	return list
}

// described reports whether the properties of a schema have descriptions. They are left out where a CRD would be too large.
func described(s *armjson.Object) bool {
	return slices.ContainsFunc(names(s), func(name string) bool { return property(s, name).Str("description") != "" })
}

var ownerKind = regexp.MustCompile(`reference\s+to\s+a\s+([a-z.]+/\w+)\s+resource`)

// ownerIn returns what a kind belongs to, as the table writes it.
func (t *table) ownerIn(k *kind, owner *armjson.Object) string {
	switch {
	case owner == nil:
		return "-"
	case property(owner, "group") != nil:
		return "*"
	case len(k.known) > 0 && k.known[0].owner != "-" && k.known[0].owner != "*":
		return k.known[0].owner
	}
	if found := ownerKind.FindStringSubmatch(owner.Str("description")); found != nil {
		return found[1]
	}
	if strings.Count(k.armType, "/") > 1 {
		if all := t.versions(k.armType[:strings.LastIndexByte(k.armType, '/')]); len(all) > 0 {
			return all[0].group + "/" + all[0].name
		}
	}
	return "resources.azure.com/ResourceGroup"
}

// exported returns the path in the status of what the operator writes into a config map: the table says it, else the
// key is made of its names, or is called as the object that holds no other text.
func exported(known []*kind, key string, status *armjson.Object) string {
	for _, k := range known {
		for path, other := range k.maps {
			if other == key {
				return path
			}
		}
	}
	found := map[string]bool{}
	leaves(status, "", found, 0)
	var below []string
	for path := range found {
		if strings.EqualFold(strings.ReplaceAll(path, ".", ""), key) {
			return path
		}
		if strings.HasPrefix(path, key+".") {
			below = append(below, path)
		}
	}
	if len(below) == 1 {
		return below[0]
	}
	return ""
}

// leaves adds the paths of the texts that no list leads to. A * stands for any key of a map.
func leaves(s *armjson.Object, prefix string, into map[string]bool, depth int) {
	if depth > 4 {
		return
	}
	for _, name := range names(s) {
		p := property(s, name)
		of, isMap := exactly(p, "additionalProperties").(*armjson.Object)
		switch {
		case name == "conditions":
		case isMap:
			leaves(of, prefix+name+".*.", into, depth+1)
		case p.Str("type") == "string":
			into[prefix+name] = true
		default:
			leaves(p, prefix+name+".", into, depth+1)
		}
	}
}

// lacks says that the operator has no kind for a type.
func (t *table) lacks(armType string) string {
	text := t.operator + " has no kind for the type " + armType
	provider, _, _ := strings.Cut(strings.ToLower(armType), "/")
	others := slices.DeleteFunc(slices.Clone(t.untyped), func(kind string) bool { // groups are called as the providers are
		return !strings.HasSuffix(kind, " ("+strings.TrimPrefix(provider, "microsoft.")+groupSuffix+")")
	})
	switch built := t.kinds[strings.ToLower(armType)]; {
	case t.crds == nil:
		return text + "; deploy this resource in another way"
	case built != nil:
		k := t.kind(built[0])
		return text + "; add the CRD of " + k.name + " (" + k.group + ") to the cluster, or deploy this resource in another way"
	case len(others) > 0:
		return text + "; it may be one of those whose CRDs do not say a type, since they have no descriptions: " + orList(others)
	}
	return text + "; deploy this resource in another way"
}
