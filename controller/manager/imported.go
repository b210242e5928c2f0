package manager

import (
	"errors"

	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"

	"github.com/radbicep/rad/controller/internal/imported"
)

// The values of --imported-clusters.
const (
	importedOff  = "off"
	importedOn   = "on"
	importedOnly = "only"
)

// addImported adds the reconciler of imported clusters. It is true if the program does nothing else.
func (s *Settings) addImported(mgr ctrl.Manager, config *rest.Config) (only bool, err error) {
	if s.ImportedClusters != importedOn && s.ImportedClusters != importedOnly {
		return false, nil
	}
	// Nothing is read from a cache: the kinds may come and go while the program runs.
	c, err := client.New(config, client.Options{HTTPClient: mgr.GetHTTPClient(), Mapper: mgr.GetRESTMapper()})
	if err != nil {
		return false, err
	}
	r := &imported.Reconciler{Client: c, Recorder: mgr.GetEventRecorder("rad-controller"), Namespaces: s.WatchNamespaces}
	if err := mgr.Add(r); err != nil || s.ImportedClusters == importedOn {
		return false, err
	}
	return true, errors.Join(mgr.AddHealthzCheck("ping", healthz.Ping), mgr.AddReadyzCheck("ping", healthz.Ping))
}
