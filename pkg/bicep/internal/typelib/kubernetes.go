package typelib

import (
	_ "embed"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Kubernetes provides any type, since the kinds of a cluster cannot be known. For the
// kinds that every cluster has, the head of the body is known,
// and of the common ones the rest as well.
type Kubernetes struct {
	Empty
	defined, fallback cache
}

// kubernetesTypes are the kinds of Kubernetes itself, by group and version.
var kubernetesTypes = [...]struct{ group, version, kinds string }{
	{"core", "v1", "ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod PodTemplate " +
		"ReplicationController ResourceQuota Secret Service ServiceAccount"},
	{"apps", "v1", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"},
	{"batch", "v1", "CronJob Job"},
	{"autoscaling", "v1", "HorizontalPodAutoscaler Scale"},
	{"autoscaling", "v2", "HorizontalPodAutoscaler"},
	{"autoscaling", "v2beta2", "HorizontalPodAutoscaler"},
	{"networking.k8s.io", "v1", "Ingress IngressClass NetworkPolicy"},
	{"networking.k8s.io", "v1alpha1", "ClusterCIDR"},
	{"policy", "v1", "PodDisruptionBudget"},
	{"rbac.authorization.k8s.io", "v1", "ClusterRole ClusterRoleBinding Role RoleBinding"},
	{"storage.k8s.io", "v1", "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment"},
	{"storage.k8s.io", "v1beta1", "CSIStorageCapacity"},
	{"admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration ValidatingWebhookConfiguration"},
	{"apiextensions.k8s.io", "v1", "CustomResourceDefinition"},
	{"apiregistration.k8s.io", "v1", "APIService"},
	{"certificates.k8s.io", "v1", "CertificateSigningRequest"},
	{"coordination.k8s.io", "v1", "Lease"},
	{"discovery.k8s.io", "v1", "EndpointSlice"},
	{"events.k8s.io", "v1", "Event"},
	{"flowcontrol.apiserver.k8s.io", "v1beta1", "FlowSchema PriorityLevelConfiguration"},
	{"flowcontrol.apiserver.k8s.io", "v1beta2", "FlowSchema PriorityLevelConfiguration"},
	{"internal.apiserver.k8s.io", "v1alpha1", "StorageVersion"},
	{"node.k8s.io", "v1", "RuntimeClass"},
	{"scheduling.k8s.io", "v1", "PriorityClass"},
}

// kubernetesText has the objects of the common kinds, as lines of kubernetesShapes.
//
//go:embed kubernetes.txt
var kubernetesText string

var kubernetesShapes = shapes{record: "object", text: kubernetesText}

// KubernetesSettings are the settings of the extension that is part of the language.
func KubernetesSettings() types.NamespaceSettings {
	return types.NamespaceSettings{
		Singleton: true, ExtensionName: "kubernetes", TemplateName: "Kubernetes", TemplateVersion: "1.0.0",
		Config: types.NewObject("configuration", 0, []types.Property{
			{Name: "namespace", Type: types.TString, Flags: types.Required},
			{Name: "kubeConfig", Type: types.TSecureString, Flags: types.Required},
			{Name: "context", Type: types.TString},
		}, nil),
	}
}

// kind returns the type as Kubernetes spells it, or nil.
func (*Kubernetes) kind(ref *types.ResourceTypeReference) *types.ResourceTypeReference {
	if len(ref.Segments) != 2 {
		return nil
	}
	for _, g := range kubernetesTypes {
		if !strings.EqualFold(g.group, ref.Segments[0]) || !strings.EqualFold(g.version, ref.Version) {
			continue
		}
		for k := range strings.FieldsSeq(g.kinds) {
			if strings.EqualFold(k, ref.Segments[1]) {
				return types.NewResourceTypeReference(g.group+"/"+k, g.version)
			}
		}
	}
	return nil
}

func (k *Kubernetes) DefinedType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	known := k.kind(ref)
	if known == nil {
		return nil
	}
	return k.defined.get(ns, ref, flags, func() *made {
		return &made{ref: known, parentScopes: anywhere | types.ScopeLocal,
			body: kubernetesBody(known, flags), identifiers: []string{"metadata"}}
	})
}

func kubernetesBody(ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Object {
	const fixed = types.ReadOnly | types.DeployTimeConstant
	head := types.Property{Name: "metadata", Type: kubernetesShapes.typ("metadata"), Flags: types.Required | types.LoopVariant}
	line := ref.Type
	if ref.Version != "v1" {
		line = ref.Name()
	}
	ps := []types.Property{
		{Name: "kind", Type: types.Str(ref.Segments[1]), Flags: fixed},
		{Name: "apiVersion", Type: types.Str(apiVersion(ref)), Flags: fixed},
	}
	var rest *types.Property
	if text, ok := kubernetesShapes.line(line); ok {
		ps = append(ps, kubernetesShapes.body(text).properties...)
	} else {
		rest = &types.Property{Type: types.TUnknown}
	}
	if flags&types.ExistingResource == 0 {
		return types.NewObject(ref.Type, 0, append(ps, head, dependsOn(0)), rest)
	}
	for i := range ps {
		ps[i] = asReadOnly(ps[i])
	}
	// The name and the namespace identify it.
	head.Type = head.Type.Type().(*types.Object).MapProperties(func(p types.Property) types.Property {
		if p.Name == "name" || p.Name == "namespace" {
			return p
		}
		return asReadOnly(p)
	})
	return types.NewObject(ref.Type, 0, append(ps, head), readOnlyAdditional(rest))
}

// apiVersion is what the manifest of such an object says.
func apiVersion(ref *types.ResourceTypeReference) string {
	if ref.Segments[0] == "core" {
		return ref.Version
	}
	return ref.Segments[0] + "/" + ref.Version
}

func (k *Kubernetes) HasDefinedType(ref *types.ResourceTypeReference) bool { return k.kind(ref) != nil }

func (k *Kubernetes) FallbackType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	return k.fallback.get(ns, ref, flags, func() *made {
		return &made{ref: ref, parentScopes: anywhere, body: openBody(ref, nil, types.TAny, flags), identifiers: []string{"metadata"}}
	})
}
