package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Whatever a configuration file holds, there is a configuration in the end: its
// own, or the built-in one with a problem to report.
func FuzzLoad(f *testing.F) {
	f.Add(`{"extends": "b.json", "experimentalFeaturesEnabled": {"patch": true}}`, `{"extensions": {"x": "./x.tgz"}}`)
	f.Add(`{"moduleAliases": {"br": {"x": {"registry": "r", "modulePath": null}}}, "moduleAliasesMock": {"br": {"x": {}}}}`, ``)
	f.Add(`{"analyzers": {"core": {"rules": {"a": {"level": "off"}}}}, "cloud": null}`, `[]`)
	f.Add(`{"extends": "bicepconfig.json"}`, `{`)
	f.Fuzz(func(t *testing.T, leaf, base string) {
		c := config.NewLoader(source.Memory{"/p/bicepconfig.json": leaf, "/p/b.json": base}).For("/p/main.bicep")
		if len(c.Problems) > 0 {
			if c.Path != "" {
				t.Errorf("a configuration with problems is in force: %s", c.Problems[0].Message())
			}
			c.Problems[0].Message()
		}
		assert.True(t, c.IsBuiltIn("sys"), "sys is gone")
		c.Analyzers.Level("a")
		c.OCIAlias("x")
		c.MockedAlias("x")
		c.TemplateSpecAlias("x")
		c.Extension("x")
	})
}
