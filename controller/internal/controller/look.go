package controller

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/arm"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// reader reads resources for the objects of a namespace. Checks are given it.
type reader struct {
	radius    Radius
	options   Options
	namespace string
}

// Read reads a resource, with the version that Radius or Azure prefers if none is given.
func (r reader) Read(ctx context.Context, text, version string) (check.Resource, error) {
	id, err := resourceid.Parse(text)
	if err != nil {
		return check.Resource{}, err
	}
	found := check.Resource{ID: text, Type: id.Type()}
	if version == "" && id.Plane() == resourceid.AWS {
		version = "default"
	}
	azure := r.options.AzureReads && id.Plane() == resourceid.Azure
	if azure && !deployment.MayTouch(text, r.namespace, r.options.Deployments.AllowedScopes) {
		found.Problem = text + " is outside of the scopes that the controller's --allowed-scopes names"
		return found, nil
	}
	if version == "" && (id.Plane() == resourceid.Radius || azure) {
		version, err = r.radius.DefaultVersion(ctx, id)
		if e := hidden(err); e != nil {
			found.Problem = e.Sentence()
			return found, nil
		}
		if err != nil {
			return found, err
		}
	}
	if version == "" {
		found.Problem = "no API version of " + id.Type() + " is known"
		return found, nil
	}
	res, err := r.radius.Get(ctx, id.Path(), version)
	if e := hidden(err); azure && e != nil && mentionsVersion(e) { // the template's may have been retired
		if version, err = r.radius.DefaultVersion(ctx, id); err == nil {
			res, err = r.radius.Get(ctx, id.Path(), version)
		}
	}
	switch e := hidden(err); {
	case err == nil:
		found.Exists, found.Readable, found.Body = true, true, res.Body
	case radius.Gone(err):
		found.Readable = true
	case e != nil:
		found.Problem = e.Sentence() // it is there or not; this cannot be said
	default:
		return found, err
	}
	return found, nil
}

// hidden is the answer that says that a resource cannot be read, and that it will not be soon, or nil.
func hidden(err error) *radius.Error {
	var e *radius.Error
	if !errors.As(err, &e) || e.Transient() || e.Status == http.StatusConflict || e.Status == http.StatusUnauthorized {
		return nil
	}
	return e
}

// look looks at all outputs, and runs the checks. What was seen is remembered, so that a look
// that takes more than one reconcile goes on where it was.
func (w *templateWork) look(ctx context.Context) (result, error) {
	s := w.state
	ctx, cancel := context.WithTimeout(ctx, w.Options.ReconcileTimeout()*8/15) // what is seen is saved by the same reconcile
	defer cancel()
	pass := fmt.Sprint(s.status.StatusHash, " ", s.request, " ", s.accepts)
	if w.mem.lookedHash != pass || w.mem.looked == nil {
		w.mem.lookedHash, w.mem.looked = pass, map[string]lookedAt{}
	}
	versions := map[string]string{}
	for _, c := range s.children {
		versions[resourceid.Key(c.id)] = c.version
	}
	seen := w.mem.looked
	r := result{err: w.lookAtAll(ctx, seen, versions)}
	if ctx.Err() != nil && len(seen) > 0 {
		r.err, r.found.partial = nil, true // time is up; what was seen is kept
		return r, nil
	}
	if r.err != nil {
		return r, nil
	}
	w.mem.looked = nil
	var err error
	if r.rivals, err = w.rivals(ctx); err != nil {
		return r, err
	}
	var lost []string
	for _, id := range s.status.OutputResources {
		at := seen[resourceid.Key(id)]
		if at.readable && !at.exists {
			r.found.missing = append(r.found.missing, id)
		}
		r.found.hidden = cmp.Or(r.found.hidden, at.hidden)
		if at.severity > r.found.severity { // of several, the worst is said
			r.found.reason, r.found.message, r.found.severity = at.reason, at.message, at.severity
		}
	}
	for _, id := range s.childless() {
		if !slices.Contains(r.found.missing, id) {
			lost = append(lost, id)
		}
	}
	if len(lost) > 0 {
		if r.children, _, err = w.adopt(ctx, lost, nil); err != nil {
			return r, err
		}
	}
	return r, nil
}

// lookAtAll looks at the outputs that are not in seen yet, several at a time, until one fails or the time is up.
func (w *templateWork) lookAtAll(ctx context.Context, seen map[string]lookedAt, versions map[string]string) error {
	var todo []string
	for _, id := range w.state.status.OutputResources {
		if _, ok := seen[resourceid.Key(id)]; !ok {
			todo = append(todo, id)
		}
	}
	var (
		mu       sync.Mutex
		wg       sync.WaitGroup
		firstErr error
		queue    = make(chan string)
	)
	for range min(w.lookWorkers, len(todo)) {
		wg.Go(func() {
			for id := range queue {
				mu.Lock()
				stop := firstErr != nil || ctx.Err() != nil
				mu.Unlock()
				if stop {
					continue
				}
				at, err := w.lookAt(ctx, id, versions[resourceid.Key(id)])
				mu.Lock()
				if err == nil {
					seen[resourceid.Key(id)] = at
				} else if firstErr == nil {
					firstErr = err
				}
				mu.Unlock()
			}
		})
	}
	for _, id := range todo {
		queue <- id
	}
	close(queue)
	wg.Wait()
	return firstErr
}

// lookAt looks at one resource.
func (w *templateWork) lookAt(ctx context.Context, text, version string) (lookedAt, error) {
	id, err := resourceid.Parse(text)
	if err != nil || id.IsScope() || id.IsDeployment() {
		return lookedAt{}, nil
	}
	if version == "" {
		version = w.version(id)
	}
	res, azure := check.Resource{ID: text, Type: id.Type()}, id.Plane() == resourceid.Azure
	reads := reader{w.Radius, w.Options, w.dt.Namespace}
	if id.CanBeRead() || azure && (w.Options.AzureReads || w.Checks.Has(id.Type())) {
		if res, err = reads.Read(ctx, text, version); err != nil {
			return lookedAt{}, err
		}
	}
	unseen := ""
	switch deployed := w.state.status.DeployedAt; {
	case !azure || !w.Options.AzureReads:
	case res.Readable && !res.Exists && deployed != nil && settles(deployed.Time, w.state.now) > 0:
		res.Readable, res.Problem = false, "Azure does not show it yet, a few minutes after the deployment"
	case !res.Readable:
		unseen = text + ": " + res.Problem
	}
	checked, err := w.Checks.Run(ctx, check.Input{
		Resource: res, Owner: w.dt, Kube: w.Live, Radius: reads, Log: log.FromContext(ctx).WithValues("resource", text),
	})
	if err != nil {
		return lookedAt{}, err
	}
	if w.state.accepts && !res.Readable && checked.Reason() == v1alpha3.ReasonResourceNotReadable {
		checked = check.Success()
	}
	return lookedAt{
		exists: res.Exists, readable: res.Readable, hidden: unseen,
		reason: checked.Reason(), message: checked.Message(), severity: checked.Severity(),
	}, nil
}

func (s *templateState) absorbLook(r result) {
	if len(r.children) > 0 {
		s.children = r.children
	}
	if r.err != nil {
		s.retryWhen.set = true
		message := r.err.Error()
		var e *radius.Error
		if errors.As(r.err, &e) {
			message, s.retryWhen.after = e.Sentence(), e.RetryAfter
		}
		s.stop(0)
		if s.status.VerifiedHash == s.status.StatusHash {
			s.blind(unavailableReason(r.err), message)
		} else {
			s.say(v1alpha3.DeploymentTemplatePhraseUpdating, verdict{
				generation: s.generation, ready: metav1.ConditionUnknown, reason: v1alpha3.ReasonCheckFailed,
				message: message, reconciling: true,
			})
		}
		return
	}
	if r.found.partial {
		s.stop(10 * time.Millisecond)
		return
	}
	if s.blindSince = (time.Time{}); r.found.hidden == "" {
		meta.RemoveStatusCondition(&s.status.Conditions, v1alpha3.ConditionObserved)
	} else {
		s.unobserved(v1alpha3.ReasonResourceNotReadable, "whether it is still there is not known: "+r.found.hidden)
	}
	repair := s.lookWanted() && len(r.found.missing) > 0
	s.looked, s.lookSpent, s.lookDue = true, s.lookDue || r.found.reason == "", false
	s.found, s.rivals = r.found, r.rivals
	s.status.LastHandledReconcileAt = s.request
	if repair {
		s.forget()
		return
	}
	s.found.missing = nil
	if r.found.reason != "" {
		s.status.VerifiedHash = ""
		return
	}
	s.status.VerifiedHash = s.status.StatusHash
}

// blind notes that what is ready could not be looked at. It stays ready: nothing is known to have changed.
func (s *templateState) blind(reason, message string) {
	if s.blindSince.IsZero() {
		s.blindSince = s.now
	}
	if s.now.Sub(s.blindSince) < blindAfter || meta.FindStatusCondition(s.status.Conditions, v1alpha3.ConditionObserved) != nil {
		return
	}
	s.unobserved(reason, "since "+s.blindSince.UTC().Format(time.RFC3339)+" the resources could not be looked at: "+message)
}

// unobserved says that it is not known whether all is there.
func (s *templateState) unobserved(reason, message string) {
	if was := meta.FindStatusCondition(s.status.Conditions, v1alpha3.ConditionObserved); was == nil || was.Message != message {
		s.note(true, reason, message)
	}
	meta.SetStatusCondition(&s.status.Conditions, metav1.Condition{Type: v1alpha3.ConditionObserved, Status: metav1.ConditionFalse,
		Reason: reason, Message: message, ObservedGeneration: s.generation, LastTransitionTime: metav1.NewTime(s.now)})
}

// unavailableReason is the reason of a condition for an error that passes.
func unavailableReason(err error) string {
	var e *radius.Error
	if errors.As(err, &e) && e.Service == arm.Service {
		return v1alpha3.ReasonAzureUnavailable
	}
	return v1alpha3.ReasonRadiusUnavailable
}

// inspection is what a look at the outputs found.
type inspection struct {
	missing  []string
	reason   string // of the worst check that did not pass
	message  string
	severity check.Severity
	hidden   string // one that Azure does not show, although there is a credential, and why
	partial  bool   // there was not enough time to look at all
}
