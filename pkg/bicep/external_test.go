package bicep

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

func TestParseDiagnostic(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"/a/b.bicep(3,14) : Error BCP057: The name \"x\" does not exist. [https://aka.ms/x]": "/a/b.bicep|3|14|Error|BCP057|The name \"x\" does not exist.|https://aka.ms/x",
		"/a/b (1).bicep(3,14) : Warning no-unused-params: m":                                 "/a/b (1).bicep|3|14|Warning|no-unused-params|m|",
		"/a(1,2) : x/b.bicep(3,4) : Info BCP1: m : n":                                        "/a(1,2) : x/b.bicep|3|4|Info|BCP1|m : n|",
		`C:\a\b.bicep(3,4) : Error BCP1: m [not a link]`:                                     `C:\a\b.bicep|3|4|Error|BCP1|m [not a link]|`,
	} {
		f, ok := parseDiagnostic(line)
		got := f.Path + "|" + itoa(f.Start.Line) + "|" + itoa(f.Start.Column) + "|" + f.Severity.String() + "|" + f.Code + "|" + f.Message + "|" + f.URL
		if !ok || got != want {
			t.Errorf("%s: %v %s, want %s", line, ok, got, want)
		}
	}
	for _, line := range []string{"", "Build succeeded", "a(1) : Error X: m", "a(1,2) : Fatal X: m", "a(0,2) : Error X: m", "a(1,2) : Error X", "a(1,2): Error X: m", "(x,y) : Error X: m"} {
		if f, ok := parseDiagnostic(line); ok {
			t.Errorf("%q was taken for %+v", line, f)
		}
	}
	if f, _ := parseDiagnostic("a(1,2) : Error X: m"); f.Severity != diag.Error {
		t.Errorf("%+v", f)
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestStripEscapes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                      "plain",
		"\x1b[31mred\x1b[0m":         "red",
		"\x1b[1;31mx\x1b[mtail\x1b[": "xtail",
	} {
		if got := stripEscapes(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestVersionMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, prefix string
		want            bool
	}{
		{"0.46.1.21595", "0.46", true}, {"0.46.1", "0.46.1", true}, {"0.46.10", "0.46.1", false}, {"0.460.1", "0.46", false}, {"0.46.1", "v0.46", true}, {"", "0.46", false},
	} {
		if got := VersionMatches(c.version, c.prefix); got != c.want {
			t.Errorf("%s, %s: %v", c.version, c.prefix, got)
		}
	}
}

func TestNearestRadiusType(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Applications.Core/aplications@2023-10-01-preview": "Applications.Core/applications@2023-10-01-preview",
		"Applications.Core/container@2023-10-01-preview":   "Applications.Core/containers@2023-10-01-preview",
		"Aplications.Core/containers@2023-10-01-preview":   "Applications.Core/containers@2023-10-01-preview",
		"Applications.Core/containers@2022-01-01":          "Applications.Core/containers@2023-10-01-preview",
		"Applications.Mine/things@2024-01-01":              "",
		"Microsoft.Storage/storageAccounts@2023-01-01":     "",
		"": "",
	} {
		if got := NearestRadiusType(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
