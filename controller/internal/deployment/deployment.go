// Package deployment turns the spec of a DeploymentTemplate into what is sent to Radius.
package deployment

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"sort"
	"strings"
	"time"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

// Deployment is what is sent to Radius for one spec.
type Deployment struct {
	// ID is the ID of the deployment object.
	ID string
	// Groups are the resource groups that must exist.
	Groups []string
	// Body is the body of the request.
	Body []byte
	// Hash is equal for specs that deploy the same thing for the same object.
	Hash string
	// Interval is the time after which it is sent once more; 0 is never.
	Interval time.Duration
	// Resources is how many resources the template makes, or 0 if conditions or loops decide.
	Resources int
	// Versions are the API versions that the template names, by lower-case resource type.
	Versions map[string]string
	// Secrets are the values of secure parameters. HasSecrets is true if there are such parameters.
	Secrets    *Secrets
	HasSecrets bool
}

// Settings say how deployments are made.
type Settings struct {
	// DefaultGroup is deployed to where a spec names no scope.
	DefaultGroup string
	// AllowedScopes are patterns of scopes that may be deployed to; none means all.
	// The text {namespace} stands for the namespace of the object.
	AllowedScopes []string
	// AllowedNamespaces are patterns of namespaces of Kubernetes that may be deployed to where AllowedScopes are
	// given; none means that of the object.
	AllowedNamespaces []string
}

// Name is the name of the deployment object of a DeploymentTemplate. It stays the same as long as the object lives.
func Name(uid string) string { return "deploymenttemplate-" + strings.ToLower(uid) }

// New reads a spec. Its errors say what is wrong with the spec, or, if they are *SourceError, with what it
// refers to. Parameters of spec.parametersFrom that have no value are left out.
func New(dt *v1alpha3.DeploymentTemplate, s Settings, values Values) (*Deployment, error) {
	template, err := decode([]byte(dt.Spec.Template))
	if err != nil {
		return nil, fmt.Errorf("spec.template: %w", err)
	}
	t, ok := template.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("spec.template: want a JSON object, got %s", kindOf(template))
	}
	doc := &document{root: t}
	parameters, err := readParameters(raw(dt.Spec.Parameters), doc)
	if err != nil {
		return nil, fmt.Errorf("spec.parameters: %w", err)
	}
	written := maps.Clone(parameters)
	if err := addSources(parameters, dt.Spec.ParametersFrom, values, doc); err != nil {
		return nil, err
	}
	config, err := readProviderConfig(raw(dt.Spec.ProviderConfig))
	if err != nil {
		return nil, fmt.Errorf("spec.providerConfig: %w", err)
	}
	deployments, radius := config.groups("/planes/radius/local/resourceGroups/" + s.DefaultGroup)
	interval, err := readInterval(dt.Spec.RedeployInterval)
	if err != nil {
		return nil, fmt.Errorf("spec.redeployInterval: %w", err)
	}
	if err := checkScopes(config, deployments, radius, dt.Namespace, s.AllowedScopes); err != nil {
		return nil, err
	}
	d := &Deployment{
		Interval: interval, ID: deployments + "/providers/Microsoft.Resources/deployments/" + Name(string(dt.UID)),
		Groups: []string{deployments},
	}
	if !strings.EqualFold(radius, deployments) {
		d.Groups = append(d.Groups, radius)
	}
	if len(s.AllowedScopes) > 0 {
		l := newLiterals(dt.Namespace, s, deployments, config.scope("az"))
		if err := checkLiterals(l, dt.Spec.Template, t, parameters); err != nil {
			return nil, err
		}
	}
	if d.Body, err = body(dt.Spec.Template, parameters, config.entries); err != nil {
		return nil, err
	}
	hashed := []any{t, written, config.entries}
	if len(values) > 0 {
		hashed = append(hashed, values.Versions()) // and not the values: who knows the rest could find them by trying
	}
	if d.Hash, err = hash(string(dt.UID), hashed...); err != nil {
		return nil, err
	}
	d.Versions, d.Resources = doc.versions(), doc.count()
	d.Secrets, d.HasSecrets = doc.secrets(parameters)
	for name, v := range values {
		if v.Secret {
			d.HasSecrets = true
			leaves(objectOf(parameters[name])["value"], d.Secrets.Add)
		}
	}
	return d, nil
}

// checkScopes holds the scopes of a spec to their form, and to those that its namespace may use.
func checkScopes(config providerConfig, deployments, radius, namespace string, patterns []string) error {
	for _, scope := range []string{deployments, radius} {
		if !groupScope.MatchString(scope) {
			return fmt.Errorf("spec.providerConfig: the scope %q is not of the form /planes/radius/local/resourceGroups/NAME", scope)
		}
		if !allowed(scope, namespace, patterns) {
			return &ScopeError{Scope: scope, Namespace: namespace, Where: "spec.providerConfig"}
		}
	}
	for _, cloud := range []string{"az", "aws"} {
		scope := config.scope(cloud)
		if scope == "" {
			continue
		}
		if err := checkCloudScope(scope); err != nil {
			return fmt.Errorf("spec.providerConfig: %s: %w", cloud, err)
		}
		if !allowed(scope, namespace, patterns) {
			return &ScopeError{Scope: scope, Namespace: namespace, Where: "spec.providerConfig"}
		}
	}
	return nil
}

// checkLiterals holds what a template and its parameters name to the scopes that may be used.
func checkLiterals(l *literals, text string, template, parameters map[string]any) error {
	if err := distinct([]byte(text)); err != nil {
		return fmt.Errorf("spec.template: %w", err)
	}
	given, err := json.Marshal(parameters)
	if err != nil {
		return err
	}
	if err := distinct(given); err != nil {
		return fmt.Errorf("spec.parameters: %w", err)
	}
	l = l.within(template, parameters)
	return cmp.Or(l.check(&place{key: "spec.template"}, template, aTemplate), l.check(&place{key: "spec.parameters"}, parameters, anything))
}

// body is the request's body. The template is sent as it is written, so that numbers stay exact.
func body(template string, parameters map[string]any, config map[string]any) ([]byte, error) {
	type properties struct {
		Template       json.RawMessage `json:"template"`
		Parameters     map[string]any  `json:"parameters"`
		ProviderConfig map[string]any  `json:"providerconfig"`
		Mode           string          `json:"mode"`
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Properties properties `json:"properties"`
		Tags       any        `json:"tags"`
	}{Properties: properties{json.RawMessage(template), parameters, config, "Incremental"}})
	return bytes.TrimSpace(b.Bytes()), err
}

// hash is a hash of canonical JSON: keys in order, numbers as they are written. The UID makes
// it useless for guessing values.
func hash(uid string, values ...any) (string, error) {
	h := sha256.New()
	io.WriteString(h, uid)
	for _, v := range values {
		text, err := json.Marshal(v)
		if err != nil {
			return "", err
		}
		h.Write([]byte{'\n'})
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// decode reads one JSON value. Numbers keep their text.
func decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("it is empty; want JSON")
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("it is not JSON: the text ends too early")
		}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			before := text[:min(int(syntax.Offset), len(text))]
			return nil, fmt.Errorf("it is not JSON: %s, in line %d", syntax.Error(), 1+bytes.Count(before, []byte("\n")))
		}
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("it is not JSON: there is more text after the value")
	}
	return v, nil
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case []any:
		return "an array"
	}
	return "an object"
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
