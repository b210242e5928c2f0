package main

import (
	"errors"

	"github.com/radbicep/rad/pkg/manifest"

	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// optionPlace says where an option of a manifest was set that is wrong: in the settings, or
// else for the template.
func (g *generator) optionPlace(t *task, err error) string {
	var e *manifest.OptionError
	if !errors.As(err, &e) || t.listed != "" {
		return t.place()
	}
	key := map[manifest.Option]string{
		manifest.OptionNamespace: settings.KeyNamespace, manifest.OptionGroup: settings.KeyGroup,
		manifest.OptionAzureScope: settings.KeyAzureScope, manifest.OptionAWSScope: settings.KeyAWSScope,
	}[e.Option]
	if key == "" || !g.compile.Given(key) || g.compile.Changed(key) {
		return t.arg
	}
	return g.compile.Where(key)
}
