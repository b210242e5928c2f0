package command

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/report"
)

func newVersion(a *app) *cobra.Command {
	licence := false
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of rad, of the Bicep that it compiles, and of the types of Radius and Azure",
		Long: `Print the version of rad with the commit and the date that it was built from, the version
of the Bicep that it equals and those that --bicep-version may name, the release of Radius whose resource types are built in,
which rad answers which commands, and which library of Azure's resource types is in use: the one that the setting azTypes names, the one that is built in, or
the one that rad bicep types import az has put into the cache.`,
		Example: "  rad version",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if licence && !a.WantsJSON() {
				return a.printLicence(c)
			}
			info, _ := debug.ReadBuildInfo()
			b := cli.ReadBuilt(info)
			if a.WantsJSON() {
				library, _, err := azTypesInUse(c)
				if err != nil {
					return err
				}
				r := versionResult{Version: b.Version, Commit: b.Commit, Date: b.Date, Go: runtime.Version(), Platform: runtime.GOOS + "/" +
					runtime.GOARCH, Bicep: bicep.DefaultGeneratorVersion, Releases: bicep.Releases(), RadiusTypes: bicep.RadiusRelease,
					RadiusReleases: bicep.RadiusReleases()}
				if library.Types > 0 {
					types := typesOf(library)
					r.AzureTypes = &types
				}
				if licence {
					if r.Licence, err = licenceOf(library); err != nil {
						return err
					}
				}
				a.Result = r
				return nil
			}
			err := cli.Page(a.Stdout, fmt.Sprintf("rad    %s (%s, %s/%s)\ncommit %s\ndate   %s\n"+
				"bicep  %s\nalso   %s, with --bicep-version\nradius %s, whose types are built in\nalso   %s, with --radius-version\n",
				b.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, cmp.Or(b.Commit, "unknown"), cmp.Or(b.Date, "unknown"),
				bicep.DefaultGeneratorVersion, strings.Join(bicep.Releases()[1:], ", "), bicep.RadiusRelease,
				strings.Join(bicep.RadiusReleases()[1:], ", ")))
			if err != nil {
				return err
			}
			text, missing, err := azTypesText(c)
			if err != nil {
				return err
			}
			text = "azure  " + report.Visible(text) + "\n"
			if missing {
				text += "       " + cli.ImportAzTypes + "\n"
			}
			if err := cli.Page(a.Stdout, text); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "\n%s\n", cli.WhichIsWhich())
			return cli.FailWith(cli.ExitIO, err)
		},
	}
	c.Flags().BoolVar(&licence, "license", false, "print the licence of Azure's types instead")
	c.Flags().BoolVarP(&a.Quiet, "quiet", "q", false, "print results and errors only")
	a.TakesFormat(c, "text", "json")
	return c
}

// versionResult is the result of rad version.
type versionResult struct {
	Version        string      `json:"version" doc:"of rad"`
	Commit         string      `json:"commit,omitempty"`
	Date           string      `json:"date,omitempty" doc:"of the commit"`
	Go             string      `json:"go"`
	Platform       string      `json:"platform"`
	Bicep          string      `json:"bicep" doc:"version of the Bicep that is compiled"`
	Releases       []string    `json:"releases" doc:"of Bicep that --bicep-version may name, newest first"`
	RadiusTypes    string      `json:"radiusTypes" doc:"newest release of Radius whose resource types are built in"`
	RadiusReleases []string    `json:"radiusReleases" doc:"of Radius whose resource types are built in, newest first"`
	AzureTypes     *azureTypes `json:"azureTypes,omitempty" doc:"library of Azure's types that is in use"`
	Licence        string      `json:"licence,omitempty" doc:"with --license: of Azure's types"`
}

// azureTypes describes a library of Azure's types.
type azureTypes struct {
	Source string `json:"source"`
	Where  string `json:"where"`
	Types  int    `json:"types" doc:"how many resource types it holds"`
}

func typesOf(l artifacts.AzTypes) azureTypes { return azureTypes{l.Source, l.Where, l.Types} }

// newBicepVersion returns `rad bicep version`, which answers as `rad bicep --version` does.
func newBicepVersion(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of Bicep that is compiled, as --version does",
		Example: "  rad bicep version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.WantsJSON() {
				a.Result = bicepVersionResult{bicep.DefaultGeneratorVersion}
				return nil
			}
			_, err := fmt.Fprintln(a.Stdout, cli.BicepVersion())
			return cli.FailWith(cli.ExitIO, err)
		},
	}
	a.TakesFormat(c, "text", "json")
	return c
}

// bicepVersionResult is the result of rad bicep version.
type bicepVersionResult struct {
	Bicep string `json:"bicep" doc:"version of the Bicep that is compiled"`
}

// azTypesText says which library of Azure's types is used. missing says that there is none, and that nobody
// wants it so.
func azTypesText(c *cobra.Command) (text string, missing bool, err error) {
	library, off, err := azTypesInUse(c)
	switch {
	case err != nil:
		return "", false, err
	case library.Types > 0:
		return fmt.Sprintf("%s (%s, %d resource types)", library.Source, library.Where, library.Types), false, nil
	case off:
		return "none, as azTypes says", false, nil
	}
	return "none: the bodies of Azure's resources are not checked. This brings the types, once:", true, nil
}

// azTypesInUse returns the library of Azure's types that is used in the working directory. off says that the
// settings ask for none.
func azTypesInUse(c *cobra.Command) (library artifacts.AzTypes, off bool, err error) {
	cwd, err := os.Getwd()
	if err != nil {
		return library, false, cli.FailWith(cli.ExitIO, err)
	}
	s, _, _, err := settings.For(c.Flags(), settings.AzTypes, cwd, settings.Caller{})
	if err != nil {
		return library, false, cli.FailWith(cli.ExitUsage, err)
	}
	library, err = artifacts.FindAzTypes(s.AzTypes)
	return library, s.AzTypes == bicep.NoAzTypes, cli.FailWith(cli.ExitIO, err)
}

// printLicence prints the licence of the types that are in use.
func (a *app) printLicence(c *cobra.Command) error {
	library, _, err := azTypesInUse(c)
	if err != nil {
		return err
	}
	text, err := licenceOf(library)
	if err != nil {
		return err
	}
	// A repository may name a library of its own.
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if _, err := fmt.Fprint(a.Stdout, report.Lines(cli.ShowControls(line)+"\n")); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	return nil
}

// licenceOf returns the licence of a library of types.
func licenceOf(library artifacts.AzTypes) (string, error) {
	switch {
	case library.Types == 0:
		return "", cli.Fail(cli.ExitIO, "no library of Azure's types is in use")
	case library.Licence == "":
		return "", cli.Fail(cli.ExitIO, "the library of Azure's types was made without its licence, which is that of %s", library.Source)
	}
	return strings.TrimSpace(library.Licence), nil
}
