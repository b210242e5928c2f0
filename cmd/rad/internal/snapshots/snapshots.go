// Package snapshots takes the snapshot of what a parameter file and its template would deploy.
package snapshots

import (
	"context"
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

// Take compiles and expands a parameter file. For messages and differences it returns what
// hides values of secure parameters and of the environment in them. flags are those of the command: messages name
// the one that a fact of the deployment comes from.
func Take(ctx context.Context, flags *pflag.FlagSet, options *project.Project, reporter *cli.Reporter, input string) (*snapshot.Snapshot, *snapshot.Hider, error) {
	request := options.Request(input)
	env := &notedEnvironment{Environment: request.Env}
	request.Env = env
	result, err := options.Compiler.BuildParams(ctx, request)
	if err != nil {
		return nil, nil, err
	}
	switch failed, err := reporter.Take(result); {
	case err != nil:
		return nil, nil, err
	case failed:
		return nil, nil, cli.Silent(cli.ExitSource)
	}
	if result.Template == nil {
		return nil, nil, cli.Fail(cli.ExitSource, "%s: it uses no template that can be expanded", input)
	}
	template, err := result.TemplateTree()
	if err != nil {
		return nil, nil, cli.Fail(cli.ExitSource, "%s: its template is not a JSON object", input)
	}
	var x expand.Context
	for key, to := range targets.ContextFields(&x) {
		*to = options.Text(key)
	}
	if err := targets.CheckContext(x, template, targets.ChangedFlag(flags)); err != nil {
		return nil, nil, cli.FailWith(cli.ExitUsage, err)
	}
	if err := targets.CheckID(settings.Of(settings.KeySubscriptionID), x.SubscriptionID); err != nil {
		return nil, nil, cli.FailWith(cli.ExitUsage, err)
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
		expansion, err := expand.Expand(template, expand.Options{Parameters: parameters, Context: x, Official: true, ForWriting: forWriting, Run: expand.RunOf(ctx)})
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
