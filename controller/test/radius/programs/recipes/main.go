// The command answers what Radius' own functions make of recipes: it reads a question of JSON from each line of standard
// input, and writes the answer as a line. The tests of package recipes of the root module compare theirs with it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/radius-project/radius/pkg/corerp/datamodel"
	"github.com/radius-project/radius/pkg/dynamicrp/backend/secret"
	"github.com/radius-project/radius/pkg/recipes"
	"github.com/radius-project/radius/pkg/recipes/paramresolver"
	"github.com/radius-project/radius/pkg/recipes/recipecontext"
	"github.com/radius-project/radius/pkg/schema"
	"github.com/radius-project/radius/pkg/ucp/resources"
)

// question is what is asked. Op says which of the others count.
type question struct {
	Op                                            string
	Schema, Properties, Parameters                map[string]any
	Resource, Application, Environment, Namespace string
	Azure, AWS                                    string // scopes
	Connections                                   map[string]recipes.ConnectedResource
	Value                                         any
}

// answer is the result of a function, or its error.
type answer struct {
	Result any    `json:"result"`
	Error  string `json:"error,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(os.Stdout)
	for decoder.More() {
		var q question
		if err := decoder.Decode(&q); err != nil {
			log.Fatal(err)
		}
		var a answer
		var err error
		if a.Result, err = q.answer(); err != nil {
			a.Error = err.Error()
		}
		if err := encoder.Encode(a); err != nil {
			log.Fatal(err)
		}
	}
}

func (q *question) answer() (any, error) {
	switch q.Op {
	case "context":
		return q.context()
	case "parameters":
		made, err := q.context()
		if err != nil {
			return nil, err
		}
		return paramresolver.ResolveParameterExpressions(q.Parameters, made), nil
	case "defaults":
		schema.ApplyDefaults(q.Properties, q.Schema)
		return q.Properties, nil
	case "validate":
		return nil, schema.ValidateResourceAgainstSchema(context.Background(), map[string]any{"properties": q.Properties}, q.Schema)
	case "sensitive":
		paths := schema.ExtractSensitiveFieldPaths(q.Schema, "")
		slices.Sort(paths)
		return paths, nil
	case "redacted":
		schema.RedactFields(q.Properties, schema.ExtractSensitiveFieldPaths(q.Schema, ""))
		return q.Properties, nil
	case "secrets":
		return schema.HasSecretsBlock(q.Schema), nil
	case "name":
		id, err := resources.ParseResource(q.Resource)
		if err != nil {
			return nil, err
		}
		return secret.ManagedSecretName(id), nil
	case "text":
		return fmt.Sprintf("%v", q.Value), nil
	}
	return nil, fmt.Errorf("there is no question %q", q.Op)
}

// context makes a context as the driver of Bicep recipes does.
func (q *question) context() (*recipecontext.Context, error) {
	made, err := recipecontext.New(&recipes.ResourceMetadata{
		ResourceID: q.Resource, ApplicationID: q.Application, EnvironmentID: q.Environment, Properties: q.Properties,
	}, &recipes.Configuration{
		Runtime: recipes.RuntimeConfiguration{
			Kubernetes: &recipes.KubernetesRuntime{Namespace: q.Namespace, EnvironmentNamespace: q.Namespace},
		},
		Providers: datamodel.Providers{
			Azure: datamodel.ProvidersAzure{Scope: q.Azure}, AWS: datamodel.ProvidersAWS{Scope: q.AWS},
		},
	})
	if err == nil {
		made.Resource.Connections = q.Connections
	}
	return made, err
}
