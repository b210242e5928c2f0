package deployment

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func raw(j *apiextensionsv1.JSON) []byte {
	if j == nil {
		return nil
	}
	return j.Raw
}

// readField reads a field that is an object or the text of one. isText says which it is.
func readField(field []byte) (object map[string]any, isText bool, err error) {
	if len(field) == 0 || string(field) == "null" {
		return nil, false, nil
	}
	v, err := decode(field)
	if err != nil {
		return nil, false, err
	}
	if text, ok := v.(string); ok {
		if strings.TrimSpace(text) == "" {
			return nil, true, nil
		}
		if v, err = decode([]byte(text)); err != nil {
			return nil, true, err
		}
		isText = true
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, isText, fmt.Errorf("want an object or the JSON text of an object, got %s", kindOf(v))
	}
	return object, isText, nil
}

// readParameters gives the parameters as they are sent: objects with a value or a reference.
func readParameters(field []byte, doc *document) (map[string]any, error) {
	object, isText, err := readField(field)
	if err != nil {
		return nil, err
	}
	sent := make(map[string]any, len(object))
	if !isText {
		for _, name := range sortedKeys(object) {
			text, ok := object[name].(string)
			if !ok {
				return nil, fmt.Errorf("%s: a map of parameters holds strings, got %s; "+
					"write the parameters as JSON text to give other types", name, kindOf(object[name]))
			}
			value, err := doc.convert(name, text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			sent[name] = map[string]any{"value": value}
		}
		return sent, nil
	}
	// A whole parameter file is read too.
	if schema, ok := object["$schema"].(string); ok && strings.Contains(strings.ToLower(schema), "deploymentparameters") {
		inner, ok := object["parameters"].(map[string]any)
		if !ok {
			return nil, errors.New("the parameter file has no object called parameters")
		}
		object = inner
	}
	for _, name := range sortedKeys(object) {
		entry, ok := object[name].(map[string]any)
		if !ok {
			return nil, fmt.Errorf(`%s: want {"value": …}, got %s`, name, kindOf(object[name]))
		}
		_, hasValue := entry["value"]
		_, hasReference := entry["reference"]
		if !hasValue && !hasReference {
			return nil, fmt.Errorf(`%s: want {"value": …} or {"reference": …}`, name)
		}
		sent[name] = entry
	}
	return sent, nil
}

var integer = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

// convert gives a text the type that the template declares for the parameter.
func (d *document) convert(name, text string) (any, error) {
	declared := d.resolve(d.parameter(name))
	typ := strings.ToLower(stringOf(declared["type"]))
	trimmed := strings.TrimSpace(text)
	if nullable, _ := declared["nullable"].(bool); nullable && trimmed == "null" && typ != "string" && typ != "securestring" {
		return nil, nil
	}
	switch typ {
	case "int":
		if !integer.MatchString(trimmed) {
			return nil, errors.New("the template declares an int, and the text is not one")
		}
		return json.Number(trimmed), nil
	case "bool":
		switch strings.ToLower(trimmed) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, errors.New("the template declares a bool, and the text is neither true nor false")
	case "object", "secureobject":
		v, err := decode([]byte(text))
		if _, ok := v.(map[string]any); err != nil || !ok {
			return nil, errors.New("the template declares an object, and the text is not a JSON object")
		}
		return v, nil
	case "array":
		v, err := decode([]byte(text))
		if _, ok := v.([]any); err != nil || !ok {
			return nil, errors.New("the template declares an array, and the text is not a JSON array")
		}
		return v, nil
	}
	return text, nil
}

// leastInterval is the least time between two deployments of the same spec.
const leastInterval = time.Minute

func readInterval(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is no duration; want one such as 24h or 90m", text)
	case d < leastInterval:
		return 0, fmt.Errorf("%s is less than the least, %s", text, leastInterval)
	}
	return d, nil
}

// providers are the keys of a provider config.
var providers = []string{"radius", "deployments", "az", "aws"}

// providerConfig holds the scopes by provider.
type providerConfig struct{ entries map[string]any }

func readProviderConfig(field []byte) (providerConfig, error) {
	object, _, err := readField(field)
	if err != nil {
		return providerConfig{}, err
	}
	c := providerConfig{entries: make(map[string]any, len(object)+2)}
	for _, name := range sortedKeys(object) {
		if !slices.Contains(providers, name) {
			return c, fmt.Errorf("%q is not one of %s", name, strings.Join(providers, ", "))
		}
		entry, ok := object[name].(map[string]any)
		if !ok {
			return c, fmt.Errorf("%s: want an object with type and value, got %s", name, kindOf(object[name]))
		}
		value, ok := entry["value"].(map[string]any)
		if !ok {
			return c, fmt.Errorf("%s: it has no value with a scope", name)
		}
		scope, ok := value["scope"].(string)
		if !ok || strings.TrimSpace(scope) == "" {
			return c, fmt.Errorf("%s: its value has no scope", name)
		}
		// Radius reads names whatever their case, so that another spelling would count there and not here.
		for _, key := range sortedKeys(entry) {
			if key != "type" && key != "value" {
				return c, fmt.Errorf("%s: it holds %q; want only type and value", name, key)
			}
		}
		for _, key := range sortedKeys(value) {
			if key != "scope" {
				return c, fmt.Errorf("%s: its value holds %q; want only scope", name, key)
			}
		}
		c.entries[name] = entry
	}
	return c, nil
}

func (c providerConfig) scope(name string) string {
	entry, _ := c.entries[name].(map[string]any)
	value, _ := entry["value"].(map[string]any)
	return strings.TrimRight(stringOf(value["scope"]), "/")
}

func (c providerConfig) setScope(name, typ, scope string) {
	if _, ok := c.entries[name]; !ok {
		c.entries[name] = map[string]any{"type": typ, "value": map[string]any{"scope": scope}}
	}
}

// groups returns the resource groups of the deployment object and of Radius' resources. If the spec names only
// one, both are that; if it names none, both are the default. It adds what the spec leaves out.
func (c providerConfig) groups(otherwise string) (deployments, radius string) {
	radius = c.scope("radius")
	deployments = cmp.Or(c.scope("deployments"), radius, otherwise)
	radius = cmp.Or(radius, deployments)
	c.setScope("radius", "Radius", radius)
	c.setScope("deployments", "Microsoft.Resources", deployments)
	return deployments, radius
}

func stringOf(v any) string {
	s, _ := v.(string)
	return s
}
