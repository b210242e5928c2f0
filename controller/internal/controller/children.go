package controller

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// childrenOf are the objects of a list that a DeploymentTemplate owns, in the order of deletion.
func childrenOf(items []v1alpha3.DeploymentResource, dt *v1alpha3.DeploymentTemplate) []child {
	var children []child
	for i := range items {
		dr := &items[i]
		if ownerUID(dr) != dt.UID {
			continue
		}
		children = append(children, newChild(dr))
	}
	sortChildren(children)
	return children
}

func newChild(dr *v1alpha3.DeploymentResource) child {
	c := child{
		name: dr.Name, id: dr.Spec.ID, deleting: !dr.DeletionTimestamp.IsZero(), phrase: dr.Status.Phrase,
		version: dr.Spec.APIVersion,
	}
	failed := dr.Status.Phrase == v1alpha3.DeploymentResourcePhraseFailed
	if c.deleting && (failed || dr.Status.Phrase == v1alpha3.DeploymentResourcePhraseDeleting) {
		c.message = dr.Status.Message
	}
	c.loose = !controllerutil.ContainsFinalizer(dr, v1alpha3.DeploymentResourceFinalizer)
	c.labelled = dr.Labels[v1alpha3.ResourceHashLabel] != "" && dr.Annotations[v1alpha3.OwnerNameAnnotation] != ""
	c.unowned = metav1.GetControllerOf(dr) == nil
	c.dropped = dr.Annotations[v1alpha3.DroppedAnnotation]
	if id, err := resourceid.Parse(dr.Spec.ID); err == nil {
		c.rank = id.Rank()
	}
	return c
}

func sortChildren(children []child) {
	sort.Slice(children, func(i, j int) bool {
		if children[i].rank != children[j].rank {
			return children[i].rank < children[j].rank
		}
		return children[i].name < children[j].name
	})
}

// version is the API version of a type that the template names: the one that was sent, or the one that is to be.
func (w *templateWork) version(id resourceid.ID) string {
	key := strings.ToLower(id.Type())
	if op := w.state.status.Operation; op != nil && op.APIVersions[key] != "" {
		return op.APIVersions[key]
	}
	if version := w.state.status.APIVersions[key]; version != "" {
		return version
	}
	if w.state.desired != nil {
		return w.state.desired.Versions[key]
	}
	return ""
}

// adopt makes a child for each resource that has none: for ids, and for former ones, which are not made any more,
// so that they are deleted with it. It returns all children, and says which resources objects of others hold too.
func (w *templateWork) adopt(ctx context.Context, ids, former []string) (children []child, shared []string, err error) {
	s := w.state
	children = slices.Clone(s.children)
	held, gone := map[string]int{}, map[int]bool{} // indexes of children
	for i, c := range children {
		if !c.loose {
			held[resourceid.Key(c.id)] = i
		}
	}
	var bare []resourceid.ID
	barred := ""
	failed := map[string]step{}
	for _, m := range s.made {
		if m.failed {
			failed[resourceid.Key(m.id)] = m
		}
	}
	for i, text := range slices.Concat(ids, former) {
		id, err := resourceid.Parse(text)
		if err != nil {
			log.FromContext(ctx).Info("Radius names a resource by something that is not an ID", "error", err.Error())
			continue
		}
		if id.IsScope() {
			continue
		}
		if at, ok := held[id.Key()]; ok {
			there, err := w.refresh(ctx, &children[at], id)
			if err != nil {
				return nil, nil, err
			}
			if there {
				continue
			}
			// The resource it stood for was deleted, and then made again.
			delete(held, id.Key())
			gone[at] = true
		}
		c, err := w.createChild(ctx, id)
		if why := closed(err); why != "" && (s.deleting || why == namespaceCloses && i >= len(ids)) {
			bare, barred = append(bare, id), why
			continue
		} else if why == namespaceCloses {
			continue // the template goes too, and what it recorded with it
		}
		if err != nil {
			return nil, nil, err
		}
		held[id.Key()] = len(children)
		children = append(children, c)
		others, err := w.others(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		if len(others) > 0 {
			shared = append(shared, text+" was also deployed by "+namesOf(others)+"; it is deleted when the last of them is")
		}
	}
	if err := w.deleteBare(ctx, bare, barred); err != nil {
		return nil, nil, err
	}
	for key, i := range held {
		m, isFailed := failed[key]
		if err := w.markChild(ctx, children[i], isFailed, m.message); err != nil {
			return nil, nil, err
		}
	}
	there := children[:0]
	for i, c := range children {
		if !gone[i] {
			there = append(there, c)
		}
	}
	sortChildren(there)
	return there, shared, nil
}

// probe says why no object can be made, or "". It asks the API server to make one, and not to keep it.
func (w *templateWork) probe(ctx context.Context) (string, error) {
	dr := &v1alpha3.DeploymentResource{Spec: v1alpha3.DeploymentResourceSpec{ID: w.state.desired.ID}}
	dr.Namespace, dr.Name = w.dt.Namespace, "probe-"+strings.ToLower(string(w.dt.UID))
	err := w.Client.Create(ctx, dr, client.DryRunAll)
	return closed(err), nil // other errors will say themselves what they are
}

const (
	namespaceCloses = "the namespace is being deleted"
	crdCloses       = "the CRD of DeploymentResources is being deleted or is not there"
)

// closed says why an object cannot be made because what it would belong to is going, or "".
func closed(err error) string {
	switch {
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		return namespaceCloses
	case apierrors.IsMethodNotSupported(err), noKind(err),
		apierrors.IsForbidden(err) && strings.Contains(err.Error(), "custom resource definition is terminating"):
		return crdCloses
	}
	return ""
}

// markChild says on a child whether its resource failed.
func (w *templateWork) markChild(ctx context.Context, c child, failed bool, message string) error {
	if c.deleting || failed == (c.phrase == v1alpha3.DeploymentResourcePhraseFailed) {
		return nil
	}
	dr := &v1alpha3.DeploymentResource{}
	if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
		return client.IgnoreNotFound(err)
	}
	base := dr.DeepCopy()
	state := resourceState{now: w.state.now, generation: dr.Generation, status: &dr.Status}
	state.id, _ = resourceid.Parse(dr.Spec.ID)
	if failed {
		if message == "" {
			message = "the deployment of the resource failed"
		}
		state.say(v1alpha3.DeploymentResourcePhraseFailed,
			verdict{ready: metav1.ConditionFalse, reason: v1alpha3.ReasonFailed, message: message})
	} else {
		state.say(resourceDeployed())
	}
	clean(&dr.Status.Message, dr.Status.Conditions, w.mem.secrets)
	return client.IgnoreNotFound(w.patchStatus(ctx, dr, base))
}

// refresh keeps what is saved for the deletion up to date, and gives children that another
// controller made what ours have. It returns false if the child is gone, and the cache still shows it.
func (w *templateWork) refresh(ctx context.Context, c *child, id resourceid.ID) (there bool, err error) {
	if c.deleting {
		return exists(w.deployedAgain(ctx, *c))
	}
	version := w.version(id)
	if c.labelled && (version == "" || version == c.version) {
		return true, nil
	}
	dr := &v1alpha3.DeploymentResource{}
	if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
		return exists(err)
	}
	base := dr.DeepCopy()
	w.dress(dr, id)
	if equality.Semantic.DeepEqual(base, dr) {
		return true, nil
	}
	if err := w.patch(ctx, dr, base); err != nil {
		return exists(err)
	}
	c.version, c.labelled = dr.Spec.APIVersion, true
	return true, nil
}

// own puts back the owner references of children that lost them.
func (w *templateWork) own(ctx context.Context) error {
	for _, c := range w.state.children {
		if !c.unowned {
			continue
		}
		dr := &v1alpha3.DeploymentResource{}
		if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
			if apierrors.IsNotFound(err) {
				continue
			}
			return err
		}
		if err := w.takeBack(ctx, dr); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// takeBack makes an object that has no owner any more, and was made for this template, its child again.
func (w *templateWork) takeBack(ctx context.Context, dr *v1alpha3.DeploymentResource) error {
	id, err := resourceid.Parse(dr.Spec.ID)
	uid := string(w.dt.UID)
	if err != nil || metav1.GetControllerOf(dr) != nil || dr.Labels[v1alpha3.OwnerUIDLabel] != uid || id.ObjectName(uid) != dr.Name {
		return nil
	}
	base := dr.DeepCopy()
	w.dress(dr, id)
	dr.OwnerReferences = append(dr.OwnerReferences, *ownerReference(w.dt.Name, w.dt.UID))
	return w.patch(ctx, dr, base)
}

// deployedAgain tells a child that is being deleted that its resource was made again: what has
// been deleted so far does not count. It fails if there is no child any more.
func (w *templateWork) deployedAgain(ctx context.Context, c child) error {
	op := w.state.status.Operation
	if op == nil {
		return nil
	}
	dr := &v1alpha3.DeploymentResource{}
	if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
		return err
	}
	base := dr.DeepCopy()
	if dr.Annotations == nil {
		dr.Annotations = map[string]string{}
	}
	dr.Annotations[v1alpha3.DeployedAgainAnnotation] = fmt.Sprintf("%d-%s", op.StartedAt.Unix(), op.Hash)
	return w.patch(ctx, dr, base)
}

// dress gives a child its labels, finalizer, class and version.
func (w *templateWork) dress(dr *v1alpha3.DeploymentResource, id resourceid.ID) {
	if dr.Labels == nil {
		dr.Labels = map[string]string{}
	}
	dr.Labels[v1alpha3.ResourceHashLabel] = resourceid.Hash(id.String())
	dr.Labels[v1alpha3.OwnerUIDLabel] = string(w.dt.UID)
	if dr.DeletionTimestamp.IsZero() {
		controllerutil.AddFinalizer(dr, v1alpha3.DeploymentResourceFinalizer)
	}
	if dr.Annotations == nil {
		dr.Annotations = map[string]string{}
	}
	dr.Annotations[v1alpha3.OwnerNameAnnotation] = w.dt.Name
	if class := w.Options.Class; class != "" {
		dr.Annotations[v1alpha3.ControllerClassAnnotation] = class
	}
	if version := w.version(id); version != "" {
		dr.Spec.APIVersion = version
	}
}

// createChild makes the object for a resource. That it exists already is not an error: the process may have ended before it was noted.
func (w *templateWork) createChild(ctx context.Context, id resourceid.ID) (child, error) {
	dr := &v1alpha3.DeploymentResource{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: w.dt.Namespace, Name: id.ObjectName(string(w.dt.UID)),
			OwnerReferences: []metav1.OwnerReference{*ownerReference(w.dt.Name, w.dt.UID)},
		},
		Spec: v1alpha3.DeploymentResourceSpec{ID: id.String()},
	}
	w.dress(dr, id)
	if err := w.checkNewest(ctx); err != nil {
		return child{}, err
	}
	err := w.Client.Create(ctx, dr)
	if apierrors.IsAlreadyExists(err) {
		existing := &v1alpha3.DeploymentResource{}
		if err := w.Live.Get(ctx, client.ObjectKeyFromObject(dr), existing); err != nil {
			return child{}, err
		}
		if err := w.takeBack(ctx, existing); err != nil {
			return child{}, err
		}
		if ownerUID(existing) != w.dt.UID || resourceid.Key(existing.Spec.ID) != id.Key() {
			return child{}, fmt.Errorf("the DeploymentResource %s exists, and is not for %s", existing.Name, id)
		}
		return newChild(existing), nil
	}
	if err != nil {
		return child{}, &refusedError{id: id, err: err}
	}
	return newChild(dr), nil
}

// refusedError means that the API server made no object for a resource.
type refusedError struct {
	id  resourceid.ID
	err error
}

func (e *refusedError) Unwrap() error { return e.err }

func (e *refusedError) Error() string {
	return fmt.Sprintf("no DeploymentResource can be made for %s: %s", e.id, cmp.Or(closed(e.err), e.err.Error()))
}

// prune deletes the children that are not for one of ids, in the order of deletion.
func (w *templateWork) prune(ctx context.Context, children []child, ids []string) ([]child, error) {
	keep := map[string]bool{}
	for _, id := range ids {
		keep[resourceid.Key(id)] = true
	}
	left := slices.Clone(children)
	for i := range left {
		c := &left[i]
		if c.deleting || keep[resourceid.Key(c.id)] {
			continue
		}
		dr := &v1alpha3.DeploymentResource{ObjectMeta: metav1.ObjectMeta{Namespace: w.dt.Namespace, Name: c.name}}
		if err := w.Client.Delete(ctx, dr); client.IgnoreNotFound(err) != nil {
			return nil, err
		}
		c.deleting = true
	}
	return left, nil
}

// liveChildren asks the API server itself: the cache may not have seen the newest.
func (w *templateWork) liveChildren(ctx context.Context) ([]child, error) {
	list, err := liveNames(ctx, w.Live, w.dt.Namespace, client.MatchingLabels{v1alpha3.OwnerUIDLabel: string(w.dt.UID)})
	if err != nil {
		return nil, err
	}
	var found []v1alpha3.DeploymentResource
	for i := range list {
		dr := v1alpha3.DeploymentResource{}
		if err := w.Live.Get(ctx, client.ObjectKeyFromObject(&list[i]), &dr); client.IgnoreNotFound(err) != nil {
			return nil, err
		} else if err == nil {
			found = append(found, dr)
		}
	}
	children := childrenOf(found, w.dt)
	// Those that the controller of Radius made have no label until they are taken over.
	for _, c := range w.state.children {
		if !slices.ContainsFunc(children, func(l child) bool { return l.name == c.name }) && !c.labelled {
			children = append(children, c)
		}
	}
	sortChildren(children)
	return children, nil
}

// describe lists children, with what is wrong with them.
func describe(children []child) string {
	const most = 5
	var parts []string
	for i, c := range children {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(children)-most))
			break
		}
		text := c.id
		if c.message != "" {
			text += " (" + c.message + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// whyNoObject is the reason of a condition for what closed says.
func whyNoObject(closed string) string {
	switch closed {
	case namespaceCloses:
		return v1alpha3.ReasonNamespaceCloses
	case crdCloses:
		return v1alpha3.ReasonSchemaOutdated
	}
	return v1alpha3.ReasonObjectRefused
}

// child is a DeploymentResource of the DeploymentTemplate.
type child struct {
	name     string
	id       string
	rank     int
	deleting bool
	phrase   v1alpha3.DeploymentResourcePhrase
	message  string
	version  string
	labelled bool
	unowned  bool   // its owner reference was removed
	dropped  string // tells that another template, which deployed the resource too, does not any more
	loose    bool   // it has no finalizer, so it can go without its resource
}
