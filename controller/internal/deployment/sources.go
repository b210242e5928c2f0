package deployment

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

// Value is the value of a parameter that spec.parametersFrom names.
type Value struct {
	Text string
	// Version is another one whenever Text is. It tells nothing of Text.
	Version string
	// Secret is true if the value is from a Secret.
	Secret bool
}

// Values are values by the names of the parameters, as spec.parametersFrom spells them.
type Values map[string]Value

// Versions are the versions of values.
func (v Values) Versions() map[string]string {
	versions := make(map[string]string, len(v))
	for name, value := range v {
		versions[name] = value.Version
	}
	return versions
}

// SourceError says what is wrong with what spec.parametersFrom refers to. It may pass without a change of the spec.
type SourceError struct{ Parameter, Problem string }

func (e *SourceError) Error() string { return "spec.parametersFrom: " + e.Parameter + ": " + e.Problem }

// addSources adds the values that spec.parametersFrom refers to.
func addSources(parameters map[string]any, from []v1alpha3.ParameterSource, values Values, doc *document) error {
	given := map[string]string{}
	for name := range parameters {
		given[strings.ToLower(name)] = "spec.parameters has it too"
	}
	for _, source := range from {
		wrong := func(problem string) error { return fmt.Errorf("spec.parametersFrom: %s: %s", source.Name, problem) }
		if problem := given[strings.ToLower(source.Name)]; problem != "" {
			return wrong(problem)
		}
		given[strings.ToLower(source.Name)] = "it is there twice"
		if (source.SecretKeyRef == nil) == (source.ConfigMapKeyRef == nil) {
			return wrong("want one of secretKeyRef and configMapKeyRef")
		}
		if doc.parameter(source.Name) == nil {
			return wrong("the template has no such parameter")
		}
		value, ok := values[source.Name]
		if !ok {
			continue
		}
		converted, err := doc.convert(source.Name, value.Text)
		if err != nil {
			return &SourceError{source.Name, err.Error()}
		}
		parameters[source.Name] = map[string]any{"value": converted}
	}
	return nil
}
