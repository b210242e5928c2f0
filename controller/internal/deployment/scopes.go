package deployment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/radbicep/rad/controller/internal/resourceid"
)

// ScopeError says that a scope may not be deployed to.
type ScopeError struct {
	Scope, Namespace string
	Where            string // the place in the spec
}

func (e *ScopeError) Error() string {
	return fmt.Sprintf("%s: %s may not be used from namespace %s: --allowed-scopes of the controller does not name its scope", e.Where, e.Scope, e.Namespace)
}

var groupScope = regexp.MustCompile(`^(?i:/planes/radius/)[A-Za-z0-9][-A-Za-z0-9._]*(?i:/resourcegroups/)[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?$`)

// namespaceMark stands for the namespace of the object in a pattern.
const namespaceMark = "{namespace}"

// CheckPatterns says what is wrong with patterns of scopes. Those that lead the objects of two
// namespaces to one scope by the names of the namespaces are refused.
func CheckPatterns(patterns []string) error {
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil || !strings.HasPrefix(p, "/") {
			return fmt.Errorf("%q is not the pattern of a scope", p)
		}
		for _, part := range strings.Split(p, "/") {
			switch {
			case strings.Count(part, namespaceMark) > 1:
				return fmt.Errorf("%q names the namespace twice in one part", p)
			case strings.Contains(part, namespaceMark) && strings.ContainsAny(part, `*?[\`):
				return fmt.Errorf("%q does not part namespaces: for the namespace team, %s also fits what belongs to a namespace whose name begins or ends like it, such as team-b; use %s without a wildcard in that part", p, part, namespaceMark)
			}
		}
	}
	for i, a := range patterns {
		for _, b := range patterns[i+1:] {
			if meet(a, b) {
				return fmt.Errorf("%q and %q do not part namespaces: two namespaces can have the same scope by them", a, b)
			}
		}
	}
	return nil
}

// meet is true if two patterns can give one scope to two namespaces.
func meet(a, b string) bool {
	as, bs := strings.Split(strings.ToLower(a), "/"), strings.Split(strings.ToLower(b), "/")
	if len(as) != len(bs) {
		return false
	}
	differ := false
	for i := range as {
		before, after, inA := strings.Cut(as[i], namespaceMark)
		before2, after2, inB := strings.Cut(bs[i], namespaceMark)
		switch {
		case inA && inB:
			fits := (strings.HasPrefix(before, before2) || strings.HasPrefix(before2, before)) && (strings.HasSuffix(after, after2) || strings.HasSuffix(after2, after))
			if !fits {
				return false
			}
			if before != before2 || after != after2 {
				differ = true
			} else {
				return false // the namespace is the same wherever this part is
			}
		case inA || inB: // a scope for all that have the other pattern, as it is written
		case as[i] != bs[i] && !strings.ContainsAny(as[i]+bs[i], `*?[\`):
			return false
		}
	}
	return differ
}

// canonical is a scope or a pattern in the form in which they are compared.
func canonical(scope string) string {
	scope = strings.ToLower(strings.TrimRight(scope, "/"))
	if rest, ok := strings.CutPrefix(scope, "/planes/azure/azurecloud/"); ok && strings.HasPrefix(rest, "subscriptions/") {
		return "/" + rest
	}
	return scope
}

func allowed(scope, namespace string, patterns []string) bool {
	if len(patterns) == 0 {
		return true
	}
	scope = canonical(scope)
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(canonical(strings.ReplaceAll(p, namespaceMark, namespace)), scope)
		return ok && err == nil
	})
}

// MayTouch is true if a resource is in a scope that may be deployed to.
func MayTouch(id, namespace string, patterns []string) bool {
	if len(patterns) == 0 {
		return true
	}
	if _, err := resourceid.Parse(id); err != nil {
		return false
	}
	scope := id
	for {
		if allowed(scope, namespace, patterns) {
			return true
		}
		i := strings.LastIndex(strings.ToLower(scope), "/providers/")
		if i < 0 {
			return false
		}
		scope = scope[:i]
	}
}

// checkCloudScope refuses scopes of clouds that could lead elsewhere.
func checkCloudScope(scope string) error {
	if _, err := resourceid.Parse(scope); err != nil {
		return err
	}
	if decoded, err := url.PathUnescape(scope); err != nil || decoded != scope {
		return fmt.Errorf("the scope %q holds an escape", scope)
	}
	return nil
}

// literals looks for scopes in a template and in parameters, as far as they are written there, or
// are a parameter or a variable by itself. What is computed is not seen.
type literals struct {
	namespace string
	patterns  []string
	// parameters and variables are those of the template that is looked at.
	parameters, variables map[string]any
}

// within is for a template with values of its parameters, which are known to the one around it.
func (l literals) within(template map[string]any, given map[string]any) literals {
	inner := literals{l.namespace, l.patterns, map[string]any{}, map[string]any{}}
	declared := objectOf(valueOf(template, "parameters"))
	for name := range declared {
		inner.parameters[strings.ToLower(name)] = valueOf(objectOf(declared[name]), "defaultValue")
	}
	for name := range given {
		inner.parameters[strings.ToLower(name)] = l.known(valueOf(objectOf(given[name]), "value"))
	}
	for name, v := range objectOf(valueOf(template, "variables")) {
		inner.variables[strings.ToLower(name)] = v
	}
	return inner
}

var aName = regexp.MustCompile(`(?i)^\[\s*(parameters|variables)\(\s*'([^']*)'\s*\)\s*\]$`)

// known is a value, where an expression is nothing but the name of a parameter or a variable.
func (l literals) known(v any) any {
	for range maxDepth {
		m := aName.FindStringSubmatch(stringOf(v))
		if m == nil {
			return v
		}
		values := l.parameters
		if strings.EqualFold(m[1], "variables") {
			values = l.variables
		}
		v = values[strings.ToLower(m[2])]
	}
	return nil
}

// check returns an error for the first that may not be used.
func (l literals) check(where string, v any, depth int) error {
	if depth > maxDepth*8 {
		return nil
	}
	switch v := v.(type) {
	case string:
		return l.text(where, v)
	case []any:
		for i := range v {
			if err := l.check(fmt.Sprintf("%s[%d]", where, i), v[i], depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		if err := l.object(where, v); err != nil {
			return err
		}
		for _, k := range sortedKeys(v) {
			if k == "metadata" || k == "$schema" {
				continue
			}
			if err := l.text(where, k); err != nil {
				return err
			}
			inner, template := l, objectOf(v[k])
			if strings.EqualFold(k, "template") && valueOf(template, "resources") != nil {
				inner = l.within(template, objectOf(valueOf(v, "parameters")))
			}
			if err := inner.check(where+"."+k, v[k], depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// text checks a text that is an ID.
func (l literals) text(where, s string) error {
	s = strings.TrimSpace(s)
	if low := strings.ToLower(s); !strings.HasPrefix(low, "/planes/") && !strings.HasPrefix(low, "/subscriptions/") {
		return nil
	}
	if !MayTouch(s, l.namespace, l.patterns) && !strings.EqualFold(s, "/planes/kubernetes/local/namespaces/"+l.namespace) {
		return &ScopeError{Scope: s, Namespace: l.namespace, Where: where}
	}
	return nil
}

// name is the text that an object has under a key, if it can be seen.
func (l literals) name(o map[string]any, key string) string {
	s := stringOf(l.known(valueOf(o, key)))
	if strings.HasPrefix(s, "[") && !strings.HasPrefix(s, "[[") {
		return ""
	}
	return s
}

// object checks what names a scope by parts: the scopes of modules, and the namespaces of environments.
func (l literals) object(where string, o map[string]any) error {
	typ, _, _ := strings.Cut(l.name(o, "type"), "@")
	if strings.EqualFold(typ, "Microsoft.Resources/deployments") {
		group, subscription := l.name(o, "resourceGroup"), l.name(o, "subscriptionId")
		if group != "" && subscription != "" {
			return l.text(where, "/subscriptions/"+subscription+"/resourceGroups/"+group)
		}
		if subscription != "" && valueOf(o, "resourceGroup") == nil {
			return l.text(where, "/subscriptions/"+subscription)
		}
		if group != "" && !l.anyEndsWith(group) {
			return &ScopeError{Scope: "the resource group " + group, Namespace: l.namespace, Where: where}
		}
	}
	if name := l.name(objectOf(valueOf(o, "compute")), "namespace"); name != "" {
		return l.text(where+".compute", "/planes/kubernetes/local/namespaces/"+name)
	}
	return nil
}

// anyEndsWith is true if a pattern fits a scope that ends with a resource group. The rest of the
// scope is that of the template, which is checked for itself.
func (l literals) anyEndsWith(group string) bool {
	return slices.ContainsFunc(l.patterns, func(p string) bool {
		p = canonical(strings.ReplaceAll(p, namespaceMark, l.namespace))
		_, last, found := strings.Cut(p, "/resourcegroups/")
		ok, err := path.Match(last, strings.ToLower(group))
		return found && ok && err == nil
	})
}

// looked are the names that checks look for, in lower case.
var looked = []string{"type", "resourcegroup", "subscriptionid", "compute", "namespace", "template", "parameters", "variables", "value", "defaultvalue"}

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
