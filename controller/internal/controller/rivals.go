package controller

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// others are the living DeploymentTemplates that deployed a resource too.
func (w *templateWork) others(ctx context.Context, id resourceid.ID) ([]rival, error) {
	var list v1alpha3.DeploymentResourceList
	if err := w.Client.List(ctx, &list, client.MatchingFields{indexID: id.Key()}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	var found []rival
	for i := range list.Items {
		dr := &list.Items[i]
		if ownerUID(dr) == w.dt.UID || !dr.DeletionTimestamp.IsZero() {
			continue
		}
		owner, err := ownerFrom(ctx, w.Client, dr)
		if err != nil {
			return nil, err
		}
		if ownershipOf(owner, id.Key()).recorded {
			found = append(found, rival{id, nameFor(dr, w.dt.Namespace), owner.Status.DeployedAt})
		}
	}
	slices.SortFunc(found, func(a, b rival) int { return strings.Compare(a.name, b.name) })
	return slices.CompactFunc(found, func(a, b rival) bool { return a.name == b.name }), nil
}

func namesOf(others []rival) string {
	names := make([]string, len(others))
	for i := range others {
		names[i] = others[i].name
	}
	return strings.Join(names, ", ")
}

// rivals are the others of all outputs.
func (w *templateWork) rivals(ctx context.Context) ([]rival, error) {
	var all []rival
	for _, text := range w.state.status.OutputResources {
		id, err := resourceid.Parse(text)
		if err != nil || id.IsScope() || id.IsDeployment() {
			continue
		}
		found, err := w.others(ctx, id)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// forgetDropped takes away what asked for a deployment: the one that was sent after it was seen has succeeded.
func (w *templateWork) forgetDropped(ctx context.Context, children []child) error {
	for i := range children {
		c := &children[i]
		seen := w.mem.dropped[c.name]
		if c.dropped == "" || seen == "" {
			continue
		}
		dr := &v1alpha3.DeploymentResource{}
		if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
			if apierrors.IsNotFound(err) {
				continue
			}
			return err
		}
		if dr.Annotations[v1alpha3.DroppedAnnotation] != seen {
			continue // it has happened again
		}
		base := dr.DeepCopy()
		delete(dr.Annotations, v1alpha3.DroppedAnnotation)
		if err := w.patch(ctx, dr, base); client.IgnoreNotFound(err) != nil {
			return err
		}
		c.dropped, w.mem.undropped[c.name] = "", seen
	}
	return nil
}

// droppedByAnother is true if another template, which deployed one of the resources too, does not any more.
func (s *templateState) droppedByAnother() bool {
	return slices.ContainsFunc(s.children, func(c child) bool { return c.dropped != "" && !c.deleting })
}

// conflicts says which resources others deployed too, and who was the last: the resource is as that one says.
func (s *templateState) conflicts() (later bool, text string) {
	const most = 3
	var parts []string
	for _, r := range s.rivals {
		since := s.status.DeployedAt.Before(r.deployedAt)
		later = later || since
		switch {
		case len(parts) == most:
			parts = append(parts, "and others")
		case len(parts) > most:
		case since:
			parts = append(parts, shortName(r.id)+" was deployed by "+r.name+" since, and is as that says")
		default:
			parts = append(parts, shortName(r.id)+" was deployed by "+r.name+" before")
		}
	}
	return later, strings.Join(parts, ", ")
}

// rival is another DeploymentTemplate that deployed a resource too.
type rival struct {
	id         resourceid.ID
	name       string
	deployedAt *metav1.Time
}
