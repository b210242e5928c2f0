package controller

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sort"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/arm"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// deleteBare deletes recorded resources that are to go, and for which no object can be made any more. Nobody waits for the end.
// An error means that it is to be tried again.
func (w *templateWork) deleteBare(ctx context.Context, ids []resourceid.ID, why string) error {
	sort.SliceStable(ids, func(i, j int) bool { return ids[i].Rank() < ids[j].Rank() })
	for _, id := range ids {
		left := func(because string) {
			w.state.note(true, v1alpha3.EventDeletionFailed,
				fmt.Sprintf("%s may be left: %s, and so no object can stand for it%s", id, why, because))
		}
		if !deployment.MayTouch(id.String(), w.dt.Namespace, w.Options.Deployments.AllowedScopes) || id.IsDeployment() {
			left("")
			continue
		}
		if w.Options.AzureKeeps && id.Plane() == resourceid.Azure {
			left(", and --azure-delete=false keeps it")
			continue
		}
		others, err := w.others(ctx, id)
		if err == nil && len(others) > 0 {
			continue // it is deleted with the last of them
		}
		version := w.version(id)
		if err == nil && version == "" {
			version, err = w.Radius.DefaultVersion(ctx, id)
		}
		var p radius.Progress
		if err == nil {
			p, err = w.Radius.Delete(ctx, id.Path(), version)
		}
		var e *radius.Error
		switch {
		case err == nil && p.Absent && w.Options.AzureReads && id.Plane() == resourceid.Azure && w.absentSince(id) < settleTime:
			uncertain := fmt.Errorf("it says that %s is not there, which is certain only some minutes after a deployment", id)
			return &radius.Error{Service: arm.Service, Cause: uncertain}
		case err == nil:
			w.state.note(false, v1alpha3.EventResourceDeleted,
				fmt.Sprintf("%s: its deletion was begun; %s, and so no object can wait for the end", id, why))
		case errors.As(err, &e) && !e.Transient() && e.Status != http.StatusConflict:
			left(": " + e.Sentence())
		default:
			return err
		}
	}
	return nil
}

// absentSince is how long Azure has said that a resource is not there.
func (w *templateWork) absentSince(id resourceid.ID) time.Duration {
	since, ok := w.mem.absent[id.Key()]
	if !ok {
		since = w.state.now
		w.mem.absent[id.Key()] = since
	}
	return w.state.now.Sub(since)
}

// orphan lets the children go: those that the API server has, as the cache may not have seen the newest. Nothing is deleted in Radius.
func (w *templateWork) orphan(ctx context.Context) error {
	children, err := w.liveChildren(ctx)
	if err != nil {
		return err
	}
	for _, c := range children {
		dr := &v1alpha3.DeploymentResource{}
		if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
			if apierrors.IsNotFound(err) {
				continue
			}
			return err
		}
		base := dr.DeepCopy()
		if controllerutil.RemoveFinalizer(dr, v1alpha3.DeploymentResourceFinalizer) {
			if err := w.patch(ctx, dr, base); client.IgnoreNotFound(err) != nil {
				return err
			}
		}
		// The other reconciler may have put the finalizer back meanwhile. That is a conflict, and then it is done again.
		unchanged := client.Preconditions{UID: &dr.UID, ResourceVersion: &dr.ResourceVersion}
		if err := w.Client.Delete(ctx, dr, unchanged); client.IgnoreNotFound(err) != nil {
			return err
		}
		w.state.note(false, v1alpha3.EventResourceOrphaned, c.id+" is left as it is, as the deletion policy says")
	}
	return nil
}

// release saves the last status, then lets the object go: what is written with the removal would be lost.
func (w *templateWork) release(ctx context.Context) error {
	s := w.state
	s.status.Operation = nil
	s.say(v1alpha3.DeploymentTemplatePhraseDeleted, verdict{
		generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonDeleted, message: "deleted",
	})
	if err := w.save(ctx); err != nil {
		return err
	}
	changed := w.dt.DeepCopy()
	controllerutil.RemoveFinalizer(changed, v1alpha3.DeploymentTemplateFinalizer)
	return w.patch(ctx, changed, w.dt)
}

// absorbDeleteDeployment goes on when the record of a deployment is deleted.
func (s *templateState) absorbDeleteDeployment(err error) {
	if err != nil {
		s.unavailable(err)
		return
	}
	if s.stage == stageReplace {
		s.succeed()
		return
	}
	s.cleaned = true
}

// gather makes children for recorded resources that have none.
func (w *templateWork) gather(ctx context.Context) ([]child, error) {
	ids := w.state.childless()
	if len(ids) == 0 {
		return w.state.children, nil
	}
	children, _, err := w.adopt(ctx, ids, nil)
	return children, err
}

// deleteChildren deletes the children that stand for nothing any more.
func (w *templateWork) deleteChildren(ctx context.Context) ([]child, error) {
	keep := []string(nil)
	if !w.state.deleting {
		keep = w.state.status.OutputResources
	}
	return w.prune(ctx, w.state.children, keep)
}

// deleteDeployment deletes the record of the deployment. Where it cannot be deleted, it stays: it is only a record.
func (w *templateWork) deleteDeployment(ctx context.Context) error {
	err := w.Radius.DeleteDeployment(ctx, w.state.status.Resource)
	var e *radius.Error
	if errors.As(err, &e) && !e.Transient() && e.Status != http.StatusConflict {
		return nil
	}
	return err
}
