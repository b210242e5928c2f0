package types

import "github.com/radbicep/rad/pkg/armjson"

// callFunction evaluates an ARM function. It returns nil for functions that
// are not evaluated.
func callFunction(name string, args []armjson.Value) (armjson.Value, error) {
	return nil, nil
}
