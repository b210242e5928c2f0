// Package paramresolver gets this file from make recipes-oracle while Radius' own tests of it run: each case that they try
// becomes a line of a file.
package paramresolver

import (
	"encoding/json"
	"os"

	"github.com/radius-project/radius/pkg/recipes/recipecontext"
)

// ResolveParameterExpressions notes what the function of this name, which is called resolved then, makes of its arguments.
func ResolveParameterExpressions(params map[string]any, ctx *recipecontext.Context) map[string]any {
	result := resolved(params, ctx)
	line, err := json.Marshal(map[string]any{"parameters": params, "context": ctx, "result": result})
	if err != nil {
		panic(err)
	}
	file, err := os.OpenFile(os.Getenv("RECIPES_CASES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.Write(append(line, '\n')); err != nil {
		panic(err)
	}
	return result
}
