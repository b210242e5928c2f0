package main

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep"
)

// built is what the binary knows of its own making.
type built struct {
	version string // of the module: a tag, or what go makes of a commit
	commit  string // with "modified" after it if files were changed
	date    string // of the commit
}

// readBuilt reads the build's information. A program that `go install` built knows the
// module's version only, in which the commit may be.
func readBuilt(info *debug.BuildInfo) built {
	b := built{version: "(devel)"}
	if info == nil {
		return b
	}
	if info.Main.Version != "" {
		b.version = info.Main.Version
	}
	modified := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.time":
			b.date = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if b.commit == "" {
		b.commit, b.date = pseudoVersion(b.version)
	}
	if modified && b.commit != "" {
		b.commit += ", modified"
	}
	return b
}

var pseudo = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^v\d+\.\d+\.\d+-(?:.*\.)?(\d{14})-([0-9a-f]{12})(?:\+.*)?$`)
})

// pseudoVersion returns the commit and its time from a version that go made of them.
func pseudoVersion(version string) (commit, date string) {
	m := pseudo().FindStringSubmatch(version)
	if m == nil {
		return "", ""
	}
	t, err := time.Parse("20060102150405", m[1])
	if err != nil {
		return "", ""
	}
	return m[2], t.Format(time.RFC3339)
}

// version returns the version that the binary was built from.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return readBuilt(info).version
}

// bicepVersion answers `rad bicep --version` in the form in which the official
// compiler answers --version, for scripts that read it.
func bicepVersion() string {
	v := bicep.DefaultGeneratorVersion
	if i := strings.LastIndexByte(v, '.'); i >= 0 {
		v = v[:i]
	}
	return "Bicep CLI version " + v + " (rad)"
}

func newVersion(a *app) *cobra.Command {
	licence := false
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of rad, of the Bicep that it compiles and of Azure's types",
		Long: `Print the version of rad with the commit and the date that it was built from, the version
of the Bicep that it equals, which rad answers which commands, and which library of Azure's
resource types is in use: the one that the setting azTypes names, the one that is built in, or
the one that rad bicep types import az has put into the cache.`,
		Example: "  rad version",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if licence && !a.wantsJSON() {
				return a.printLicence(c)
			}
			info, _ := debug.ReadBuildInfo()
			b := readBuilt(info)
			if a.wantsJSON() {
				library, err := azTypesInUse(c)
				if err != nil {
					return err
				}
				r := versionResult{Version: b.version, Commit: b.commit, Date: b.date, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Bicep: bicep.DefaultGeneratorVersion}
				if library.Types > 0 {
					types := typesOf(library)
					r.AzureTypes = &types
				}
				if licence {
					if r.Licence, err = licenceOf(library); err != nil {
						return err
					}
				}
				a.result = r
				return nil
			}
			_, err := fmt.Fprintf(a.stdout, "rad    %s (%s, %s/%s)\ncommit %s\ndate   %s\nbicep  %s\n", b.version, runtime.Version(), runtime.GOOS, runtime.GOARCH,
				cmp.Or(b.commit, "unknown"), cmp.Or(b.date, "unknown"), bicep.DefaultGeneratorVersion)
			if err != nil {
				return failWith(exitIO, err)
			}
			library, err := azTypesInUse(c)
			if err != nil {
				return err
			}
			text := "none"
			if library.Types > 0 {
				text = fmt.Sprintf("%s (%s, %d resource types)", library.Source, library.Where, library.Types)
			}
			_, err = fmt.Fprintf(a.stdout, "azure  %s\n\n%s\n", text, whichIsWhich())
			return failWith(exitIO, err)
		},
	}
	c.Flags().BoolVar(&licence, "license", false, "print the licence of Azure's types instead")
	c.Flags().BoolVarP(&a.quiet, "quiet", "q", false, "print results and errors only")
	a.takesFormat(c, "text", "json")
	return c
}

// versionResult is the result of rad version.
type versionResult struct {
	Version    string      `json:"version" doc:"of rad"`
	Commit     string      `json:"commit,omitempty"`
	Date       string      `json:"date,omitempty" doc:"of the commit"`
	Go         string      `json:"go"`
	Platform   string      `json:"platform"`
	Bicep      string      `json:"bicep" doc:"version of the Bicep that is compiled"`
	AzureTypes *azureTypes `json:"azureTypes,omitempty" doc:"library of Azure's types that is in use"`
	Licence    string      `json:"licence,omitempty" doc:"with --license: of Azure's types"`
}

// azureTypes describes a library of Azure's types.
type azureTypes struct {
	Source string `json:"source"`
	Where  string `json:"where"`
	Types  int    `json:"types" doc:"how many resource types it holds"`
}

func typesOf(l bicep.AzTypes) azureTypes { return azureTypes{l.Source, l.Where, l.Types} }

// newBicepVersion returns `rad bicep version`, which answers as `rad bicep --version` does.
func newBicepVersion(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of Bicep that is compiled, as --version does",
		Example: "  rad bicep version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.wantsJSON() {
				a.result = bicepVersionResult{bicep.DefaultGeneratorVersion}
				return nil
			}
			_, err := fmt.Fprintln(a.stdout, bicepVersion())
			return failWith(exitIO, err)
		},
	}
	a.takesFormat(c, "text", "json")
	return c
}

// bicepVersionResult is the result of rad bicep version.
type bicepVersionResult struct {
	Bicep string `json:"bicep" doc:"version of the Bicep that is compiled"`
}

// azTypesInUse returns the library of Azure's types that is used in the working directory.
func azTypesInUse(c *cobra.Command) (bicep.AzTypes, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return bicep.AzTypes{}, failWith(exitIO, err)
	}
	s, _, _, err := settingsFor(c.Flags(), []setting{settingOf(compilerSettings, keyAzTypes)}, cwd)
	if err != nil {
		return bicep.AzTypes{}, failWith(exitUsage, err)
	}
	library, err := bicep.FindAzTypes(s.str(keyAzTypes))
	return library, failWith(exitIO, withRemedy(err))
}

// printLicence prints the licence of the types that are in use.
func (a *app) printLicence(c *cobra.Command) error {
	library, err := azTypesInUse(c)
	if err != nil {
		return err
	}
	text, err := licenceOf(library)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, text)
	return failWith(exitIO, err)
}

// licenceOf returns the licence of a library of types.
func licenceOf(library bicep.AzTypes) (string, error) {
	switch {
	case library.Types == 0:
		return "", fail(exitIO, "no library of Azure's types is in use")
	case library.Licence == "":
		return "", fail(exitIO, "the library of Azure's types was made without its licence, which is that of %s", library.Source)
	}
	return strings.TrimSpace(library.Licence), nil
}
