package aso

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/schema"
)

// verbs are what somebody needs who applies objects, changes and deletes them, and waits for them.
var verbs = []string{"get", "list", "watch", "create", "update", "delete", "patch"}

// credentialKeys are the keys of a secret with a credential. The last one is for a service principal with a password.
var credentialKeys = []string{"AZURE_SUBSCRIPTION_ID", "AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"}

// defaultCredential is the secret that the operator takes in a namespace.
const defaultCredential = "aso-credential"

// Requirements returns what has to be in a cluster for objects that Convert made: the role of who applies them, and the
// secrets with the operator's credentials, whose values are missing. The comments say which CRDs are needed. name is
// that of the role; kinds are those that the objects were made with.
func Requirements(name string, list []*manifest.Object, kinds *schema.Kinds) (made []*manifest.Object, comments []string) {
	t := newTable(unpack())
	t.define(kinds)
	plurals := map[manifest.Head]string{}
	for _, armType := range t.armTypes() {
		for _, k := range t.versions(armType) {
			plurals[manifest.Head{APIVersion: k.group + "/" + k.version, Kind: k.name}] = k.plural
		}
	}
	resources := map[string]map[string]bool{} // by group
	secrets := map[[2]string]bool{}           // namespaces and names
	for _, o := range list {
		if resources[o.Group()] == nil {
			resources[o.Group()] = map[string]bool{}
		}
		resources[o.Group()][plurals[manifest.Head{APIVersion: o.APIVersion, Kind: o.Kind}]] = true
		secrets[[2]string{o.Namespace, cmp.Or(o.Annotations[credentialAnnotation], defaultCredential)}] = true
	}
	role := &manifest.Object{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole", Name: name}
	var rules armjson.Array
	groups := slices.Sorted(maps.Keys(resources))
	for _, group := range groups {
		var names []string
		for _, plural := range slices.Sorted(maps.Keys(resources[group])) {
			names = append(names, plural, plural+"/status")
		}
		rules = append(rules, armjson.NewObject(armjson.Member{Key: "apiGroups", Value: texts(group)},
			armjson.Member{Key: "resources", Value: texts(names...)}, armjson.Member{Key: "verbs", Value: texts(verbs...)}))
	}
	role.Fields = []armjson.Member{{Key: "rules", Value: rules}}
	made = append(made, role)
	for _, key := range slices.SortedFunc(maps.Keys(secrets), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		data := armjson.NewObject()
		for _, name := range credentialKeys {
			data.Set(name, armjson.String(""))
		}
		made = append(made, &manifest.Object{APIVersion: "v1", Kind: "Secret", Namespace: key[0], Name: key[1],
			Fields: []armjson.Member{{Key: "stringData", Value: data}}})
	}
	pattern := "'" + strings.Join(groups, "/*;") + "/*'"
	return made, []string{
		"What " + t.operator + " needs for these objects. The CRDs, with Helm:",
		"  helm upgrade --install aso2 azure-service-operator --namespace azureserviceoperator-system --create-namespace \\",
		"    --repo https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts \\",
		"    --set crdPattern=" + pattern,
		"or with asoctl:",
		"  asoctl export template --version v" + t.version + " --crd-pattern " + pattern + " | kubectl apply -f -",
		"The role is for who applies the objects: bind it in their namespace.",
		"A credential is a secret in one of three scopes, of which the narrowest counts:",
		"  aso-controller-settings in azureserviceoperator-system, for all objects: Helm makes it",
		"  aso-credential in the namespace of objects, for all of them",
		"  a secret there with another name, for the objects that --credential-from gives it",
		"Fill in the values before you apply this: they replace those of a secret that is there. AZURE_CLIENT_CERTIFICATE",
		"can stand for AZURE_CLIENT_SECRET. Leave both out for a workload identity.",
	}
}

func texts(list ...string) armjson.Array {
	out := make(armjson.Array, len(list))
	for i, s := range list {
		out[i] = armjson.String(s)
	}
	return out
}
