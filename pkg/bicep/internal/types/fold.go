package types

import (
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// callFunction evaluates an ARM function. It returns nil for functions that
// are not evaluated.
func callFunction(name string, args []armjson.Value) (armjson.Value, error) {
	if !eval.Known(name) {
		return nil, nil
	}
	return eval.Evaluate(name, args...)
}
