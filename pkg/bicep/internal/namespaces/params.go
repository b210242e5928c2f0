package namespaces

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// paramsFunctions are those that only parameter files have.
func (t *table) paramsFunctions(on features, env Environment) {
	str := types.TString
	if on.deployCommands {
		for _, f := range [...][3]string{{"readEnvVar", "variableName", "sys.envVar"}, {"readCliArg", "argumentName", "sys.cliArg"}} {
			o := t.add(f[0], str, constant(req(f[1], str))).flags(types.RequiresExternalInput)
			o.Evaluator, o.EvaluatorArg = types.EvaluateExternalInput, f[2]
		}
	} else {
		t.add(readsEnvironment, str, req("variableName", str), opt("default", str)).
			flags(types.GenerateIntermediateVariableAlways).
			result(func(ctx types.CallContext, args []types.Type) types.FunctionResult {
				return readEnvironment(ctx, args, env)
			})
	}
	t.add("externalInput", types.TAny, constant(req("name", str)), constant(opt("config", types.TAny))).
		flags(types.RequiresExternalInput).Evaluator = types.EvaluateExternalInput
}

// hideNames makes anything of what functions read whose names may come from a hidden environment.
func (t *table) hideNames() {
	for _, o := range t.list {
		read := o.Result
		if read == nil || o.Name != readsEnvironment && !strings.HasPrefix(o.Name, "load") {
			continue
		}
		o.Result = func(ctx types.CallContext, args []types.Type) types.FunctionResult {
			for _, a := range args {
				if _, ok := literal(a); !ok {
					if f := fileOf(ctx); f.Lenient() && o.Name != readsEnvironment {
						f.Missing(ctx.Args()[0].Span(), diag.BCP032.With())
					}
					return types.FunctionResult{Type: types.TAny}
				}
			}
			return read(ctx, args)
		}
	}
}

const readsEnvironment = "readEnvironmentVariable"

func readEnvironment(ctx types.CallContext, args []types.Type, env Environment) types.FunctionResult {
	name, problem := argument(ctx, args, 0)
	if problem != nil {
		return failed(*problem)
	}
	if value, ok := env.Lookup(name); ok {
		if _, ok := env.(hidden); ok {
			return types.FunctionResult{Type: types.TAny}
		}
		return stringResult(value)
	}
	if len(args) == 2 {
		if value, ok := literal(args[1]); ok {
			return stringResult(value)
		}
	}
	hint := env.Hint(name)
	if hint != "" {
		hint = " " + hint
	}
	return failed(diag.BCP427.At(ctx.Args()[0].Span(), name, hint))
}
