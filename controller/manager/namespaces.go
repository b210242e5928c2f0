package manager

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

// watchNamespaces limits the cache to namespaces. One of them may be gone, and the rights in it with
// it. The others are served all the same.
func watchNamespaces(options *cache.Options, namespaces []string) {
	options.DefaultNamespaces = map[string]cache.Config{}
	for _, ns := range namespaces {
		options.DefaultNamespaces[ns] = cache.Config{}
	}
	options.NewInformer = newTolerantInformer
	options.DefaultWatchErrorHandler = func(ctx context.Context, r *toolscache.Reflector, err error) {
		if apierrors.IsForbidden(err) {
			return // the lister has said it
		}
		toolscache.DefaultWatchErrorHandler(ctx, r, err)
	}
}

// newTolerantInformer makes an informer for which objects that may not be listed are no objects, until
// they have been listed once. The informer asks again every half minute. What it has listed once stays
// when the right is lost.
func newTolerantInformer(
	lw toolscache.ListerWatcher, object runtime.Object, resync time.Duration, indexers toolscache.Indexers,
) toolscache.SharedIndexInformer {
	inner := toolscache.ToListerWatcherWithContext(lw)
	listed, said := false, ""
	tolerant := &toolscache.ListWatch{
		WatchFuncWithContext: inner.WatchWithContext,
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			list, err := inner.ListWithContext(ctx, options)
			if err == nil {
				listed, said = true, ""
				return list, nil
			}
			if !apierrors.IsForbidden(err) {
				return nil, err
			}
			if said != err.Error() {
				said = err.Error()
				ctrl.Log.Info("objects may not be listed; the other namespaces are served, and it is tried again", "error", said)
			}
			if listed {
				return nil, err
			}
			return &metav1.List{}, nil
		},
	}
	return toolscache.NewSharedIndexInformer(tolerant, object, resync, indexers)
}
