// Package snapshots takes the snapshot of what a parameter file and its template would deploy.
package snapshots

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/snapshot"
)

// notedEnvironment notes the values of the variables that are read.
type notedEnvironment struct {
	bicep.Environment
	mu     sync.Mutex
	values []string
}

func (e *notedEnvironment) Lookup(name string) (string, bool) {
	v, ok := e.Environment.Lookup(name)
	if ok {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.values = append(e.values, v)
	}
	return v, ok
}

// Known is what is known of the deployment.
type Known struct {
	Context expand.Context
	Named   func(key string) (name string, counts bool) // what counts is refused if the template's scope has no place for it
	Inputs  []Input
}

// Input is the value of an external input: of externalInput(Kind, Config). Without a Config it is null.
type Input struct {
	Kind          string
	Config, Value json.RawMessage
}

// FromSettings returns what settings and flags say. Messages name the flag that a fact of the deployment comes from.
func FromSettings(flags *pflag.FlagSet, options *project.Project) Known {
	k := Known{Named: targets.Flag(flags)}
	for key, to := range targets.ContextFields(&k.Context) {
		*to = options.Text(key)
	}
	return k
}

// Take compiles and expands a parameter file. compiled is told what the compiler found. For messages and differences
// Take returns what hides values of secure parameters and of the environment in them.
func Take(ctx context.Context, options *project.Project, input string,
	known Known, compiled func(*bicep.Result) error) (*snapshot.Snapshot, *snapshot.Hider, error) {
	request := options.Request(options.Base, input)
	env := &notedEnvironment{Environment: request.Env}
	request.Env = env
	result, err := options.Compiler.BuildParams(ctx, request)
	if err != nil {
		return nil, nil, err
	}
	if err := compiled(result); err != nil {
		return nil, nil, err
	}
	if result.Template == nil {
		return nil, nil, cli.Fail(cli.ExitSource, "%s: it uses no template that can be expanded", input)
	}
	template, err := result.TemplateTree()
	if err != nil {
		return nil, nil, cli.Fail(cli.ExitSource, "%s: its template is not a JSON object", input)
	}
	if err := targets.CheckContext(known.Context, template, known.Named); err != nil {
		return nil, nil, cli.FailWith(cli.ExitUsage, err)
	}
	subscription, _ := known.Named(settings.KeySubscriptionID)
	if err := targets.CheckID(subscription, settings.KeySubscriptionID, known.Context.SubscriptionID); err != nil {
		return nil, nil, cli.FailWith(cli.ExitUsage, err)
	}
	inputs, err := inputsOf(result.Parameters, known.Inputs)
	if err != nil {
		return nil, nil, err
	}
	expand := func(forWriting bool) (*snapshot.Snapshot, error) {
		parameters := map[string]expand.Parameter{}
		for _, one := range result.Assigned {
			p := expand.Parameter{Value: one.Value, Expression: one.Expression, Mark: one.Mark}
			if one.Reference != nil {
				p.Reference = one.Reference
			}
			parameters[one.Name] = p
		}
		expansion, err := expand.Expand(template, expand.Options{Parameters: parameters,
			Context: known.Context, Inputs: inputs, Official: true, ForWriting: forWriting, Run: expand.RunOf(ctx)})
		if err != nil {
			return nil, err
		}
		return snapshot.New(expansion), nil
	}
	// Messages are those of the expansion in which the environment is secret, too.
	const incomplete = "Template snapshotting could not be completed for the following reason: '%s'."
	marked, hidden := expand(false)
	now, err := marked, hidden
	if slices.ContainsFunc(result.Assigned, func(a bicep.Assigned) bool { return !a.Mark.Shown() && a.Mark.Written() }) {
		now, err = expand(true)
	}
	switch {
	case err != nil && hidden != nil:
		return nil, nil, cli.Fail(cli.ExitSource, incomplete, officialReason(hidden))
	case err != nil:
		return nil, nil, cli.Fail(cli.ExitSource, incomplete, "a value of the environment does not fit")
	case hidden != nil: // as where the environment says how often a loop runs
		marked = &snapshot.Snapshot{}
	}
	values := env.values
	for _, one := range result.Assigned {
		if s, ok := one.Value.(armjson.String); ok && !one.Mark.Written() {
			values = append(values, string(s))
		}
	}
	return now, snapshot.NewHider(now, marked, values), nil
}

// inputsOf returns the values of external inputs by the names that parameters have for them.
func inputsOf(parameters []byte, given []Input) (map[string]armjson.Value, error) {
	inputs := map[string]armjson.Value{}
	file, err := armjson.ParseBytes(parameters, armjson.Options{})
	if err != nil {
		return nil, err
	}
	root, _ := file.(*armjson.Object)
	for _, g := range given {
		config, err := armjson.Parse(cmp.Or(string(g.Config), "null"), armjson.Options{})
		value, err2 := armjson.ParseBytes(g.Value, armjson.Options{})
		if err = cmp.Or(err, err2); err != nil {
			return nil, fmt.Errorf("external input %s: its value: %w", g.Kind, err)
		}
		for name, definition := range root.Object("externalInputDefinitions").All() {
			d, _ := definition.(*armjson.Object)
			of, ok := d.Get("config")
			if !ok {
				of = armjson.Null{}
			}
			if d.Str("kind") == g.Kind && armjson.Equal(of, config) {
				inputs[name] = value
			}
		}
	}
	return inputs, nil
}

// officialReason words an error of an expansion as the deployment engine does.
func officialReason(err error) string {
	var e *expand.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	kind := e.Kind
	if kind == "module" {
		kind = "resource"
	}
	return fmt.Sprintf("The template %s '%s' is not valid: %s.", kind, e.Name, strings.TrimSuffix(expand.Reason(e.Err), "."))
}
