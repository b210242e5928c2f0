package kubernetes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/manifest"
)

// first are the kinds that others need, in the order that a cluster needs them; all other kinds come later.
var first = []string{
	"Namespace", "CustomResourceDefinition", "PriorityClass", "StorageClass", "ResourceQuota", "LimitRange", "ServiceAccount",
	"Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "Secret", "ConfigMap", "PersistentVolume", "PersistentVolumeClaim",
	"Service", "GatewayClass", "Gateway", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Pod", "Job", "CronJob",
}

// last are the kinds that may keep others from being made.
var last = []string{
	"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration",
}

func rank(o *manifest.Object) int {
	if i := slices.Index(first, o.Kind); i >= 0 {
		return i
	}
	return len(first) + 1 + slices.Index(last, o.Kind)
}

// sortObjects puts objects in the order that a cluster needs, and those of one kind in the order of their names.
func sortObjects(list []*manifest.Object) {
	slices.SortStableFunc(list, func(a, b *manifest.Object) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.CalledIn(), b.CalledIn()), cmp.Compare(a.Called(), b.Called()))
	})
}

const (
	labelRule     = "want lower-case letters, digits and -, at most 63, beginning and ending with a letter or digit"
	subdomainRule = "want lower-case letters, digits, - and ., at most 253, beginning and ending with a letter or digit"
)

func isLabel(s string) bool {
	return len(s) <= 63 && manifest.IsSubdomain(s) && !strings.Contains(s, ".")
}

// isWord reports whether a text is made of letters and digits, as kinds and versions are.
func isWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) < 0
}

// nameProblem says why a cluster does not take the name of an object, or nothing.
func nameProblem(group, kind, name string) string {
	switch {
	case group == "rbac.authorization.k8s.io":
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/%") {
			return "want a text without / and %"
		}
	case group == "" && kind == "Namespace":
		if !isLabel(name) {
			return labelRule
		}
	case group == "" && kind == "Service":
		if !isLabel(name) || name[0] < 'a' {
			return "want lower-case letters, digits and -, at most 63, beginning with a letter and ending with a letter or digit"
		}
	case !manifest.IsSubdomain(name):
		return subdomainRule
	case group == "batch" && kind == "CronJob" && len(name) > 52:
		return "want at most 52 characters, since names of its jobs begin with it"
	}
	return ""
}
