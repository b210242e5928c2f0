package controller

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// Indexes of the cache.
const (
	indexOwner = "ownerUID"
	indexID    = "resourceKey"
)

// Indexes are the indexes that the cache must have.
var Indexes = map[string]client.IndexerFunc{
	indexOwner: func(o client.Object) []string {
		if uid := ownerUID(o); uid != "" {
			return []string{string(uid)}
		}
		return nil
	},
	indexID: func(o client.Object) []string {
		return []string{resourceid.Key(o.(*v1alpha3.DeploymentResource).Spec.ID)}
	},
}

// ownerOf is the reference to the DeploymentTemplate that controls an object. Where kubectl delete --cascade=orphan, or
// somebody else, has removed it, the object itself says whose it is. It gives no right by that: see records.
func ownerOf(o client.Object) *metav1.OwnerReference {
	ref := metav1.GetControllerOf(o)
	if ref == nil {
		return lostOwner(o)
	}
	if ref.Kind != "DeploymentTemplate" || !strings.HasPrefix(ref.APIVersion, v1alpha3.GroupVersion.Group+"/") {
		return nil
	}
	return ref
}

func lostOwner(o client.Object) *metav1.OwnerReference {
	name, uid := o.GetAnnotations()[v1alpha3.OwnerNameAnnotation], o.GetLabels()[v1alpha3.OwnerUIDLabel]
	if name == "" || uid == "" {
		return nil
	}
	if dr, ok := o.(*v1alpha3.DeploymentResource); ok {
		if id, err := resourceid.Parse(dr.Spec.ID); err != nil || id.ObjectName(uid) != dr.Name {
			return nil
		}
	}
	return ownerReference(name, types.UID(uid))
}

func ownerReference(name string, uid types.UID) *metav1.OwnerReference {
	yes := true
	return &metav1.OwnerReference{
		APIVersion: v1alpha3.GroupVersion.String(), Kind: "DeploymentTemplate", Name: name, UID: uid,
		Controller: &yes, BlockOwnerDeletion: &yes,
	}
}

func ownerUID(o client.Object) types.UID {
	if ref := ownerOf(o); ref != nil {
		return ref.UID
	}
	return ""
}

func annotation(o client.Object, name string) string {
	return strings.TrimSpace(o.GetAnnotations()[name])
}

func isOrphan(o client.Object) bool {
	return strings.EqualFold(annotation(o, v1alpha3.DeletionPolicyAnnotation), v1alpha3.DeletionPolicyOrphan)
}

func acceptsUnreadable(o client.Object) bool {
	return strings.EqualFold(annotation(o, v1alpha3.AcceptUnreadableAnnotation), "true")
}

func isSuspended(o client.Object) bool {
	return strings.EqualFold(annotation(o, v1alpha3.SuspendAnnotation), "true")
}

// noKind is true if the API server does not serve the kind.
func noKind(err error) bool {
	return err != nil && (apierrors.IsNotFound(err) || meta.IsNoMatchError(err))
}

// exists says whether there is the object of a request that ended with err.
func exists(err error) (bool, error) {
	return !apierrors.IsNotFound(err), client.IgnoreNotFound(err)
}

// owned are the DeploymentResources of a template that the cache has. Nobody may change them: they are those of the cache.
func (c *core) owned(ctx context.Context, namespace string, owner types.UID) ([]v1alpha3.DeploymentResource, error) {
	var list v1alpha3.DeploymentResourceList
	of := client.MatchingFields{indexOwner: string(owner)}
	err := c.Client.List(ctx, &list, client.InNamespace(namespace), of, client.UnsafeDisableDeepCopy)
	return list.Items, err
}

// liveNames lists DeploymentResources as the API server has them, without spec and status.
func liveNames(ctx context.Context, live client.Reader, namespace string, labels client.MatchingLabels) (
	[]metav1.PartialObjectMetadata, error,
) {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(v1alpha3.GroupVersion.WithKind("DeploymentResourceList"))
	if err := live.List(ctx, list, client.InNamespace(namespace), labels); err != nil && !noKind(err) {
		return nil, err
	}
	return list.Items, nil
}

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

// rankOf is the place of a DeploymentResource in the order of deletion.
func rankOf(o client.Object) int {
	if dr, ok := o.(*v1alpha3.DeploymentResource); ok {
		if id, err := resourceid.Parse(dr.Spec.ID); err == nil {
			return id.Rank()
		}
	}
	return 0
}
