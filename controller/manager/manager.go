// Package manager is the program rad-controller. Programs that add checks of their own call Main with their registry.
package manager

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	clientconfig "sigs.k8s.io/controller-runtime/pkg/client/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/arm"
	"github.com/radbicep/rad/controller/internal/controller"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/rules"
	"github.com/radbicep/rad/controller/internal/served"
)

// Settings are the settings of the program.
type Settings struct {
	// RadiusEndpoint is the URL before /planes/; "" means the API server of the cluster, which passes requests on.
	RadiusEndpoint string
	// RadiusCAFile holds the certificates that RadiusEndpoint is trusted by.
	RadiusCAFile string

	MetricsBindAddress     string
	MetricsSecure          bool
	HealthProbeBindAddress string

	LeaderElect             bool
	LeaderElectionNamespace string

	WatchNamespaces         []string
	ControllerClass         string
	MaxConcurrentReconciles int
	RequestTimeout          time.Duration
	OperationTimeout        time.Duration
	PollInterval            time.Duration
	DriftInterval           time.Duration
	DefaultResourceGroup    string
	AllowedScopes           []string
	AllowedNamespaces       []string

	// AzureCredential is how Azure itself is asked for resources of Azure; none leaves that to Radius.
	AzureCredential string
	AzureCloud      string
	AzureDelete     bool

	// ImportedClusters says whether clusters that Crossplane observes are brought to life for Cluster API: Off, On, or Only
	// them, without Radius.
	ImportedClusters string

	// ChecksFile holds checks of resources that need no program.
	ChecksFile string

	LogFormat string
	LogLevel  string

	// Transport carries requests to Radius in tests.
	Transport http.RoundTripper
	// AzureTransport and AzureToken are for Azure in tests.
	AzureTransport http.RoundTripper
	AzureToken     azcore.TokenCredential
	// AnyControllerName allows several managers in one process.
	AnyControllerName bool
}

// usageError is a mistake on the command line.
type usageError struct{ error }

// Flags defines the flags of the program.
func (s *Settings) Flags(fs *flag.FlagSet) {
	clientconfig.RegisterFlags(fs)
	fs.StringVar(&s.RadiusEndpoint, "radius-endpoint", "",
		"URL of Radius, up to /planes/. Empty: the API server of the cluster, with the path /apis/api.ucp.dev/v1alpha3.")
	fs.StringVar(&s.RadiusCAFile, "radius-ca-file", "",
		"File with the certificates that --radius-endpoint is trusted by. Empty: those of the system.")
	fs.StringVar(&s.MetricsBindAddress, "metrics-bind-address", ":8080", "Address of the metrics. 0: none.")
	fs.BoolVar(&s.MetricsSecure, "metrics-secure", false,
		"Serve the metrics by HTTPS, and only to those whom the cluster allows to read them.")
	fs.StringVar(&s.HealthProbeBindAddress, "health-probe-bind-address", ":8081", "Address of /healthz and /readyz. 0: none.")
	fs.BoolVar(&s.LeaderElect, "leader-elect", false, "Work only while holding the lease, so that several replicas can run.")
	fs.StringVar(&s.LeaderElectionNamespace, "leader-election-namespace", os.Getenv("POD_NAMESPACE"),
		"Namespace of the lease. Empty: that of the pod.")
	fs.Func("watch-namespaces", "Namespaces to work in, with commas between them. Empty: all.", commaSeparated(&s.WatchNamespaces))
	fs.StringVar(&s.ControllerClass, "controller-class", "",
		"Work only on objects whose annotation "+v1alpha3.ControllerClassAnnotation+" has this value. Empty: only on those without it.")
	fs.IntVar(&s.MaxConcurrentReconciles, "max-concurrent-reconciles", 32, "How many objects of a kind are worked on at once.")
	fs.DurationVar(&s.RequestTimeout, "request-timeout", 5*time.Second,
		"How long one request to Radius may take. Work on an object ends after three times as long.")
	fs.DurationVar(&s.OperationTimeout, "operation-timeout", 0, "How long a deployment or a deletion is waited for. 0: for ever.")
	fs.DurationVar(&s.PollInterval, "poll-interval", 5*time.Second, "Longest time between two questions after a running operation.")
	fs.DurationVar(&s.DriftInterval, "drift-interval", 10*time.Minute, "Time between two looks at what was deployed. 0: never.")
	fs.StringVar(&s.DefaultResourceGroup, "default-resource-group", "default", "Resource group of templates that name none.")
	fs.Func("allowed-scopes",
		"Patterns of scopes that may be deployed to, with commas between them, "+
			"such as /planes/radius/local/resourceGroups/{namespace}. Empty: all.",
		commaSeparated(&s.AllowedScopes))
	fs.Func("allowed-namespaces",
		"With --allowed-scopes: patterns of Kubernetes namespaces that may be deployed to, with commas between them. "+
			"Empty: {namespace}, that of the object.",
		commaSeparated(&s.AllowedNamespaces))
	fs.StringVar(&s.AzureCredential, "azure-credential", arm.None, "How Azure itself is asked for resources of Azure: "+
		"by workload-identity, by the environment (AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET), or none.")
	fs.StringVar(&s.AzureCloud, "azure-cloud", "AzureCloud", "The cloud: AzureCloud, AzureChinaCloud or AzureUSGovernment.")
	fs.BoolVar(&s.AzureDelete, "azure-delete", true, "Delete resources of Azure that are not deployed any more. false: only look at them.")
	fs.StringVar(&s.ImportedClusters, "imported-clusters", importedOff, "Whether what Crossplane observes of imported clusters is written "+
		"into the objects of Cluster API: off, on, or only that, without Radius and without the CRDs of this controller.")
	fs.StringVar(&s.ChecksFile, "checks", "", "File with checks of resources, in YAML or JSON. It is read when the controller starts.")
	fs.StringVar(&s.LogFormat, "log-format", "text", "Format of the log: text or json.")
	fs.StringVar(&s.LogLevel, "log-level", "info", "Least level that is logged: debug, info, warn or error.")
}

// commaSeparated parses the value of a flag that is a list.
func commaSeparated(into *[]string) func(string) error {
	return func(text string) error {
		*into = nil
		for _, part := range strings.Split(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				*into = append(*into, part)
			}
		}
		return nil
	}
}

var groupName = regexp.MustCompile(`^[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?$`)

func (s *Settings) validate() error {
	switch {
	case s.MaxConcurrentReconciles < 1:
		return errors.New("--max-concurrent-reconciles must be at least 1")
	case s.PollInterval < 100*time.Millisecond:
		return errors.New("--poll-interval must be at least 100ms")
	case s.RequestTimeout < time.Second || s.RequestTimeout > 5*time.Minute:
		return errors.New("--request-timeout must be at least 1s and at most 5m")
	case s.OperationTimeout != 0 && s.OperationTimeout < time.Minute:
		return errors.New("--operation-timeout must be at least 1m; 0 switches it off")
	case s.DriftInterval < 0:
		return errors.New("--drift-interval must not be negative; 0 switches it off")
	case !groupName.MatchString(s.DefaultResourceGroup):
		return fmt.Errorf("--default-resource-group: %q is not the name of a resource group", s.DefaultResourceGroup)
	case !slices.Contains([]string{importedOff, importedOn, importedOnly}, cmp.Or(s.ImportedClusters, importedOff)):
		return fmt.Errorf("--imported-clusters: %q is none of off, on and only", s.ImportedClusters)
	case s.LogFormat != "text" && s.LogFormat != "json":
		return fmt.Errorf("--log-format: %q is neither text nor json", s.LogFormat)
	case s.RadiusCAFile != "" && s.RadiusEndpoint == "":
		return errors.New("--radius-ca-file needs --radius-endpoint")
	}
	if err := arm.Check(s.AzureCredential, s.AzureCloud); err != nil {
		return err
	}
	if !s.AzureDelete && !s.asksAzure() {
		return errors.New("--azure-delete=false needs --azure-credential")
	}
	if err := s.addRules(check.NewRegistry()); err != nil {
		return err
	}
	return s.deployments().Check()
}

// addRules adds the checks of the file to a registry.
func (s *Settings) addRules(checks *check.Registry) error {
	if s.ChecksFile == "" {
		return nil
	}
	if err := rules.Add(checks, s.ChecksFile); err != nil {
		return fmt.Errorf("--checks: %w", err)
	}
	return nil
}

// reconcilers are the settings of the reconcilers.
func (s *Settings) reconcilers() controller.Options {
	return controller.Options{
		Class: s.ControllerClass, RequestTimeout: s.RequestTimeout, OperationTimeout: s.OperationTimeout,
		PollInterval: s.PollInterval, DriftInterval: s.DriftInterval, Deployments: s.deployments(),
		AzureReads: s.asksAzure(), AzureKeeps: s.asksAzure() && !s.AzureDelete,
	}
}

// deployments are the settings of deployments.
func (s *Settings) deployments() deployment.Settings {
	return deployment.Settings{DefaultGroup: s.DefaultResourceGroup, AllowedScopes: s.AllowedScopes, AllowedNamespaces: s.AllowedNamespaces}
}

// Main is the program: it reads the arguments, runs until it is told to stop, and returns the
// exit status: 0 after a signal, 1 after a failure, 2 for a mistake on the command line.
func Main(args []string, checks *check.Registry) int {
	return run(args, checks, os.Stderr)
}

func run(args []string, checks *check.Registry, stderr io.Writer) int {
	var s Settings
	fs := flag.NewFlagSet("rad-controller", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, "rad-controller deploys DeploymentTemplates through Radius.\n\nFlags:")
		fs.PrintDefaults()
	}
	version := fs.Bool("version", false, "Print the version.")
	s.Flags(fs)
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if *version {
		fmt.Println("rad-controller", Version())
		return 0
	}
	fail := func(err error) int {
		fmt.Fprintln(stderr, "rad-controller:", err)
		if errors.As(err, new(usageError)) {
			return 2
		}
		return 1
	}
	if fs.NArg() > 0 {
		return fail(usageError{fmt.Errorf("unexpected argument %q", fs.Arg(0))})
	}
	if err := s.validate(); err != nil {
		return fail(usageError{err})
	}
	if err := s.setLogger(stderr); err != nil {
		return fail(usageError{err})
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	if err := Run(ctx, config, s, checks); err != nil {
		return fail(err)
	}
	return 0
}

func (s *Settings) setLogger(w io.Writer) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return fmt.Errorf("--log-level: %q is none of debug, info, warn and error", s.LogLevel)
	}
	options := &slog.HandlerOptions{Level: level}
	var handler slog.Handler = slog.NewTextHandler(w, options)
	if s.LogFormat == "json" {
		handler = slog.NewJSONHandler(w, options)
	}
	logger := logr.FromSlogHandler(handler)
	ctrl.SetLogger(logger)
	klog.SetLogger(logger)
	return nil
}

// released is the version that a release is built with: -ldflags '-X github.com/radbicep/rad/controller/manager.released=v1.2.3'.
var released string

// Version is the version of the program.
func Version() string {
	if released != "" {
		return released
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

// Run runs the controllers until ctx ends.
func Run(ctx context.Context, config *rest.Config, s Settings, checks *check.Registry) error {
	if checks == nil {
		checks = check.NewRegistry()
	}
	if err := s.addRules(checks); err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(v1alpha3.AddToScheme(scheme), corev1.AddToScheme(scheme)); err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(config, s.options(scheme))
	if err != nil {
		return err
	}
	if done, err := s.addImported(mgr, config); err != nil {
		return err
	} else if done {
		return mgr.Start(ctx)
	}
	outage := &controller.Outage{}
	rad, err := s.router(config, outage)
	if err != nil {
		return err
	}
	schemas, err := served.New(config)
	if err != nil {
		return err
	}
	if err := schemas.Look(ctx); err != nil {
		ctrl.Log.Info("the schemas that the API server serves cannot be read", "error", err.Error())
	}
	if err := mgr.Add(schemas); err != nil {
		return err
	}
	if err := addChecks(mgr, schemas); err != nil {
		return err
	}
	c := controller.Config{
		Schemas: schemas, Outage: outage,
		Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Radius: rad, Recorder: mgr.GetEventRecorder("rad-controller"),
		Namespaces: s.WatchNamespaces,
		Options:    s.reconcilers(),
	}
	templates, resources := controller.NewTemplateReconciler(c, checks), controller.NewResourceReconciler(c)
	look, err := controller.Setup(mgr, templates, resources, s.MaxConcurrentReconciles, s.AnyControllerName)
	if err != nil {
		return err
	}
	outage.Wake = look
	observe := func() {
		problem, _ := schemas.Problem()
		controller.ObserveSchemas(problem == "")
	}
	observe()
	schemas.Changed = func() {
		observe()
		look()
	}
	return mgr.Start(ctx)
}

// options are those of the manager.
func (s *Settings) options(scheme *runtime.Scheme) ctrl.Options {
	grace := s.reconcilers().ReconcileTimeout() + 5*time.Second
	options := ctrl.Options{
		Scheme: scheme,
		Cache:  cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
		Metrics: metricsserver.Options{
			BindAddress: s.MetricsBindAddress, SecureServing: s.MetricsSecure,
		},
		HealthProbeBindAddress:        s.HealthProbeBindAddress,
		LeaderElection:                s.LeaderElect,
		LeaderElectionID:              leaseName(s.ControllerClass),
		LeaderElectionNamespace:       s.LeaderElectionNamespace,
		LeaderElectionReleaseOnCancel: true,
		GracefulShutdownTimeout:       &grace,
	}
	if s.MetricsSecure {
		options.Metrics.FilterProvider = filters.WithAuthenticationAndAuthorization
	}
	if len(s.WatchNamespaces) > 0 {
		watchNamespaces(&options.Cache, s.WatchNamespaces)
	}
	return options
}

// addChecks adds the checks of /healthz and /readyz. Ready does not hang on Radius: a restart would not
// bring it back.
func addChecks(mgr ctrl.Manager, schemas *served.Checker) error {
	return errors.Join(
		mgr.AddHealthzCheck("ping", func(*http.Request) error { return nil }),
		mgr.AddReadyzCheck("cache", func(r *http.Request) error {
			ctx, cancel := context.WithTimeout(r.Context(), time.Second)
			defer cancel()
			if !mgr.GetCache().WaitForCacheSync(ctx) {
				return errors.New("the cache is not filled yet")
			}
			return nil
		}),
		mgr.AddReadyzCheck("schema", func(*http.Request) error {
			if problem, _ := schemas.Problem(); problem != "" {
				return errors.New(problem)
			}
			return nil
		}),
	)
}

func leaseName(class string) string {
	if class == "" {
		return "rad-controller.radapp.io"
	}
	return "rad-controller-" + strings.ToLower(class) + ".radapp.io"
}

// asksAzure is true if Azure itself is asked for resources of Azure.
func (s *Settings) asksAzure() bool { return s.AzureCredential != "" && s.AzureCredential != arm.None }

// router is Radius and, with a credential, Azure.
func (s *Settings) router(config *rest.Config, outage *controller.Outage) (controller.Radius, error) {
	rad, err := s.radius(config, outage)
	if err != nil || !s.asksAzure() {
		return rad, err
	}
	options := arm.Options{
		Cloud: s.AzureCloud, Credential: s.AzureToken, Transport: s.AzureTransport,
		Timeout: cmp.Or(s.RequestTimeout, 5*time.Second), UserAgent: "rad-controller/" + Version(), Observe: controller.ObserveAzureRequest,
	}
	if options.Transport == nil {
		options.Transport = s.pooled()
	}
	if options.Credential == nil {
		if options.Credential, err = arm.Credential(s.AzureCredential, s.AzureCloud, nil); err != nil {
			return nil, err
		}
	}
	azure, err := arm.New(options)
	return arm.Router{Client: rad, Azure: azure}, err
}

// pooled is a transport that keeps a connection for each worker.
func (s *Settings) pooled() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, max(100, s.MaxConcurrentReconciles)
	return transport
}

func (s *Settings) radius(config *rest.Config, outage *controller.Outage) (*radius.Client, error) {
	options := radius.Options{
		Timeout: cmp.Or(s.RequestTimeout, 5*time.Second), UserAgent: "rad-controller/" + Version(),
		Observe: controller.ObserveRequest, Heard: outage.Heard,
	}
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	options.Endpoint = s.RadiusEndpoint
	if options.Endpoint == "" {
		options.Endpoint = strings.TrimRight(server.String(), "/") + "/apis/api.ucp.dev/v1alpha3"
	}
	endpoint, err := url.Parse(options.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("--radius-endpoint: %w", err)
	}
	switch {
	case s.Transport != nil:
		options.Transport = s.Transport
	case endpoint.Scheme == server.Scheme && endpoint.Host == server.Host:
		// Only the cluster's own server is sent the cluster's credentials.
		if options.Transport, err = rest.TransportFor(config); err != nil {
			return nil, err
		}
	default:
		transport := s.pooled()
		if s.RadiusCAFile != "" {
			pem, err := os.ReadFile(s.RadiusCAFile)
			if err != nil {
				return nil, fmt.Errorf("--radius-ca-file: %w", err)
			}
			pool := x509.NewCertPool()
			if !pool.AppendCertsFromPEM(pem) {
				return nil, fmt.Errorf("--radius-ca-file: %s holds no certificate", s.RadiusCAFile)
			}
			transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
		}
		options.Transport = transport
	}
	return radius.New(options)
}
