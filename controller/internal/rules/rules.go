// Package rules reads checks of resources from a file, so that they need no program of their own.
package rules

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/controller/check"
)

// rule is a check in a file: expr is true of a resource that is as it should be.
type rule struct {
	Type     string `json:"type"`
	Expr     string `json:"expr"`
	Reason   string `json:"reason"`
	Message  string `json:"message"`
	Severity string `json:"severity"`

	program  cel.Program
	severity check.Severity
}

const (
	// maxCost bounds one evaluation, in the units of CEL.
	maxCost = 100_000
	// checkEvery is how many steps of a loop may pass before it is seen that the time is over.
	checkEvery = 100
	maxFile    = 1 << 20
)

var (
	resourceType = regexp.MustCompile(`^(\*|[A-Za-z][\w.]*(/[A-Za-z][\w.]*)+)$`)
	reason       = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	severities   = map[string]check.Severity{"": check.Warning, "Info": check.Info, "Warning": check.Warning, "Error": check.Error}
)

// Add adds the checks of a file to a registry.
func Add(registry *check.Registry, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	list, err := read(text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, r := range list {
		registry.Add(r.Type, r)
	}
	return nil
}

func read(text []byte) ([]*rule, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("it is larger than %d bytes", maxFile)
	}
	var list []*rule
	if err := yaml.UnmarshalStrict(text, &list); err != nil {
		return nil, fmt.Errorf("want a list of checks, each with type, expr, reason, message and severity: %w", err)
	}
	env, err := cel.NewEnv(cel.Variable("resource", cel.MapType(cel.StringType, cel.DynType)), cel.OptionalTypes(),
		cel.CrossTypeNumericComparisons(true))
	if err != nil {
		return nil, err
	}
	for i, r := range list {
		if r == nil {
			return nil, fmt.Errorf("check %d: it is empty", i+1)
		}
		if err := r.compile(env); err != nil {
			return nil, fmt.Errorf("check %d, of %q: %w", i+1, r.Type, err)
		}
	}
	return list, nil
}

func (r *rule) compile(env *cel.Env) error {
	severity, known := severities[r.Severity]
	switch {
	case !resourceType.MatchString(r.Type):
		return fmt.Errorf("type: want the type of a resource, such as Applications.Core/gateways, or *")
	case !reason.MatchString(r.Reason):
		return fmt.Errorf("reason: %q is not a word such as NotReachable", r.Reason)
	case strings.TrimSpace(r.Message) == "":
		return fmt.Errorf("message: it is missing; it says what is wrong where expr is false")
	case !known:
		return fmt.Errorf("severity: %q is none of Info, Warning and Error", r.Severity)
	}
	r.severity = severity
	ast, issues := env.Compile(r.Expr)
	if issues.Err() != nil {
		return fmt.Errorf("expr: %w", issues.Err())
	}
	if t := ast.OutputType(); !t.IsExactType(cel.BoolType) && !t.IsExactType(cel.DynType) {
		return fmt.Errorf("expr: it gives %s, and not true or false", t)
	}
	var err error
	r.program, err = env.Program(ast, cel.CostLimit(maxCost), cel.InterruptCheckFrequency(checkEvery))
	return err
}

// why is what CEL says, unless it may quote a value.
func why(err error) string {
	text := err.Error()
	for _, harmless := range []string{"no such ", "operation cancelled", "operation interrupted"} {
		if strings.HasPrefix(text, harmless) {
			return text
		}
	}
	return "its expression fails for this resource"
}

// Check evaluates the expression for a resource that can be read.
func (r *rule) Check(ctx context.Context, in check.Input, next check.Next) (check.Result, error) {
	if !in.Resource.Readable || !in.Resource.Exists {
		return next(ctx, in)
	}
	var body map[string]any
	decoder := json.NewDecoder(bytes.NewReader(in.Resource.Body))
	if err := decoder.Decode(&body); err != nil {
		return check.Result{}, fmt.Errorf("%s: the answer is not JSON: %w", in.Resource.ID, err)
	}
	value, _, err := r.program.ContextEval(ctx, map[string]any{"resource": body})
	if err != nil {
		return check.Result{}, fmt.Errorf("%s: the check %s could not be made: %s", in.Resource.ID, r.Reason, why(err))
	}
	switch value {
	case types.True:
		return next(ctx, in)
	case types.False:
		return check.Failure(r.Reason, in.Resource.ID+": "+r.Message).WithSeverity(r.severity), nil
	}
	return check.Result{}, fmt.Errorf("%s: the check %s gives %s, and not true or false", in.Resource.ID, r.Reason, value.Type().TypeName())
}
