package crossplane

import (
	"regexp"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// This file makes the objects of Cluster API. All are annotated, so that controllers which
// honour the annotation leave them to Crossplane.

const (
	capiGroup   = "cluster.x-k8s.io"
	objectGroup = "kubernetes.m.crossplane.io"

	managedBy = "cluster.x-k8s.io/managed-by"
	paused    = "cluster.x-k8s.io/paused"
)

// provider are the kinds of a provider of Cluster API. AKS has no control plane: the controllers of CAPZ make one that is
// their own, or take back what is written into it.
type provider struct {
	clusterGroup, clusterVersion string
	controlGroup, controlVersion string
	cluster, control, pool       string
}

var providers = map[cluster]provider{
	aksCluster: {
		clusterGroup: "infrastructure." + capiGroup, clusterVersion: "v1beta1",
		cluster: "AzureASOManagedCluster", pool: "AzureASOManagedMachinePool",
	},
	eksCluster: {
		clusterGroup: "infrastructure." + capiGroup, clusterVersion: "v1beta2",
		controlGroup: "controlplane." + capiGroup, controlVersion: "v1beta2",
		cluster: "AWSManagedCluster", control: "AWSManagedControlPlane", pool: "AWSManagedMachinePool",
	},
	gkeCluster: {
		clusterGroup: "infrastructure." + capiGroup, clusterVersion: "v1beta1",
		controlGroup: "infrastructure." + capiGroup, controlVersion: "v1beta1",
		cluster: "GCPManagedCluster", control: "GCPManagedControlPlane", pool: "GCPManagedMachinePool",
	},
}

// connectionSecret is where the provider of Crossplane writes the kubeconfig.
func (it *item) connectionSecret() string {
	if it.kind.cluster == eksCluster {
		return it.objectName + "-kubeconfig-cluster-auth"
	}
	return it.objectName + "-kubeconfig-connection"
}

// clusters makes the objects of Cluster API for the clusters and node pools.
func (c *converter) clusters() {
	var first *item
	copies := false // of a kubeconfig
	for _, it := range c.items {
		switch it.kind.cluster {
		case aksCluster, eksCluster, gkeCluster:
			c.cluster(it, providers[it.kind.cluster])
			copies = true
		case aksPool:
			c.pool(it, providers[aksCluster])
		case eksPool:
			c.pool(it, providers[eksCluster])
		case gkePool:
			c.pool(it, providers[gkeCluster])
		default:
			continue
		}
		if first == nil {
			first = it
		}
	}
	if first == nil {
		return
	}
	w := c.out.Warn(first.resource.Position, CodeManaged, "the annotation %s only stops the controllers of AWSManagedCluster "+
		"and AzureASOManagedCluster; the controllers of AWSManagedControlPlane, AWSManagedMachinePool, AzureASOManagedMachinePool "+
		"and of all kinds of GCP ignore it, and change the objects if they have the rights", managedBy)
	if c.in.Options[CapiPaused] != "true" {
		w.Option = CapiPaused
	}
	if copies && c.in.Namespace == "" {
		w := c.out.Warn(first.resource.Position, CodeNamespace,
			"the object that copies the kubeconfig must name a namespace, and names %q", defaultNamespace)
		w.Option = objects.OptionNamespace
	}
}

const defaultNamespace = "default"

// annotations returns the annotations of the objects that a provider's controllers work on. Cluster and MachinePool are
// never paused: Cluster API itself has to see what becomes of them.
func (c *converter) annotations() map[string]string {
	a := crossplanes()
	if c.in.Options[CapiPaused] == "true" {
		a[paused] = ""
	}
	return a
}

func crossplanes() map[string]string { return map[string]string{managedBy: "crossplane"} }

func reference(group, kind, name string) *armjson.Object {
	return armjson.NewObject(
		armjson.Member{Key: "apiGroup", Value: armjson.String(group)},
		armjson.Member{Key: "kind", Value: armjson.String(kind)},
		armjson.Member{Key: "name", Value: armjson.String(name)},
	)
}

func (c *converter) cluster(it *item, p provider) {
	name := it.objectName
	c.checkClusterName(it, name)
	annotations := c.annotations()
	spec := armjson.NewObject()
	if p.control != "" {
		spec.Set("controlPlaneRef", reference(p.controlGroup, p.control, name))
	}
	spec.Set("infrastructureRef", reference(p.clusterGroup, p.cluster, name))
	c.emit(it, capiGroup+"/v1beta2", "Cluster", name, crossplanes(), spec)
	infrastructure := armjson.NewObject()
	if it.kind.cluster == gkeCluster {
		location, ok := c.property(it, "location")
		project, both := c.property(it, "project")
		if !ok || !both {
			return
		}
		infrastructure.Set("project", armjson.String(project))
		infrastructure.Set("region", armjson.String(zone.ReplaceAllString(location, "$1")))
		c.emit(it, p.controlGroup+"/"+p.controlVersion, p.control, name, annotations, armjson.NewObject(
			armjson.Member{Key: "clusterName", Value: armjson.String(it.name)},
			armjson.Member{Key: "project", Value: armjson.String(project)},
			armjson.Member{Key: "location", Value: armjson.String(location)},
		))
	}
	c.emit(it, p.clusterGroup+"/"+p.clusterVersion, p.cluster, name, annotations, infrastructure)
	if it.kind.cluster == eksCluster {
		region, ok := c.region(it)
		if !ok {
			return
		}
		c.emit(it, p.controlGroup+"/"+p.controlVersion, p.control, name, annotations, armjson.NewObject(
			armjson.Member{Key: "eksClusterName", Value: armjson.String(it.name)},
			armjson.Member{Key: "region", Value: armjson.String(region)},
		))
		// The token of EKS is made, and not observed.
		c.emit(it, it.kind.group+"/"+version, "ClusterAuth", name, nil, armjson.NewObject(
			armjson.Member{Key: "forProvider", Value: armjson.NewObject(
				armjson.Member{Key: "region", Value: armjson.String(region)},
				armjson.Member{Key: "clusterName", Value: armjson.String(it.name)},
			)},
			armjson.Member{Key: "writeConnectionSecretToRef", Value: nameOnly(it.connectionSecret())},
		))
	}
	c.kubeconfig(it)
}

// zone is a location of Google Cloud within a region.
var zone = regexp.MustCompile(`^(.*-.*\d)-[a-z]$`)

// kubeconfig copies the kubeconfig from the connection secret to where Cluster API looks
// for it.
func (c *converter) kubeconfig(it *item) {
	namespace := c.in.Namespace
	if namespace == "" {
		namespace = defaultNamespace
	}
	name := it.objectName + "-kubeconfig"
	text := func(key, value string) armjson.Member { return armjson.Member{Key: key, Value: armjson.String(value)} }
	secret := armjson.NewObject(
		text("apiVersion", "v1"), text("kind", "Secret"),
		armjson.Member{Key: "metadata", Value: armjson.NewObject(
			text("name", name), text("namespace", namespace),
			armjson.Member{Key: "labels", Value: armjson.NewObject(text("cluster.x-k8s.io/cluster-name", it.objectName))},
		)},
		text("type", "cluster.x-k8s.io/secret"),
	)
	from := armjson.NewObject(text("apiVersion", "v1"), text("kind", "Secret"),
		text("name", it.connectionSecret()), text("namespace", namespace), text("fieldPath", "data.kubeconfig"))
	c.emit(it, objectGroup+"/v1alpha1", "Object", name, nil, armjson.NewObject(
		armjson.Member{Key: "references",
			Value: armjson.Array{armjson.NewObject(armjson.Member{Key: "patchesFrom", Value: from}, text("toFieldPath", "data.value"))}},
		armjson.Member{Key: "forProvider", Value: armjson.NewObject(armjson.Member{Key: "manifest", Value: secret})},
	))
}

func (c *converter) pool(it *item, p provider) {
	clusterName := it.parentName
	if it.parent != nil {
		clusterName = it.parent.objectName
	} else {
		clusterName = objects.SafeName(clusterName, clusterName, false)
	}
	c.checkClusterName(it, clusterName)
	annotations := c.annotations()
	c.emit(it, capiGroup+"/v1beta2", "MachinePool", it.objectName, crossplanes(), armjson.NewObject(
		armjson.Member{Key: "clusterName", Value: armjson.String(clusterName)},
		armjson.Member{Key: "template", Value: armjson.NewObject(armjson.Member{Key: "spec", Value: armjson.NewObject(
			armjson.Member{Key: "clusterName", Value: armjson.String(clusterName)},
			armjson.Member{Key: "bootstrap", Value: armjson.NewObject(armjson.Member{Key: "dataSecretName", Value: armjson.String("")})},
			armjson.Member{Key: "infrastructureRef", Value: reference(p.clusterGroup, p.pool, it.objectName)},
		)})},
	))
	spec := armjson.NewObject()
	switch it.kind.cluster {
	case eksPool:
		spec.Set("eksNodegroupName", armjson.String(it.name))
	case gkePool:
		spec.Set("nodePoolName", armjson.String(it.name))
	}
	c.emit(it, p.clusterGroup+"/"+p.clusterVersion, p.pool, it.objectName, annotations, spec)
}

// maxClusterName is how long Cluster API lets the name of a cluster be: it is a label.
const maxClusterName = 63

func (c *converter) checkClusterName(it *item, name string) {
	if len(name) > maxClusterName {
		if it.alias != "" {
			c.out.Refuse(it.resource.Position, CodeIdentity, "the name of the cluster of %s is too long; Cluster API takes %d characters",
				it.what(), maxClusterName)
			return
		}
		c.out.Refuse(it.resource.Position, CodeIdentity, "the name %s of the cluster has %d characters; Cluster API takes %d",
			name, len(name), maxClusterName)
	}
}
