package controller

import (
	"context"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// The inventory of a DeploymentTemplate is the right to delete.
//
// Whoever may create a DeploymentResource can write any ID into it, and any owner. So the object
// itself gives no right. A resource is deleted only if the status of the owner, which only the
// controller writes, says that a deployment of the owner made it: it is one of outputResources, or
// one of obsoleteResources, which are those that a later deployment did not make any more.
//
// The order of writes keeps this true when the process is killed. A DeploymentResource is made
// while status.operation is set, and status.operation is removed by the same write that records
// the resource. So an object whose resource is not recorded, and whose owner has no operation, was
// not made by the controller, or its resource is known to be gone.

// records is true if the inventory of a DeploymentTemplate holds the resource with a key.
func records(dt *v1alpha3.DeploymentTemplate, key string) bool {
	holds := func(id string) bool { return len(id) >= len(key) && resourceid.Key(id) == key }
	return slices.ContainsFunc(dt.Status.OutputResources, holds) || slices.ContainsFunc(dt.Status.ObsoleteResources, holds)
}

// ownership is what the owner of a DeploymentResource says of it.
type ownership struct {
	exists   bool
	recorded bool // the inventory holds the resource
	busy     bool // an operation of the owner is not finished, and may have made the resource
	wanted   bool // the last deployment made the resource, and the owner is not being deleted
}

func ownershipOf(owner *v1alpha3.DeploymentTemplate, key string) ownership {
	if owner == nil {
		return ownership{}
	}
	return ownership{
		exists: true, recorded: records(owner, key), busy: owner.Status.Operation != nil,
		wanted: owner.DeletionTimestamp.IsZero() &&
			slices.ContainsFunc(owner.Status.OutputResources, func(id string) bool { return resourceid.Key(id) == key }),
	}
}

// ownerFrom reads the DeploymentTemplate that an object says it belongs to. It returns nil if there is none.
func ownerFrom(ctx context.Context, reader client.Reader, dr client.Object) (*v1alpha3.DeploymentTemplate, error) {
	ref := ownerOf(dr)
	if ref == nil {
		return nil, nil
	}
	owner := &v1alpha3.DeploymentTemplate{}
	err := reader.Get(ctx, client.ObjectKey{Namespace: dr.GetNamespace(), Name: ref.Name}, owner)
	if noKind(err) || err == nil && owner.UID != ref.UID {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	owner.Status = *asSaved(&owner.Status)
	return owner, nil
}

// nameFor names a DeploymentTemplate to the users of a namespace. Those of other namespaces are
// not named: who they are is not the business of every tenant.
func nameFor(dr client.Object, namespace string) string {
	if dr.GetNamespace() == namespace {
		return "the DeploymentTemplate " + ownerOf(dr).Name
	}
	return "a DeploymentTemplate of another namespace"
}
