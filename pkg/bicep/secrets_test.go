package bicep_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestSecretsAreHidden: what is found about the value of a secure parameter does
// not hold the value, wherever it was given.
func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	const template = `@secure()
param secret string
@secure()
param both { pin: string, word: int }
param input resourceInput<'Microsoft.KeyVault/vaults/secrets@2023-07-01'>.properties
param open int
`
	const wrong = "secret = 1234567\nparam both = { pin: 1234567, word: 'it\\'s hunter2' }\nparam input = 'hunter2'\nparam open = 'shown'\n"
	utf16LE := func(s string) []byte {
		out := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(s)) {
			out = append(out, byte(u), byte(u>>8))
		}
		return out
	}
	for name, test := range map[string]struct {
		text      []byte
		overrides string
	}{
		"in the file":     {text: []byte("using 'main.bicep'\nparam " + wrong)},
		"in UTF-16":       {text: utf16LE("using 'main.bicep'\nparam " + wrong)},
		"in an extension": {text: []byte("using 'main.bicep'\nextends 'base.bicepparam'\n")},
		"in overrides": {
			text:      []byte("using 'main.bicep'\n"),
			overrides: `{"secret": 1234567, "both": {"pin": 1234567, "word": "it's hunter2"}, "input": "hunter2", "open": "shown"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string][]byte{
				"main.bicep": []byte(template), "p.bicepparam": test.text, "base.bicepparam": []byte("using none\nparam " + wrong),
			} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
			}
			r, err := bicep.Embedded{}.BuildParams(context.Background(), bicep.Request{FS: source.Disk{}, File: filepath.Join(dir, "p.bicepparam"), Overrides: test.overrides})
			require.NoError(t, err)
			shown := false
			for _, f := range r.Findings {
				require.NotContains(t, f.Message+f.Line, "hunter", "line %d: %s\n%s", f.Start.Line, f.Message, f.Line)
				require.NotContains(t, f.Message+f.Line, "1234", "line %d: %s\n%s", f.Start.Line, f.Message, f.Line)
				shown = shown || strings.Contains(f.Message, "'shown'")
			}
			if !shown && name != "in an extension" { // whose places are another file's
				t.Errorf("a value that is not secret is hidden too: %v", r.Findings)
			}
		})
	}
}
