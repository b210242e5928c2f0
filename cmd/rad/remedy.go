package main

import (
	"errors"

	"github.com/radbicep/rad/pkg/manifest"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// optionPlace says where an option of a manifest was set that is wrong: in the settings, or
// else for the template.
func (g *generator) optionPlace(t *task, err error) string {
	var e *manifest.OptionError
	if !errors.As(err, &e) || t.listed != "" {
		return t.place()
	}
	key := map[manifest.Option]string{
		manifest.OptionNamespace: keyNamespace, manifest.OptionGroup: keyGroup,
		manifest.OptionAzureScope: keyAzureScope, manifest.OptionAWSScope: keyAWSScope,
	}[e.Option]
	if key == "" || !g.compile.given(key) || g.compile.flags.Changed(cli.Kebab(key)) {
		return t.arg
	}
	return g.compile.place(settingOf(generateSettings, key))
}
