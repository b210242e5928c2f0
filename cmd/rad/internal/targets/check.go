package targets

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/manifest"
)

// Check refuses what flags, settings and listed targets say of manifests and of the
// deployment, if it is wrong whatever the templates are. Every command that has such flags
// calls it when it knows its targets, before it compiles one. So all of them refuse a mistake
// in the same words and with the same status. written says that manifests are: without one, none lacks a group.
func Check(list []*Target, written bool) error {
	var wrong []error
	add := func(err error) {
		same := func(e error) bool { return e.Error() == err.Error() }
		if !slices.ContainsFunc(wrong, same) { // a flag is wrong once, however many targets there are
			wrong = append(wrong, err)
		}
	}
	for _, t := range list {
		for _, err := range separate(t.check(written)) {
			add(t.OptionError(err))
		}
		for _, s := range settings.Context.All() {
			if err := CheckID("--"+s.Flag(), s.Key, t.Settings.Text(s.Key)); err != nil {
				add(err)
			}
		}
	}
	return cli.FailWith(cli.ExitUsage, errors.Join(wrong...))
}

// CheckFlags refuses flags of settings that are for some targets only, and those of recipes, that no target of a list has a use for.
func CheckFlags(flags *pflag.FlagSet, of []*settings.Setting, list []*Target) error {
	for _, s := range of {
		uses := func(t *Target) bool { return slices.Contains(s.Targets, t.Settings.Target) }
		if flags.Changed(s.Flag()) && !slices.ContainsFunc(list, uses) {
			return NeedsTarget(s)
		}
	}
	for _, name := range settings.RecipeFlags {
		if flags.Changed(name) && !slices.ContainsFunc(list, func(t *Target) bool { return t.Kind().OfAnyKind() }) {
			return cli.Fail(cli.ExitUsage, "--%s needs --target %s", name, settings.KubernetesTarget)
		}
	}
	return nil
}

// NeedsTarget refuses a setting that only some targets have.
func NeedsTarget(s *settings.Setting) error {
	names := make([]string, len(s.Targets))
	for i, name := range s.Targets {
		names[i] = "--target " + name
	}
	return cli.Fail(cli.ExitUsage, "--%s needs %s", s.Flag(), cli.OrList(names))
}

// CheckID refuses a value of a setting that cannot be part of an ID.
func CheckID(name, key, value string) error {
	switch {
	case strings.ContainsAny(value, "/\\ \t\r\n"):
		return fmt.Errorf("%s %q: want a name or an ID without slashes and blanks", name, value)
	case key == settings.KeySubscriptionID && value != "" && !isGUID(value):
		return fmt.Errorf("%s %q: the ID of a subscription is a GUID, such as 00000000-0000-0000-0000-000000000000", name, value)
	}
	return nil
}

func isGUID(s string) bool {
	ok, err := regexp.MatchString(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`, s)
	return ok && err == nil
}

// check holds the options of a target to what Kubernetes and Radius take.
func (t *Target) check(written bool) error {
	o := t.ManifestOptions()
	o.Name = cmp.Or(t.Name, "template") // the name of a template is known when it is compiled
	if t.Kind() != nil {
		o.Group, o.Target = "", manifest.Design // no object has a group
	}
	if !written {
		o.Target = manifest.Design
	}
	return o.Check()
}

// separate returns the errors that were joined.
func separate(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return nil
	case !ok:
		return []error{err}
	}
	var list []error
	for _, e := range joined.Unwrap() {
		list = append(list, separate(e)...)
	}
	return list
}
