package deployment

import (
	"errors"
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
	flag := "--allowed-scopes of the controller does not name its scope"
	if strings.HasPrefix(strings.ToLower(e.Scope), kubernetesNamespaces) {
		flag = "--allowed-namespaces of the controller does not name it"
	}
	return fmt.Sprintf("%s: %s may not be used from namespace %s: %s", e.Where, e.Scope, e.Namespace, flag)
}

var groupScope = regexp.MustCompile(`^(?i:/planes/radius/)[A-Za-z0-9][-A-Za-z0-9._]*(?i:/resourcegroups/)[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?$`)

// namespaceMark stands for the namespace of the object in a pattern.
const namespaceMark = "{namespace}"

// kubernetesNamespaces stands before the name of a namespace in its scope.
const kubernetesNamespaces = "/planes/kubernetes/local/namespaces/"

// patterns are those of all scopes that may be deployed to, namespaces of Kubernetes included.
func (s Settings) patterns() []string {
	all, namespaces := slices.Clone(s.AllowedScopes), s.AllowedNamespaces
	if len(namespaces) == 0 {
		namespaces = []string{namespaceMark}
	}
	for _, n := range namespaces {
		all = append(all, kubernetesNamespaces+n)
	}
	return all
}

// Check says what is wrong with patterns of scopes and namespaces. Those that lead the objects of two
// namespaces to one scope by the names of the namespaces are refused.
func (s Settings) Check() error {
	for _, n := range s.AllowedNamespaces {
		if len(s.AllowedScopes) == 0 {
			return errors.New("--allowed-namespaces needs --allowed-scopes")
		}
		if strings.Contains(n, "/") {
			return fmt.Errorf("--allowed-namespaces: %q is not the pattern of a namespace's name", n)
		}
	}
	if len(s.AllowedScopes) == 0 {
		return nil
	}
	if err := checkPatterns(s.patterns()); err != nil {
		return fmt.Errorf("--allowed-scopes: %w", err)
	}
	return nil
}

func checkPatterns(patterns []string) error {
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil || !strings.HasPrefix(p, "/") {
			return fmt.Errorf("%q is not the pattern of a scope", p)
		}
		for _, part := range strings.Split(p, "/") {
			switch {
			case strings.Count(part, namespaceMark) > 1:
				return fmt.Errorf("%q names the namespace twice in one part", p)
			case strings.Contains(part, namespaceMark) && strings.ContainsAny(part, `*?[\`):
				return fmt.Errorf("%q does not part namespaces: for the namespace team, %s also fits "+
					"what belongs to a namespace whose name begins or ends like it, such as team-b; "+
					"use %s without a wildcard in that part", p, part, namespaceMark)
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
			fits := (strings.HasPrefix(before, before2) || strings.HasPrefix(before2, before)) &&
				(strings.HasSuffix(after, after2) || strings.HasSuffix(after2, after))
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
