package cli

import (
	"runtime/debug"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/bicep"
)

// built is what the binary knows of its own making.
type built struct {
	Version string // of the module: a tag, or what go makes of a commit
	Commit  string // with "modified" after it if files were changed
	Date    string // of the commit
}

// ReadBuilt reads the build's information. A program that `go install` built knows the
// module's version only, in which the commit may be.
func ReadBuilt(info *debug.BuildInfo) built {
	b := built{Version: "(devel)"}
	if info == nil {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	modified := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if b.Commit == "" {
		b.Commit, b.Date = pseudoVersion(b.Version)
	}
	if modified && b.Commit != "" {
		b.Commit += ", modified"
	}
	return b
}

// pseudoVersion returns the commit and its time from a version that go made of them: v1.2.4-0.20260102030405-0123456789ab.
func pseudoVersion(version string) (commit, date string) {
	version, _, _ = strings.Cut(version, "+")
	parts := strings.Split(version, "-")
	if len(parts) < 3 {
		return "", ""
	}
	commit = parts[len(parts)-1]
	stamp := parts[len(parts)-2]
	stamp = stamp[strings.LastIndexByte(stamp, '.')+1:]
	t, err := time.Parse("20060102150405", stamp)
	if err != nil || len(commit) != 12 {
		return "", ""
	}
	return commit, t.Format(time.RFC3339)
}

// Version returns the version that the binary was built from.
func Version() string {
	info, _ := debug.ReadBuildInfo()
	return ReadBuilt(info).Version
}

// BicepVersion answers `rad bicep --version` in the form in which the official
// compiler answers --version, for scripts that read it.
func BicepVersion() string {
	v := bicep.DefaultGeneratorVersion
	if i := strings.LastIndexByte(v, '.'); i >= 0 {
		v = v[:i]
	}
	return "Bicep CLI version " + v + " (rad)"
}
