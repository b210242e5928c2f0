package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep"
)

// version returns the version that the binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
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
		Long: `Print the versions of rad and of the Bicep that it compiles, and which library of Azure's
resource types is in use: the one that the setting azTypes names, the one that is built in, or
the one that rad bicep types import az has put into the cache.`,
		Example: "  rad version",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if licence {
				return a.printLicence(c)
			}
			if _, err := fmt.Fprintf(a.stdout, "rad    %s (%s, %s/%s)\nbicep  %s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, bicep.DefaultGeneratorVersion); err != nil {
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
			_, err = fmt.Fprintf(a.stdout, "azure  %s\n", text)
			return failWith(exitIO, err)
		},
	}
	c.Flags().BoolVar(&licence, "license", false, "print the licence of Azure's types instead")
	return c
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
	return library, failWith(exitIO, err)
}

// printLicence prints the licence of the types that are in use.
func (a *app) printLicence(c *cobra.Command) error {
	library, err := azTypesInUse(c)
	switch {
	case err != nil:
		return err
	case library.Types == 0:
		return fail(exitIO, "no library of Azure's types is in use")
	case library.Licence == "":
		return fail(exitIO, "the library of Azure's types was made without its licence, which is that of %s", library.Source)
	}
	_, err = fmt.Fprintln(a.stdout, strings.TrimSpace(library.Licence))
	return failWith(exitIO, err)
}
