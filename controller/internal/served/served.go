// Package served watches which fields of our kinds the API server keeps. Fields that a CRD does not
// have are dropped without a word, and a controller that relies on them then does the same for ever.
package served

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

// Path is where the API server describes the kinds as it serves them. Every user may read it.
const Path = "/openapi/v3/apis/radapp.io/v1alpha3"

// Times between two looks. An answer that nothing has changed has no body.
const (
	Interval     = 5 * time.Second
	earlyDelay   = time.Second // while something is wrong
	requestLimit = 10 * time.Second
	maxDocument  = 32 << 20
)

// Checker says whether the API server keeps all fields that are relied on.
type Checker struct {
	URL      string
	HTTP     *http.Client
	Interval time.Duration
	// Changed is called when there is a problem, another one, or none any more.
	Changed func()

	mu      sync.Mutex
	asked   bool // an answer was read
	problem string
	etag    string
}

// New makes a Checker of the API server of a cluster.
func New(config *rest.Config) (*Checker, error) {
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return &Checker{URL: strings.TrimRight(server.String(), "/") + Path, HTTP: client, Interval: Interval}, nil
}

// Problem says why nothing may be done, or is "". It is not sure until the API server has answered.
func (c *Checker) Problem() (problem string, sure bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.asked {
		return "it is not known yet which fields the API server keeps", false
	}
	return c.problem, true
}

// Dropped notes that the API server has dropped a field that it was sent. The next look says more.
func (c *Checker) Dropped(field string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.problem, c.etag = explain([]string{field}), ""
}

// NeedLeaderElection is false: a replica that waits must know it too.
func (c *Checker) NeedLeaderElection() bool { return false }

// Start looks until ctx ends.
func (c *Checker) Start(ctx context.Context) error {
	log := ctrl.Log.WithName("schema")
	said, _ := c.Problem()
	if said != "" {
		log.Info(said)
	}
	for {
		if err := c.Look(ctx); err != nil && ctx.Err() == nil {
			log.Info("the schemas that the API server serves cannot be read", "error", err.Error())
		}
		if problem, _ := c.Problem(); problem != said {
			log.Info(cmp.Or(problem, "the API server keeps all fields"))
			said = problem
			if c.Changed != nil {
				c.Changed()
			}
		}
		wait := c.Interval
		if said != "" {
			wait = min(wait, earlyDelay)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// Look reads the schemas, if they have changed. When they cannot be read, what was known stays.
func (c *Checker) Look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	c.mu.Lock()
	etag := c.etag
	c.mu.Unlock()
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	res, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusNotModified:
		return nil
	case http.StatusNotFound:
		c.found("", nil) // there are no CRDs, so nothing is dropped
		return nil
	case http.StatusOK:
	default:
		return fmt.Errorf("%s answers %s", Path, res.Status)
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxDocument))
	if err != nil {
		return err
	}
	missing, err := Missing(text)
	if err != nil {
		return fmt.Errorf("%s: %w", Path, err)
	}
	c.found(res.Header.Get("ETag"), missing)
	return nil
}

func (c *Checker) found(etag string, missing []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.etag, c.problem = true, etag, explain(missing)
}

// explain says what is wrong, and what to do.
func explain(missing []string) string {
	if len(missing) == 0 {
		return ""
	}
	const most = 4
	named := strings.Join(missing[:min(most, len(missing))], ", ")
	if more := len(missing) - most; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return "the CRDs of radapp.io in this cluster are not those of this controller, and drop fields that it relies on: " + named +
		". Nothing is sent to Radius until they are replaced: kubectl apply --server-side --force-conflicts -k controller/config/crd"
}

// unused are fields that are not relied on.
var unused = []string{"DeploymentTemplate.spec.repository", "DeploymentResource.spec.providerConfig"}

// Missing are the fields that are relied on and that an OpenAPI document does not have. Kinds that
// are not in it at all are not served, so nothing of them is dropped.
func Missing(document []byte) ([]string, error) {
	var doc struct {
		Components struct {
			Schemas map[string]map[string]any `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		return nil, err
	}
	if doc.Components.Schemas == nil {
		return nil, errors.New("it holds no schemas")
	}
	var missing []string
	for _, o := range []any{v1alpha3.DeploymentTemplate{}, v1alpha3.DeploymentResource{}} {
		typ := reflect.TypeOf(o)
		for _, schema := range doc.Components.Schemas {
			if isKind(schema, typ.Name()) {
				compare(typ.Name(), schema, typ, &missing)
			}
		}
	}
	return slices.DeleteFunc(missing, func(f string) bool { return slices.Contains(unused, f) }), nil
}

func isKind(schema map[string]any, kind string) bool {
	list, _ := schema["x-kubernetes-group-version-kind"].([]any)
	for _, v := range list {
		gvk, _ := v.(map[string]any)
		if gvk["group"] == v1alpha3.GroupVersion.Group && gvk["version"] == v1alpha3.GroupVersion.Version && gvk["kind"] == kind {
			return true
		}
	}
	return false
}

// compare adds the fields of a Go type that a schema does not keep.
func compare(path string, schema map[string]any, typ reflect.Type, missing *[]string) {
	if keep, _ := schema["x-kubernetes-preserve-unknown-fields"].(bool); keep {
		return
	}
	switch typ.Kind() {
	case reflect.Pointer:
		compare(path, schema, typ.Elem(), missing)
	case reflect.Slice:
		items, _ := schema["items"].(map[string]any)
		if items == nil {
			*missing = append(*missing, path+"[]")
			return
		}
		compare(path+"[]", items, typ.Elem(), missing)
	case reflect.Map:
		if schema["additionalProperties"] == nil {
			*missing = append(*missing, path+".*")
		}
	case reflect.Struct:
		ours := strings.HasSuffix(typ.PkgPath(), "api/v1alpha3") || typ == reflect.TypeFor[metav1.Condition]()
		if !ours {
			return // a time, any JSON: it has no fields
		}
		properties, _ := schema["properties"].(map[string]any)
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" || name == "metadata" {
				continue // the API server's own
			}
			inner, ok := properties[name].(map[string]any)
			if !ok {
				*missing = append(*missing, path+"."+name)
				continue
			}
			compare(path+"."+name, inner, f.Type, missing)
		}
	}
}
