package controller

import (
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

var (
	requestSeconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "rad_controller_radius_request_seconds", Help: "Time of requests to Radius.",
		Buckets: []float64{.01, .05, .1, .5, 1, 2, 5},
	}, []string{"method", "kind", "code"})
	azureSeconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "rad_controller_azure_request_seconds", Help: "Time of requests to Azure.",
		Buckets: []float64{.01, .05, .1, .5, 1, 2, 5},
	}, []string{"method", "kind", "code"})
	templatesByPhrase = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "rad_controller_deployment_templates", Help: "DeploymentTemplates by phrase.",
	}, []string{"phrase"})
	eventsByReason = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "rad_controller_events_total", Help: "What happened to objects, by the reason of the event, such as DriftRepaired.",
	}, []string{"reason"})
	operationSeconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "rad_controller_operation_seconds", Help: "Time of deployments, from the request to the end.",
		Buckets: []float64{1, 2, 5, 10, 30, 60, 120, 300, 600, 1800},
	}, []string{"kind"})
	schemasComplete = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "rad_controller_schemas_complete",
		Help: "1 where the API server keeps all fields that are relied on, else 0: nothing is sent to Radius then.",
	})
)

func init() {
	metrics.Registry.MustRegister(requestSeconds, azureSeconds, templatesByPhrase, eventsByReason, operationSeconds, schemasComplete)
	metrics.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "rad_controller_oldest_operation_seconds",
		Help: "How long the oldest deployment or deletion has run that has not ended; 0 where none runs.",
	}, oldestOperation))
}

var (
	operationsMu sync.Mutex
	operations   = map[string]time.Time{} // when they began
)

// observeOperation notes the operation of an object, or that it has none.
func observeOperation(object string, op *v1alpha3.ResourceOperation) {
	operationsMu.Lock()
	defer operationsMu.Unlock()
	if op == nil || op.StartedAt == nil {
		delete(operations, object)
		return
	}
	operations[object] = op.StartedAt.Time
}

func oldestOperation() float64 {
	operationsMu.Lock()
	defer operationsMu.Unlock()
	oldest := time.Duration(0)
	for _, began := range operations {
		oldest = max(oldest, time.Since(began))
	}
	return oldest.Seconds()
}

// ObserveSchemas notes whether the API server keeps all fields that are relied on.
func ObserveSchemas(complete bool) {
	value := 0.0
	if complete {
		value = 1
	}
	schemasComplete.Set(value)
}

// ObserveRequest counts a request to Radius.
func ObserveRequest(method, kind string, status int, took time.Duration) {
	requestSeconds.WithLabelValues(method, kind, codeOf(status)).Observe(took.Seconds())
}

// ObserveAzureRequest counts a request to Azure.
func ObserveAzureRequest(method, kind string, status int, took time.Duration) {
	azureSeconds.WithLabelValues(method, kind, codeOf(status)).Observe(took.Seconds())
}

func codeOf(status int) string {
	if status == 0 {
		return "none"
	}
	return strconv.Itoa(status)
}

var (
	phrasesMu sync.Mutex
	phrases   = map[types.NamespacedName]string{}
)

// observePhase counts DeploymentTemplates by phrase; "" means that the object is gone.
func observePhase(key types.NamespacedName, phrase string) {
	phrasesMu.Lock()
	defer phrasesMu.Unlock()
	was := phrases[key]
	if was == phrase {
		return
	}
	if was != "" {
		templatesByPhrase.WithLabelValues(was).Dec()
	}
	if phrase == "" {
		delete(phrases, key)
		return
	}
	phrases[key] = phrase
	templatesByPhrase.WithLabelValues(phrase).Inc()
}
