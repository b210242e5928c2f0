package imported

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// provisioner says how an object of Cluster API is provisioned: which managed resource Crossplane observes, and what it says
// of the objects of the provider. All have the same name, as --target crossplane writes them.
type provisioner struct {
	managed schema.GroupVersionKind
	writes  func(observed observation) []write
}

// write is what is written into an object.
type write struct {
	kind         schema.GroupVersionKind
	spec, status map[string]any
}

func crossplane(group, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: "v1beta1", Kind: kind}
}

func infrastructure(version, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "infrastructure.cluster.x-k8s.io", Version: version, Kind: kind}
}

var (
	aksCluster = infrastructure("v1beta1", "AzureASOManagedCluster")
	aksPool    = infrastructure("v1beta1", "AzureASOManagedMachinePool")
	eksCluster = infrastructure("v1beta2", "AWSManagedCluster")
	eksPool    = infrastructure("v1beta2", "AWSManagedMachinePool")
	gkeCluster = infrastructure("v1beta1", "GCPManagedCluster")
	gkeControl = infrastructure("v1beta1", "GCPManagedControlPlane")
	gkePool    = infrastructure("v1beta1", "GCPManagedMachinePool")
	eksControl = schema.GroupVersionKind{Group: "controlplane.cluster.x-k8s.io", Version: "v1beta2", Kind: "AWSManagedControlPlane"}
)

const (
	aksManaged = "containerservice.azure.m.upbound.io"
	eksManaged = "eks.aws.m.upbound.io"
	gkeManaged = "container.gcp.m.upbound.io"
)

// provisioners are those of the kinds of infrastructure.
var provisioners = map[string]*provisioner{
	aksCluster.Kind: {crossplane(aksManaged, "KubernetesCluster"), func(o observation) []write {
		host := o.text("fqdn")
		if host == "" {
			host = o.text("privateFqdn")
		}
		if host == "" {
			return nil
		}
		return []write{{aksCluster, endpoint(host), ready("provisioned")}}
	}},
	aksPool.Kind: {crossplane(aksManaged, "KubernetesClusterNodePool"), func(o observation) []write {
		return pool(aksPool, "azure://"+o.text("id"), o["nodeCount"])
	}},
	eksCluster.Kind: {crossplane(eksManaged, "Cluster"), func(o observation) []write {
		host := o.text("endpoint") // a URL, as CAPA has it
		if host == "" {
			return nil
		}
		control := endpoint(host)
		if version := o.text("version"); version != "" {
			control["version"] = "v" + strings.TrimPrefix(version, "v")
		}
		if subnets, _ := o.inner("vpcConfig")["subnetIds"].([]any); len(subnets) > 0 {
			var list []any
			for _, id := range subnets {
				list = append(list, map[string]any{"id": id})
			}
			control["network"] = map[string]any{"subnets": list}
		}
		status := ready("controlPlaneInitialized")
		status["initialized"], status["externalManagedControlPlane"] = true, true
		return []write{{eksControl, control, status}, {eksCluster, endpoint(host), ready("provisioned")}}
	}},
	eksPool.Kind: {crossplane(eksManaged, "NodeGroup"), func(o observation) []write {
		return pool(eksPool, "aws:///"+o.text("arn"), o.inner("scalingConfig")["desiredSize"])
	}},
	gkeCluster.Kind: {crossplane(gkeManaged, "Cluster"), func(o observation) []write {
		host := o.text("endpoint")
		if host == "" {
			return nil
		}
		status := ready("controlPlaneInitialized")
		status["initialized"] = true
		if version := o.text("masterVersion"); version != "" {
			status["version"] = "v" + version
		}
		control := map[string]any{"endpoint": endpoint(host)["controlPlaneEndpoint"]}
		return []write{{gkeControl, control, status}, {gkeCluster, endpoint(host), ready("provisioned")}}
	}},
	gkePool.Kind: {crossplane(gkeManaged, "NodePool"), func(o observation) []write {
		n, ok := number(o["nodeCount"]) // in each zone
		if zones, _ := o["nodeLocations"].([]any); len(zones) > 1 {
			n *= int64(len(zones))
		}
		if !ok {
			return nil
		}
		return pool(gkePool, "gce:///"+o.text("id"), n)
	}},
}

// provisionerOf returns that of a Cluster or a MachinePool, or nil.
func provisionerOf(o *unstructured.Unstructured) *provisioner {
	path := []string{"spec", "infrastructureRef", "kind"}
	if o.GetKind() == poolKind.Kind {
		path = []string{"spec", "template", "spec", "infrastructureRef", "kind"}
	}
	kind, _, _ := unstructured.NestedString(o.Object, path...)
	return provisioners[kind]
}

// ready is a status as the contracts of Cluster API want it, the older one and the newer one.
func ready(initialization string) map[string]any {
	return map[string]any{"ready": true, "initialization": map[string]any{initialization: true}}
}

func endpoint(host string) map[string]any {
	return map[string]any{"controlPlaneEndpoint": map[string]any{"host": host, "port": int64(443)}}
}

// pool returns what is written for a pool. Its machines are not observed, so the pool's own ID stands for theirs: without
// any, Cluster API waits.
func pool(kind schema.GroupVersionKind, id string, replicas any) []write {
	n, ok := number(replicas)
	if !ok || strings.HasSuffix(id, "/") {
		return nil
	}
	status := ready("provisioned")
	status["replicas"] = n
	return []write{
		{kind, map[string]any{"providerIDList": []any{id}}, status},
		{poolKind, map[string]any{"replicas": n}, nil},
	}
}

// number returns a number of an object, as JSON gives it or as a client does.
func number(v any) (int64, bool) {
	if f, ok := v.(float64); ok {
		return int64(f), true
	}
	n, ok := v.(int64)
	return n, ok
}

// observation is what Crossplane observes of a resource.
type observation map[string]any

// observationOf returns what Crossplane observes; nil if that is nothing.
func observationOf(managed *unstructured.Unstructured) observation {
	if managed == nil {
		return nil
	}
	o, _, _ := unstructured.NestedMap(managed.Object, "status", "atProvider")
	if len(o) == 0 {
		return nil
	}
	return o
}

func (o observation) text(name string) string {
	s, _ := o[name].(string)
	return s
}

// inner returns an object in the observation, which older versions of a provider have as a list of one.
func (o observation) inner(name string) map[string]any {
	if list, ok := o[name].([]any); ok && len(list) > 0 {
		m, _ := list[0].(map[string]any)
		return m
	}
	m, _ := o[name].(map[string]any)
	return m
}
