package command

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/scaffold"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
)

// clusters are the answers to the question which cluster it is.
var clusters = []struct{ target, what string }{
	{settings.RadiusTarget, "released Radius, 0.43 to 0.60"},
	{settings.DesignTarget, "the controller of this project"},
	{"", "neither, or it is not known yet"},
	{"aso", "one with Azure Service Operator, for resources of Azure"},
	{settings.CrossplaneTarget, "one with Crossplane or Cluster API"},
	{settings.KubernetesTarget, "any, with plain objects of the extension kubernetes"},
}

// placeOf returns where manifests are deployed to: as flags, the environment and the user's settings say,
// or else as the user answers, if there is one and mayAsk.
func (a *app) placeOf(c *cobra.Command, list []scaffold.Target, mayAsk bool) (p scaffold.Place, err error) {
	user, err := settings.ReadUser()
	if err != nil {
		return p, err
	}
	s, err := settings.Load(c.Flags(), settings.First, user, nil, settings.Caller{})
	if err != nil {
		return p, cli.FailWith(cli.ExitUsage, err)
	}
	given := func(key, value string) string {
		if s.Given(key) {
			return value
		}
		return ""
	}
	p.Target, p.Group = given(settings.KeyTarget, s.Target), s.Group
	p.Environment, p.Application = s.Environment, s.Application
	p.SubscriptionID, p.ResourceGroup, p.Location = s.SubscriptionID, s.ResourceGroup, s.Location
	if mayAsk && a.CanAsk() {
		q := &questions{app: a, command: c, place: &p}
		if err := q.ask(list, s.Given(settings.KeyTarget)); err != nil {
			return p, err
		}
	}
	if generate.KindOf(p.Target) != nil {
		if p.Group != "" && s.Changed(settings.KeyGroup) {
			return p, cli.Fail(cli.ExitUsage, "--group is about a DeploymentTemplate; it has no meaning with --target %s", p.Target)
		}
		p.Group = ""
		return p, checkAzure(p)
	}
	for key, value := range p.Azure() {
		if s.Changed(key) {
			return p, targets.NeedsTarget(settings.Of(key))
		}
		*value = ""
	}
	return p, checkPlace(p)
}

// checkAzure holds what a place says of Azure to what IDs take.
func checkAzure(p scaffold.Place) error {
	for key, value := range p.Azure() {
		if err := targets.CheckID("--"+settings.Of(key).Flag(), key, *value); err != nil {
			return cli.FailWith(cli.ExitUsage, err)
		}
	}
	return nil
}

// checkPlace holds a place to what manifests take.
func checkPlace(p scaffold.Place) error {
	o := manifest.Options{Name: "template", Target: manifest.Target(p.Target), Group: p.Group}
	if err := o.Check(); err != nil {
		return cli.Fail(cli.ExitUsage, "%w", cli.OptionError(err))
	}
	for _, one := range [][2]string{{settings.KeyEnvironment, p.Environment}, {settings.KeyApplication, p.Application}} {
		if one[1] != "" && !strings.HasPrefix(one[1], "/") && p.Group == "" {
			return cli.Fail(cli.ExitUsage, "--%s %s: a name is within a resource group; give the ID, or add --group", one[0], one[1])
		}
	}
	return nil
}

// questions asks what is not given.
type questions struct {
	*app
	command *cobra.Command
	place   *scaffold.Place
}

// question is one of them: what is asked, the answer that is usual, and where the answer goes.
type question struct {
	text, usual string
	field       *string
	wanted      bool
}

func (q *questions) ask(targets []scaffold.Target, targetGiven bool) error {
	p := q.place
	if !targetGiven {
		q.Tell("Which cluster are the manifests for?")
		for i, one := range clusters {
			q.Tell("  %d  %s", i+1, one.what)
		}
		answer, err := q.one("Cluster", "1", checkCluster)
		if err != nil {
			return err
		}
		p.Target = answer
	}
	switch {
	case p.Target == "", generate.KindOf(p.Target).OfAnyKind():
		return nil // there is nothing to ask for
	case generate.KindOf(p.Target) != nil:
		return q.each(checkAzure, []question{
			{"Subscription of Azure that they deploy to, by its ID; nothing to give it later", "", &p.SubscriptionID, true},
			{"Resource group of Azure; nothing to give it later", "", &p.ResourceGroup, true},
			{"Location, such as westeurope; nothing to give it later", "", &p.Location, true},
		})
	}
	return q.each(checkPlace, []question{
		{"Resource group of Radius that they deploy to", "default", &p.Group, true},
		{"Environment: its name in the group, or its ID", "default", &p.Environment, scaffold.Requires(targets, settings.KeyEnvironment)},
		{"Application: its name in the group, or its ID; nothing to give it later",
			"", &p.Application, scaffold.Requires(targets, settings.KeyApplication)},
	})
}

// each asks for what is wanted and not given.
func (q *questions) each(check func(scaffold.Place) error, list []question) error {
	p := q.place
	for _, question := range list {
		if *question.field != "" || !question.wanted {
			continue
		}
		answer, err := q.one(question.text, question.usual, func(answer string) (string, error) {
			trial := *p
			*question.field = answer
			err := check(*p)
			*p = trial
			return answer, err
		})
		if err != nil {
			return err
		}
		*question.field = answer
	}
	return nil
}

// one asks one question. The end of standard input is no answer, and nothing is written then.
func (q *questions) one(question, usual string, check func(string) (string, error)) (string, error) {
	answer, err := q.Ask(q.command.Context(), question, usual, check)
	if errors.Is(err, io.EOF) {
		return "", cli.Fail(cli.ExitUsage,
			"there is no answer, and nothing was written; flags such as --target and --group answer without a question")
	}
	return answer, err
}

// checkCluster takes the number or the name of a cluster.
func checkCluster(answer string) (string, error) {
	for i, one := range clusters {
		if answer == fmt.Sprint(i+1) || one.target != "" && strings.EqualFold(answer, one.target) {
			return one.target, nil
		}
	}
	if strings.EqualFold(answer, "neither") {
		return "", nil
	}
	return "", cli.Fail(cli.ExitUsage, "%q: want a number from 1 to %d", answer, len(clusters))
}
