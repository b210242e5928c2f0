package typelib

import (
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

// kubernetesShapes are the objects of the common kinds.
var kubernetesShapes = shapes{record: "object", text: `
core/ConfigMap: data {s}, binaryData {*}, immutable b
core/Secret: data {*}, stringData {s}, immutable b, type s
core/Namespace: spec Finalizers, status ?
core/ServiceAccount: automountServiceAccountToken b, imagePullSecrets [NameRef], secrets [ObjectRef]
core/Service: spec ServiceSpec, status ?
core/PersistentVolumeClaim: spec ClaimSpec, status ?
core/Pod: spec PodSpec, status ?
apps/Deployment: spec DeploymentSpec, status ?
apps/ReplicaSet: spec ReplicaSetSpec, status ?
apps/StatefulSet: spec StatefulSetSpec, status ?
apps/DaemonSet: spec DaemonSetSpec, status ?
batch/Job: spec JobSpec, status ?
batch/CronJob: spec CronJobSpec, status ?
autoscaling/HorizontalPodAutoscaler@v2: spec AutoscalerSpec, status ?
networking.k8s.io/Ingress: spec IngressSpec, status ?
networking.k8s.io/NetworkPolicy: spec NetworkPolicySpec, status ?
policy/PodDisruptionBudget: spec DisruptionSpec, status ?
rbac.authorization.k8s.io/Role: rules [PolicyRule]
rbac.authorization.k8s.io/ClusterRole: rules [PolicyRule], aggregationRule Aggregation
rbac.authorization.k8s.io/RoleBinding: roleRef! RoleRef, subjects [Subject]
rbac.authorization.k8s.io/ClusterRoleBinding: roleRef! RoleRef, subjects [Subject]
metadata: name!= s, namespace= s, labels {s}, annotations {s}
PolicyRule: verbs! [s], apiGroups [s], resources [s], resourceNames [s], nonResourceURLs [s]
Aggregation: clusterRoleSelectors [Selector]
RoleRef: apiGroup! s, kind! s, name! s
Subject: kind! s, name! s, namespace s, apiGroup s
DisruptionSpec: minAvailable s, maxUnavailable s, selector Selector
IngressSpec: ingressClassName s, defaultBackend Backend, rules [IngressRule], tls [IngressTLS]
IngressTLS: hosts [s], secretName s
IngressRule: host s, http IngressPaths
IngressPaths: paths! [IngressPath]
IngressPath: path s, pathType! s, backend! Backend
Backend: service BackendService, resource TypedRef
BackendService: name! s, port BackendPort
BackendPort: name s, number i
NetworkPolicySpec: podSelector! Selector, policyTypes [s], ingress [IngressFrom], egress [EgressTo]
IngressFrom: from [Peer], ports [PolicyPort]
EgressTo: to [Peer], ports [PolicyPort]
Peer: podSelector Selector, namespaceSelector Selector, ipBlock IPBlock
PolicyPort: port s, endPort i, protocol s
IPBlock: cidr! s, except [s]
AutoscalerSpec: scaleTargetRef! ScaleTarget, maxReplicas! i, minReplicas i, metrics [Metric], behavior ScalingBehavior
ScaleTarget: kind! s, name! s, apiVersion s
ScalingBehavior: scaleUp ScalingRules, scaleDown ScalingRules
ScalingRules: policies [ScalingPolicy], selectPolicy s, stabilizationWindowSeconds i
ScalingPolicy: type! s, value! i, periodSeconds! i
Metric: type! s, resource ResourceMetric, containerResource ContainerMetric, pods PodsMetric, object ObjectMetric, external PodsMetric
MetricTarget: type! s, value s, averageValue s, averageUtilization i
ResourceMetric: name! s, target! MetricTarget
ContainerMetric: container! s, name! s, target! MetricTarget
MetricName: name! s, selector Selector
PodsMetric: metric! MetricName, target! MetricTarget
ObjectMetric: describedObject! ScaleTarget, metric! MetricName, target! MetricTarget
Finalizers: finalizers [s]
NameRef: name s
ObjectRef: apiVersion s, fieldPath s, kind s, name s, namespace s, resourceVersion s, uid s
ServiceSpec: type s, selector {s}, ports [ServicePort], clusterIP s, clusterIPs [s], externalIPs [s], externalName s, externalTrafficPolicy s, internalTrafficPolicy s, ipFamilies [s], ipFamilyPolicy s, loadBalancerClass s, loadBalancerIP s, loadBalancerSourceRanges [s], allocateLoadBalancerNodePorts b, healthCheckNodePort i, publishNotReadyAddresses b, sessionAffinity s, sessionAffinityConfig AffinityConfig
ServicePort: port! i, targetPort s, name s, protocol s, nodePort i, appProtocol s
AffinityConfig: clientIP ClientIP
ClientIP: timeoutSeconds i
ClaimSpec: accessModes [s], storageClassName s, resources Resources, selector Selector, volumeMode s, volumeName s, dataSource TypedRef, dataSourceRef TypedRef
TypedRef: kind! s, name! s, apiGroup s
Resources: limits {s}, requests {s}
Selector: matchLabels {s}, matchExpressions [SelectorTerm]
SelectorTerm: key! s, operator! s, values [s]
DeploymentSpec: selector! Selector, template! PodTemplate, replicas i, strategy DeploymentStrategy, minReadySeconds i, paused b, progressDeadlineSeconds i, revisionHistoryLimit i
DeploymentStrategy: type s, rollingUpdate Rolling
Rolling: maxSurge s, maxUnavailable s
ReplicaSetSpec: selector! Selector, template PodTemplate, replicas i, minReadySeconds i
StatefulSetSpec: selector! Selector, serviceName! s, template! PodTemplate, replicas i, volumeClaimTemplates [Claim], updateStrategy StatefulSetStrategy, podManagementPolicy s, persistentVolumeClaimRetentionPolicy Retention, minReadySeconds i, revisionHistoryLimit i
StatefulSetStrategy: type s, rollingUpdate StatefulSetRolling
StatefulSetRolling: partition i, maxUnavailable s
Retention: whenDeleted s, whenScaled s
Claim: apiVersion s, kind s, metadata Metadata, spec ClaimSpec, status ?
DaemonSetSpec: selector! Selector, template! PodTemplate, updateStrategy DaemonSetStrategy, minReadySeconds i, revisionHistoryLimit i
DaemonSetStrategy: type s, rollingUpdate Rolling
JobSpec: template! PodTemplate, selector Selector, manualSelector b, completions i, parallelism i, completionMode s, backoffLimit i, activeDeadlineSeconds i, ttlSecondsAfterFinished i, suspend b, podFailurePolicy ?
CronJobSpec: schedule! s, jobTemplate! JobTemplate, timeZone s, suspend b, concurrencyPolicy s, startingDeadlineSeconds i, failedJobsHistoryLimit i, successfulJobsHistoryLimit i
JobTemplate: metadata Metadata, spec JobSpec
PodTemplate: metadata Metadata, spec PodSpec
Metadata: name s, namespace s, labels {s}, annotations {s}, generateName s, finalizers [s], ownerReferences [Owner], managedFields ?, uid s, generation i, resourceVersion s, selfLink s, creationTimestamp s, deletionTimestamp s, deletionGracePeriodSeconds i
Owner: apiVersion! s, kind! s, name! s, uid! s, controller b, blockOwnerDeletion b
PodSpec: containers! [Container], initContainers [Container], ephemeralContainers ?, volumes [Volume], restartPolicy s, serviceAccount s, serviceAccountName s, automountServiceAccountToken b, imagePullSecrets [NameRef], nodeName s, nodeSelector {s}, affinity Affinity, tolerations [Toleration], topologySpreadConstraints [Spread], hostname s, subdomain s, hostAliases [HostAlias], hostIPC b, hostNetwork b, hostPID b, hostUsers b, dnsPolicy s, dnsConfig DNSConfig, securityContext PodSecurity, priority i, priorityClassName s, preemptionPolicy s, schedulerName s, runtimeClassName s, overhead {s}, os OS, readinessGates [Gate], activeDeadlineSeconds i, terminationGracePeriodSeconds i, enableServiceLinks b, setHostnameAsFQDN b, shareProcessNamespace b
OS: name! s
Gate: conditionType! s
HostAlias: ip s, hostnames [s]
DNSConfig: nameservers [s], searches [s], options [DNSOption]
DNSOption: name s, value s
Toleration: key s, operator s, value s, effect s, tolerationSeconds i
Spread: maxSkew! i, topologyKey! s, whenUnsatisfiable! s, labelSelector Selector, matchLabelKeys [s], minDomains i, nodeAffinityPolicy s, nodeTaintsPolicy s
Affinity: nodeAffinity NodeAffinity, podAffinity PodAffinity, podAntiAffinity PodAffinity
NodeAffinity: requiredDuringSchedulingIgnoredDuringExecution NodeTerms, preferredDuringSchedulingIgnoredDuringExecution [PreferredNode]
NodeTerms: nodeSelectorTerms! [NodeTerm]
NodeTerm: matchExpressions [SelectorTerm], matchFields [SelectorTerm]
PreferredNode: preference! NodeTerm, weight! i
PodAffinity: requiredDuringSchedulingIgnoredDuringExecution [PodTerm], preferredDuringSchedulingIgnoredDuringExecution [PreferredPod]
PodTerm: topologyKey! s, labelSelector Selector, namespaceSelector Selector, namespaces [s]
PreferredPod: podAffinityTerm! PodTerm, weight! i
PodSecurity: fsGroup i, fsGroupChangePolicy s, runAsUser i, runAsGroup i, runAsNonRoot b, supplementalGroups [i], seLinuxOptions SELinux, seccompProfile Seccomp, sysctls [Pair], windowsOptions Windows
Security: privileged b, allowPrivilegeEscalation b, capabilities Capabilities, readOnlyRootFilesystem b, procMount s, runAsUser i, runAsGroup i, runAsNonRoot b, seLinuxOptions SELinux, seccompProfile Seccomp, windowsOptions Windows
SELinux: level s, role s, type s, user s
Seccomp: type! s, localhostProfile s
Windows: gmsaCredentialSpec s, gmsaCredentialSpecName s, hostProcess b, runAsUserName s
Capabilities: add [s], drop [s]
Pair: name! s, value! s
Container: name! s, image s, imagePullPolicy s, command [s], args [s], workingDir s, ports [ContainerPort], env [Env], envFrom [EnvFrom], resources Resources, volumeMounts [Mount], volumeDevices [Device], livenessProbe Probe, readinessProbe Probe, startupProbe Probe, lifecycle Lifecycle, securityContext Security, stdin b, stdinOnce b, tty b, terminationMessagePath s, terminationMessagePolicy s
ContainerPort: containerPort! i, name s, protocol s, hostIP s, hostPort i
Env: name! s, value s, valueFrom EnvSource
EnvSource: secretKeyRef KeyRef, configMapKeyRef KeyRef, fieldRef FieldRef, resourceFieldRef ResourceRef
KeyRef: key! s, name s, optional b
FieldRef: fieldPath! s, apiVersion s
ResourceRef: resource! s, containerName s, divisor s
EnvFrom: prefix s, secretRef OptionalRef, configMapRef OptionalRef
OptionalRef: name s, optional b
Mount: name! s, mountPath! s, subPath s, subPathExpr s, readOnly b, mountPropagation s
Device: name! s, devicePath! s
Probe: exec Exec, httpGet HTTPGet, tcpSocket Socket, grpc GRPC, initialDelaySeconds i, periodSeconds i, timeoutSeconds i, successThreshold i, failureThreshold i, terminationGracePeriodSeconds i
Lifecycle: postStart Handler, preStop Handler
Handler: exec Exec, httpGet HTTPGet, tcpSocket Socket
Exec: command [s]
HTTPGet: port! s, path s, host s, scheme s, httpHeaders [Pair]
Socket: port! s, host s
GRPC: port! i, service s
Volume: name! s, configMap ConfigMapVolume, secret SecretVolume, emptyDir EmptyDir, hostPath HostPath, persistentVolumeClaim ClaimVolume, projected ?, downwardAPI ?, csi ?, ephemeral ?, nfs NFS, awsElasticBlockStore ?, azureDisk ?, azureFile AzureFile, cephfs ?, cinder ?, fc ?, flexVolume ?, flocker ?, gcePersistentDisk ?, gitRepo ?, glusterfs ?, iscsi ?, photonPersistentDisk ?, portworxVolume ?, quobyte ?, rbd ?, scaleIO ?, storageos ?, vsphereVolume ?
ConfigMapVolume: name s, items [KeyPath], defaultMode i, optional b
SecretVolume: secretName s, items [KeyPath], defaultMode i, optional b
KeyPath: key! s, path! s, mode i
EmptyDir: medium s, sizeLimit s
HostPath: path! s, type s
ClaimVolume: claimName! s, readOnly b
NFS: path! s, server! s, readOnly b
AzureFile: secretName! s, shareName! s, readOnly b
`}

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
