package typelib

import (
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// kubernetesBodies are the fields of the objects that programs make most, as the
// API of Kubernetes names them, so that a misspelt or misplaced one is found. The
// entries group/Kind are objects, the others are parts. After a field's name stands
// ! if it is required, and its type: string, int, bool or a part; [] before the
// type is for a list of such; {} is a map, or {string} one of strings. What a field
// without a type takes is not checked.
//
// Fields of all versions are listed: one that is missing here would be refused.
var kubernetesBodies = [...]struct{ name, fields string }{
	{"apps/DaemonSet", "spec:DaemonSetSpec status"},
	{"apps/Deployment", "spec:DeploymentSpec status"},
	{"apps/ReplicaSet", "spec:ReplicaSetSpec status"},
	{"apps/StatefulSet", "spec:StatefulSetSpec status"},
	{"autoscaling/HorizontalPodAutoscaler", "spec:AutoscalerSpec status"},
	{"batch/CronJob", "spec:CronJobSpec status"},
	{"batch/Job", "spec:JobSpec status"},
	{"core/ConfigMap", "binaryData:{} data:{string} immutable:bool"},
	{"core/Namespace", "spec status"},
	{"core/PersistentVolumeClaim", "spec:ClaimSpec status"},
	{"core/Pod", "spec:PodSpec status"},
	{"core/Secret", "data:{} immutable:bool stringData:{string} type:string"},
	{"core/Service", "spec:ServiceSpec status"},
	{"core/ServiceAccount", "automountServiceAccountToken:bool imagePullSecrets:[]LocalReference secrets"},
	{"rbac.authorization.k8s.io/ClusterRole", "aggregationRule rules"},
	{"rbac.authorization.k8s.io/ClusterRoleBinding", "roleRef! subjects"},
	{"rbac.authorization.k8s.io/Role", "rules"},
	{"rbac.authorization.k8s.io/RoleBinding", "roleRef! subjects"},

	{"AutoscalerSpec", "behavior maxReplicas!:int metrics minReplicas:int scaleTargetRef!:ScaleTarget targetCPUUtilizationPercentage:int"},
	{"Capabilities", "add:[]string drop:[]string"},
	{"Claim", "apiVersion:string kind:string metadata:Metadata spec:ClaimSpec status"},
	{"ClaimSource", "claimName!:string readOnly:bool"},
	{"ClaimSpec", "accessModes:[]string dataSource dataSourceRef resources:Resources selector:Selector storageClassName:string volumeAttributesClassName volumeMode:string volumeName:string"},
	{"ConfigMapSource", "defaultMode:int items:[]KeyToPath name:string optional:bool"},
	{"Container", "args:[]string command:[]string env:[]EnvVar envFrom:[]EnvFrom image:string imagePullPolicy:string lifecycle livenessProbe:Probe name!:string ports:[]ContainerPort " +
		"readinessProbe:Probe resizePolicy resources:Resources restartPolicy restartPolicyRules securityContext:SecurityContext startupProbe:Probe " +
		"stdin:bool stdinOnce:bool terminationMessagePath:string terminationMessagePolicy:string tty:bool volumeDevices volumeMounts:[]VolumeMount workingDir:string"},
	{"ContainerPort", "containerPort!:int hostIP:string hostPort:int name:string protocol:string"},
	{"CronJobSpec", "concurrencyPolicy:string failedJobsHistoryLimit:int jobTemplate!:JobTemplate schedule!:string startingDeadlineSeconds:int successfulJobsHistoryLimit:int suspend:bool timeZone:string"},
	{"DaemonSetSpec", "minReadySeconds:int revisionHistoryLimit:int selector!:Selector template!:PodTemplate templateGeneration updateStrategy:Strategy"},
	{"DeploymentSpec", "minReadySeconds:int paused:bool progressDeadlineSeconds:int replicas:int revisionHistoryLimit:int rollbackTo selector!:Selector strategy:Strategy template!:PodTemplate"},
	{"EmptyDir", "medium:string sizeLimit"},
	{"EnvFrom", "configMapRef:OptionalReference prefix:string secretRef:OptionalReference"},
	{"EnvSource", "configMapKeyRef:KeyReference fieldRef:FieldReference fileKeyRef resourceFieldRef:ResourceFieldReference secretKeyRef:KeyReference"},
	{"EnvVar", "name!:string value:string valueFrom:EnvSource"},
	{"Exec", "command:[]string"},
	{"FieldReference", "apiVersion:string fieldPath!:string"},
	{"GRPC", "port!:int service:string"},
	{"HTTPGet", "host:string httpHeaders:[]Header path:string port! scheme:string"},
	{"Header", "name!:string value!:string"},
	{"HostAlias", "hostnames:[]string ip"},
	{"HostPath", "path!:string type:string"},
	{"JobSpec", "activeDeadlineSeconds:int backoffLimit:int backoffLimitPerIndex completionMode:string completions:int managedBy manualSelector:bool maxFailedIndexes parallelism:int " +
		"podFailurePolicy podReplacementPolicy selector:Selector successPolicy suspend:bool template!:PodTemplate ttlSecondsAfterFinished:int"},
	{"JobTemplate", "metadata:Metadata spec:JobSpec"},
	{"KeyReference", "key!:string name:string optional:bool"},
	{"KeyToPath", "key!:string mode:int path!:string"},
	{"LocalReference", "name:string"},
	{"Metadata", "annotations:{string} clusterName creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers:[]string generateName:string generation labels:{string} " +
		"managedFields name:string namespace:string ownerReferences resourceVersion selfLink uid:string"},
	{"NFS", "path!:string readOnly:bool server!:string"},
	{"OptionalReference", "name:string optional:bool"},
	{"PodSecurity", "appArmorProfile fsGroup:int fsGroupChangePolicy:string runAsGroup:int runAsNonRoot:bool runAsUser:int seLinuxChangePolicy seLinuxOptions seccompProfile " +
		"supplementalGroups supplementalGroupsPolicy sysctls windowsOptions"},
	{"PodSpec", "activeDeadlineSeconds:int affinity automountServiceAccountToken:bool containers!:[]Container dnsConfig dnsPolicy:string enableServiceLinks:bool ephemeralContainers " +
		"hostAliases:[]HostAlias hostIPC:bool hostNetwork:bool hostPID:bool hostUsers hostname:string hostnameOverride imagePullSecrets:[]LocalReference initContainers:[]Container " +
		"nodeName:string nodeSelector:{string} os overhead:{} preemptionPolicy:string priority:int priorityClassName:string readinessGates resourceClaims resources:Resources restartPolicy " +
		"runtimeClassName:string schedulerName:string schedulingGates securityContext:PodSecurity serviceAccount:string serviceAccountName:string setHostnameAsFQDN:bool shareProcessNamespace:bool " +
		"subdomain:string terminationGracePeriodSeconds:int tolerations:[]Toleration topologySpreadConstraints:[]Spread volumes:[]Volume workloadRef"},
	{"PodTemplate", "metadata:Metadata spec:PodSpec"},
	{"Probe", "exec:Exec failureThreshold:int grpc:GRPC httpGet:HTTPGet initialDelaySeconds:int periodSeconds:int successThreshold:int tcpSocket:TCPSocket " +
		"terminationGracePeriodSeconds:int timeoutSeconds:int"},
	{"ReplicaSetSpec", "minReadySeconds:int replicas:int selector!:Selector template:PodTemplate"},
	{"Requirement", "key!:string operator!:string values:[]string"},
	{"ResourceFieldReference", "containerName:string divisor resource!:string"},
	{"Resources", "claims limits:{} requests:{}"},
	{"RollingUpdate", "maxSurge maxUnavailable partition:int"},
	{"ScaleTarget", "apiVersion:string kind!:string name!:string"},
	{"SecretSource", "defaultMode:int items:[]KeyToPath optional:bool secretName:string"},
	{"SecurityContext", "allowPrivilegeEscalation:bool appArmorProfile capabilities:Capabilities privileged:bool procMount readOnlyRootFilesystem:bool runAsGroup:int " +
		"runAsNonRoot:bool runAsUser:int seLinuxOptions seccompProfile windowsOptions"},
	{"Selector", "matchExpressions:[]Requirement matchLabels:{string}"},
	{"ServicePort", "appProtocol:string name:string nodePort:int port!:int protocol:string targetPort"},
	{"ServiceSpec", "allocateLoadBalancerNodePorts:bool clusterIP:string clusterIPs:[]string externalIPs:[]string externalName:string externalTrafficPolicy:string healthCheckNodePort:int internalTrafficPolicy:string " +
		"ipFamilies:[]string ipFamily ipFamilyPolicy:string loadBalancerClass:string loadBalancerIP:string loadBalancerSourceRanges:[]string ports:[]ServicePort publishNotReadyAddresses:bool selector:{string} " +
		"sessionAffinity:string sessionAffinityConfig topologyKeys:[]string trafficDistribution type:string"},
	{"Spread", "labelSelector:Selector matchLabelKeys maxSkew!:int minDomains:int nodeAffinityPolicy nodeTaintsPolicy topologyKey!:string whenUnsatisfiable!:string"},
	{"StatefulSetSpec", "minReadySeconds:int ordinals persistentVolumeClaimRetentionPolicy podManagementPolicy:string replicas:int revisionHistoryLimit:int selector!:Selector " +
		"serviceName:string template!:PodTemplate updateStrategy:Strategy volumeClaimTemplates:[]Claim"},
	{"Strategy", "rollingUpdate:RollingUpdate type:string"},
	{"TCPSocket", "host:string port!"},
	{"Toleration", "effect:string key:string operator:string tolerationSeconds:int value:string"},
	{"Volume", "awsElasticBlockStore azureDisk azureFile cephfs cinder configMap:ConfigMapSource csi downwardAPI emptyDir:EmptyDir ephemeral fc flexVolume " +
		"flocker gcePersistentDisk gitRepo glusterfs hostPath:HostPath image:string iscsi name!:string nfs:NFS persistentVolumeClaim:ClaimSource photonPersistentDisk " +
		"portworxVolume projected quobyte rbd scaleIO secret:SecretSource storageos vsphereVolume"},
	{"VolumeMount", "mountPath!:string mountPropagation:string name!:string readOnly:bool recursiveReadOnly subPath:string subPathExpr:string"},
}

// kubernetesFields returns the fields that objects of a kind have besides those of
// all objects. It returns nil for kinds of which the fields are not known.
func kubernetesFields(name string) []types.Property {
	for i := range kubernetesBodies {
		if b := &kubernetesBodies[i]; b.name == name {
			return kubernetesParse(b.fields)
		}
	}
	return nil
}

// kubernetesParts are the parts that have been made, by name.
var kubernetesParts sync.Map

func kubernetesPart(name string) types.Type {
	if t, ok := kubernetesParts.Load(name); ok {
		return t.(types.Type)
	}
	t, _ := kubernetesParts.LoadOrStore(name, types.NewObject(name, 0, kubernetesFields(name), nil))
	return t.(types.Type)
}

func kubernetesRef(name string) types.Ref {
	if t := types.Builtin(name); t != nil {
		return t
	}
	return types.Defer(func() types.Type { return kubernetesPart(name) })
}

func kubernetesParse(fields string) []types.Property {
	var list []types.Property
	for f := range strings.FieldsSeq(fields) {
		name, of, _ := strings.Cut(f, ":")
		p := types.Property{Type: types.TUnknown, Flags: types.AllowImplicitNull}
		if strings.HasSuffix(name, "!") {
			name, p.Flags = name[:len(name)-1], types.Required
		}
		p.Name = name
		switch item, isList := strings.CutPrefix(of, "[]"); {
		case isList:
			p.Type = types.NewTypedArray(kubernetesRef(item), nil, nil, 0)
		case of == "{}":
			p.Type = types.NewObject(name, 0, nil, &types.Property{Type: types.TUnknown})
		case of == "{string}":
			p.Type = types.NewObject(name, 0, nil, &types.Property{Type: types.TString})
		case of != "":
			p.Type = kubernetesRef(of)
		}
		list = append(list, p)
	}
	return list
}
