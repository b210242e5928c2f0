package deployment

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxNesting bounds the nesting of what is looked at. What is deeper is refused.
const maxNesting = 400

// literals looks for scopes in a template and in parameters, as far as they are written there, or
// are a parameter or a variable by itself. What is computed is not seen.
type literals struct {
	namespace string
	patterns  []string
	// plane is the plane of Radius, and subscription that of Azure, or "": where a resource is that names only its group.
	plane, subscription string
	// parameters and variables are those of the template that is looked at.
	parameters, variables map[string]bound
}

// bound is a value, and where the names in it are looked up.
type bound struct {
	value any
	in    *literals
}

// newLiterals is for the specs of a namespace with these scopes.
func newLiterals(namespace string, s Settings, deployments, azure string) *literals {
	l := &literals{namespace: namespace, patterns: s.patterns()}
	l.plane, _ = splitGroup(deployments)
	l.subscription, _ = splitGroup(azure)
	return l
}

// splitGroup parts a scope from the resource group at its end.
func splitGroup(scope string) (around, group string) {
	if i := strings.Index(strings.ToLower(scope), "/resourcegroups/"); i >= 0 {
		return scope[:i], scope[i+len("/resourcegroups/"):]
	}
	return scope, ""
}

// within is for a template with values of its parameters, which are known to the one around it.
func (l *literals) within(template map[string]any, given map[string]any) *literals {
	inner := *l
	inner.parameters, inner.variables = map[string]bound{}, map[string]bound{}
	declared := objectOf(valueOf(template, "parameters"))
	for name := range declared {
		inner.parameters[strings.ToLower(name)] = bound{valueOf(objectOf(declared[name]), "defaultValue"), &inner}
	}
	for name := range given {
		inner.parameters[strings.ToLower(name)] = bound{valueOf(objectOf(given[name]), "value"), l}
	}
	for name, v := range objectOf(valueOf(template, "variables")) {
		inner.variables[strings.ToLower(name)] = bound{v, &inner}
	}
	return &inner
}

var aName = regexp.MustCompile(`(?i)^\[\s*(parameters|variables)\(\s*'([^']*)'\s*\)\s*\]$`)

// known is a value, where an expression is nothing but the name of a parameter or a variable, and where the names in it
// are looked up.
func (l *literals) known(v any) (any, *literals) {
	in := l
	for range maxDepth {
		m := aName.FindStringSubmatch(stringOf(v))
		if m == nil {
			return v, in
		}
		values := in.parameters
		if strings.EqualFold(m[1], "variables") {
			values = in.variables
		}
		b, ok := values[strings.ToLower(m[2])]
		if !ok {
			break
		}
		v, in = b.value, b.in
	}
	return nil, l
}

// inner is the object that an object has under a key, if it can be seen.
func (l *literals) inner(o map[string]any, key string) (map[string]any, *literals) {
	v, in := l.known(valueOf(o, key))
	return objectOf(v), in
}

// name is the text that an object has under a key, if it can be seen.
func (l *literals) name(o map[string]any, key string) string {
	v, _ := l.known(valueOf(o, key))
	s := stringOf(v)
	if strings.HasPrefix(s, "[") && !strings.HasPrefix(s, "[[") {
		return ""
	}
	return s
}

// place is a place in a spec. Its text is made only where something is wrong there.
type place struct {
	up    *place
	key   string
	index int // where key is ""
	depth int
}

func (p *place) at(key string) *place { return &place{up: p, key: key, depth: p.depth + 1} }
func (p *place) item(i int) *place    { return &place{up: p, index: i, depth: p.depth + 1} }

func (p *place) String() string {
	switch {
	case p.up == nil:
		return p.key
	case p.key == "":
		return p.up.String() + "[" + strconv.Itoa(p.index) + "]"
	}
	return p.up.String() + "." + p.key
}

// role is what a value is in a template.
type role int

const (
	anything role = iota
	aTemplate
	declarations // parameters, outputs or definitions of a template
	aDeclaration
	aResourceList
	aResource
	moduleProperties
)

// below is the role of what is under a key. described is true of what describes a template, and leads nowhere.
func (r role) below(key string, module bool) (below role, described bool) {
	switch r {
	case aTemplate:
		switch strings.ToLower(key) {
		case "parameters", "outputs", "definitions":
			return declarations, false
		case "resources":
			return aResourceList, false
		}
		return anything, key == "metadata" || key == "$schema"
	case declarations:
		return aDeclaration, false
	case aDeclaration:
		return anything, key == "metadata"
	case aResourceList:
		return aResource, false
	case aResource:
		switch {
		case strings.EqualFold(key, "resources"):
			return aResourceList, false
		case module && strings.EqualFold(key, "properties"):
			return moduleProperties, false
		}
	}
	return anything, false
}

// check returns an error for the first that may not be used.
func (l *literals) check(at *place, v any, is role) error {
	if at.depth > maxNesting {
		top := at
		for top.up != nil {
			top = top.up
		}
		return fmt.Errorf("%s: it nests more than %d levels, which --allowed-scopes does not look at", top, maxNesting)
	}
	switch v := v.(type) {
	case string:
		return l.text(at, v)
	case []any:
		element, _ := is.below("", false)
		for i := range v {
			if err := l.check(at.item(i), v[i], element); err != nil {
				return err
			}
		}
	case map[string]any:
		return l.object(at, v, is)
	}
	return nil
}

func (l *literals) object(at *place, o map[string]any, is role) error {
	module := is == aResource && l.isModule(o)
	err := l.parts(at, o)
	switch is {
	case aTemplate:
		err = cmp.Or(err, l.imports(at, o))
	case aResource:
		err = cmp.Or(err, l.resource(at, o, module))
		if p := valueOf(o, "properties"); module && p != nil && objectOf(p) == nil {
			err = cmp.Or(err, fmt.Errorf("%s: want the properties of a module as they are, which --allowed-scopes can look at",
				at.at("properties")))
		}
	case moduleProperties:
		if valueOf(o, "templateLink") != nil {
			err = cmp.Or(err, fmt.Errorf("%s: it is not in the spec, so --allowed-scopes cannot look at it; write the template out",
				at.at("templateLink")))
		}
		configs := objectOf(valueOf(o, "extensionConfigs"))
		for _, alias := range sortedKeys(configs) {
			err = cmp.Or(err, l.configured(at.at("extensionConfigs").at(alias), objectOf(configs[alias])))
		}
	}
	if err != nil {
		return err
	}
	for _, k := range sortedKeys(o) {
		below, described := is.below(k, module)
		if described {
			continue
		}
		err := l.text(at, k)
		if is == moduleProperties && strings.EqualFold(k, "template") {
			err = cmp.Or(err, l.module(at.at(k), o, objectOf(o[k])))
		} else if err == nil {
			err = l.check(at.at(k), o[k], below)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isModule is true of a deployment within a template, and of what may be one.
func (l *literals) isModule(resource map[string]any) bool {
	typ, _, _ := strings.Cut(l.name(resource, "type"), "@")
	return typ == "" || strings.EqualFold(typ, "Microsoft.Resources/deployments")
}

// module checks the template of a module. Its expressions are evaluated with its own names, or with those around it.
func (l *literals) module(at *place, properties, template map[string]any) error {
	options, in := l.inner(properties, "expressionEvaluationOptions")
	switch scope := in.name(options, "scope"); {
	case template == nil:
		return fmt.Errorf("%s: want the template as it is, which --allowed-scopes can look at", at)
	case strings.EqualFold(scope, "inner"):
		return l.within(template, objectOf(valueOf(properties, "parameters"))).check(at, template, aTemplate)
	case strings.EqualFold(scope, "outer"):
		return l.check(at, template, aTemplate)
	}
	// Readers differ in what they take where it is not said.
	return fmt.Errorf(`%s: want expressionEvaluationOptions with the scope "inner" or "outer" beside it, as Bicep writes it`, at)
}

// text checks a text that is an ID, or that becomes one when a client of HTTP takes dots and backslashes out of it.
func (l *literals) text(at *place, s string) error {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, `\`) {
		return nil
	}
	low := strings.ReplaceAll(strings.ToLower(s), `\`, "/")
	if decoded, err := url.PathUnescape(low); err == nil {
		low = decoded
	}
	if low = path.Clean(low); !strings.HasPrefix(low, "/planes/") && !strings.HasPrefix(low, "/subscriptions/") {
		return nil
	}
	if !MayTouch(s, l.namespace, l.patterns) {
		return &ScopeError{Scope: s, Namespace: l.namespace, Where: at.String()}
	}
	return nil
}

// kubernetes checks a namespace of Kubernetes; "" is none that can be seen.
func (l *literals) kubernetes(at *place, name string) error {
	if name == "" {
		return nil
	}
	return l.text(at, kubernetesNamespaces+name)
}

// parts checks what names a scope by its parts, wherever that is: the compute, the providers and the extensions of
// environments and applications.
func (l *literals) parts(at *place, o map[string]any) error {
	compute, in := l.inner(o, "compute")
	err := l.kubernetes(at.at("compute"), in.name(compute, "namespace"))
	if strings.EqualFold(l.name(o, "kind"), "kubernetesNamespace") {
		err = cmp.Or(err, l.kubernetes(at, l.name(o, "namespace")))
	}
	providers, in := l.inner(o, "providers")
	if providers == nil {
		return err
	}
	at = at.at("providers")
	kubernetes, names := in.inner(providers, "kubernetes")
	err = cmp.Or(err, l.kubernetes(at.at("kubernetes"), names.name(kubernetes, "namespace")))
	azure, names := in.inner(providers, "azure")
	if id := names.name(azure, "subscriptionId"); id != "" {
		err = cmp.Or(err, l.text(at.at("azure"), groupIn("/subscriptions/"+id, names.name(azure, "resourceGroupName"))))
	}
	aws, names := in.inner(providers, "aws")
	if account := names.name(aws, "accountId"); account != "" {
		id := "/planes/aws/aws/accounts/" + account
		if region := names.name(aws, "region"); region != "" {
			id += "/regions/" + region
		}
		err = cmp.Or(err, l.text(at.at("aws"), id))
	}
	return err
}

// groupIn is a scope, or a resource group in it.
func groupIn(scope, group string) string {
	if group == "" {
		return scope
	}
	return scope + "/resourceGroups/" + group
}

// resource checks what names a scope in a resource: its resource group and subscription, the namespace of an object of Kubernetes,
// and that of a Secret.
func (l *literals) resource(at *place, r map[string]any, module bool) error {
	typ, _, _ := strings.Cut(l.name(r, "type"), "@")
	group, subscription := l.name(r, "resourceGroup"), l.name(r, "subscriptionId")
	var err error
	switch azure := strings.HasPrefix(strings.ToLower(typ), "microsoft."); {
	case subscription != "" && (group != "" || valueOf(r, "resourceGroup") == nil):
		err = l.text(at, groupIn("/subscriptions/"+subscription, group))
	case group == "":
	default: // a module may be one of Azure, and is a deployment of Radius
		if l.subscription != "" && (azure || module) {
			err = l.text(at, groupIn(l.subscription, group))
		}
		if l.subscription == "" || !azure || module {
			err = cmp.Or(err, l.text(at, groupIn(l.plane, group)))
		}
	}
	properties, in := l.inner(r, "properties")
	at = at.at("properties")
	if strings.EqualFold(typ, "Applications.Core/secretStores") {
		if namespace, _, ok := strings.Cut(in.name(properties, "resource"), "/"); ok {
			err = cmp.Or(err, l.kubernetes(at.at("resource"), namespace))
		}
	}
	metadata, names := in.inner(properties, "metadata")
	return cmp.Or(err, l.kubernetes(at.at("metadata"), names.name(metadata, "namespace")))
}

// imports checks the namespaces that a template gives to extensions for Kubernetes.
func (l *literals) imports(at *place, template map[string]any) error {
	for _, key := range []string{"imports", "extensions"} {
		all := objectOf(valueOf(template, key))
		for _, alias := range sortedKeys(all) {
			entry := objectOf(all[alias])
			if name := cmp.Or(l.name(entry, "provider"), l.name(entry, "name")); name != "" && !strings.EqualFold(name, "Kubernetes") {
				continue
			}
			config, in := l.inner(entry, "config")
			if err := in.configured(at.at(key).at(alias), config); err != nil {
				return err
			}
		}
	}
	return nil
}

// configured checks the namespace in the configuration of an extension: a text, or an object with it.
func (l *literals) configured(at *place, config map[string]any) error {
	object, in := l.inner(config, "namespace")
	return l.kubernetes(at, cmp.Or(l.name(config, "namespace"), in.name(object, "value"), in.name(object, "defaultValue")))
}

// looked are the names that checks look for, in lower case.
var looked = strings.Fields(`type resourcegroup subscriptionid template parameters variables value defaultvalue outputs definitions
	resources properties metadata compute kind namespace resource providers kubernetes azure aws resourcegroupname
	accountid region imports extensions extensionconfigs provider name config expressionevaluationoptions scope`)

// distinct returns an error if an object of a JSON text has a name twice, or one that is looked for
// in two spellings: which of the two counts is for the reader to say, and Radius need not say what we do.
func distinct(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	type level struct {
		names map[string]bool // nil for an array
		value bool            // a value comes next
	}
	var levels []level
	for {
		token, err := d.Token()
		if err != nil {
			return nil // it was read before, so this is its end
		}
		at := len(levels) - 1
		if delim, ok := token.(json.Delim); ok {
			switch delim {
			case '{', '[':
				if at >= 0 {
					levels[at].value = false
				}
				next := level{}
				if delim == '{' {
					next.names = map[string]bool{}
				}
				levels = append(levels, next)
			default:
				levels = levels[:at]
			}
			continue
		}
		if at < 0 || levels[at].names == nil {
			continue
		}
		if levels[at].value {
			levels[at].value = false
			continue
		}
		name := token.(string)
		if low := strings.ToLower(name); slices.Contains(looked, low) {
			name = low
		}
		if levels[at].names[name] {
			return fmt.Errorf("an object holds %q twice", token)
		}
		levels[at].names[name], levels[at].value = true, true
	}
}

// valueOf finds a key of an object, whatever its case.
func valueOf(o map[string]any, key string) any {
	if v, ok := o[key]; ok {
		return v
	}
	for k, v := range o {
		if strings.EqualFold(k, key) {
			return v
		}
	}
	return nil
}
