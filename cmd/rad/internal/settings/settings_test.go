package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

func TestUnknownVariables(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"RAD_BICEP_TRAGET":   `the environment's RAD_BICEP_TRAGET is not a setting; did you mean "RAD_BICEP_TARGET"?`,
		"RAD_BICEP_COMPILR":  `the environment's RAD_BICEP_COMPILR is not a setting; did you mean "RAD_BICEP_COMPILER"?`,
		"RAD_BICEP_XX":       `the environment's RAD_BICEP_XX is not a setting; unset it ('rad bicep schema settings' lists the settings)`,
		"RAD_BICEP_FOO":      `the environment's RAD_BICEP_FOO is not a setting; unset it ('rad bicep schema settings' lists the settings)`,
		"RAD_BICEP_PASSWORD": `the environment's RAD_BICEP_PASSWORD is not a setting; unset it ('rad bicep schema settings' lists the settings)`,
		"RAD_BICEP_":         `the environment's RAD_BICEP_ is not a setting; unset it ('rad bicep schema settings' lists the settings)`,
	} {
		require.EqualError(t, unknownVariables([]string{"PATH=/bin", "RAD_BICEP_TARGET=radius", CallerVariable + "=1", name + "=1"}), want)
	}
	require.NoError(t, unknownVariables([]string{"RAD_BICEP=/usr/bin/bicep", "RAD_BICEP_OUTDIR=out", "PATH"}))
}

// TestPrecedence gives each setting of a target one value in one place and another one in all places that count less.
func TestPrecedence(t *testing.T) {
	home, repo := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("AppData", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	user := userSettingsPath()
	write := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	places := []string{"user", "top", "target", "variable", "flag", "caller"}
	for _, one := range Listed.All() {
		mine, other := "mine", "other"
		if one.Enum != nil {
			mine, other = one.Enum[1], one.Enum[0]
		} else if one.Default == false {
			mine, other = "true", "false"
		}
		for at, place := range places {
			value := func(i int) string {
				switch {
				case i == at:
					return mine
				case i < at:
					return other
				}
				return ""
			}
			line := func(i int) string {
				if value(i) == "" {
					return "targets: []\n"
				}
				return fmt.Sprintf("%s: %s\n", one.Key, value(i))
			}
			write(user, line(0))
			write(filepath.Join(repo, FileName), line(1))
			t.Setenv(one.Env(), value(3))
			c := &cobra.Command{}
			AddFlags(&cli.App{}, c, Generate)
			if value(4) != "" {
				require.NoError(t, c.Flags().Set(one.Flag(), value(4)))
			}
			caller := Caller{Place: "APPLICATION", Adds: map[string]any{one.Key: "added"}}
			if value(5) != "" {
				caller.Asks.Values = map[string]any{one.Key: value(5)}
			}
			s, _, _, err := For(c.Flags(), Generate, repo, caller)
			require.NoError(t, err)
			var own Target
			if value(2) != "" {
				var v any = value(2)
				if one.Default == false {
					v = v == "true"
				}
				require.NoError(t, own.Read(map[string]any{"template": "a.bicep", one.Key: v}))
			}
			s, err = s.With(own.Layer, "targets[0]")
			require.NoError(t, err)
			assert.Equal(t, mine, s.Text(one.Key), "%s in %s", one.Key, place)
			assert.Equal(t, at > 2, s.Commanded(one.Key), "%s in %s", one.Key, place)
			assert.Contains(t, s.Where(one.Key), []string{"bicep.yaml:1: " + one.Key, "bicep.yaml:1: " + one.Key, "targets[0]", one.Env(), "--" + one.Flag(), "APPLICATION"}[at])
			assert.Len(t, s.Overrides(Listed), map[bool]int{true: 1}[at > 2], "%s in %s", one.Key, place)
		}
		t.Setenv(one.Env(), "")
	}
	write(user, "labels: {a: user, b: user, c: user, d: user, e: user}\n")
	write(filepath.Join(repo, FileName), "labels: {b: top, c: top, d: top, e: top}\n")
	c := &cobra.Command{}
	AddFlags(&cli.App{}, c, Generate)
	c.Flags().StringArray("label", nil, "")
	require.NoError(t, c.Flags().Set("label", "d=flag"))
	require.NoError(t, c.Flags().Set("label", "e=flag"))
	s, _, _, err := For(c.Flags(), Generate, repo, Caller{Asks: Layer{Labels: map[string]string{"e": "caller"}}})
	require.NoError(t, err)
	own, err := s.With(Layer{Labels: map[string]string{"c": "target", "d": "target", "e": "target"}}, "targets[0]")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a": "user", "b": "top", "c": "target", "d": "flag", "e": "caller"}, own.Labels)
	assert.Equal(t, "top", s.Labels["c"], "the settings of the run stay as they are")
}
