package main

import (
	"fmt"
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
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of rad and of the Bicep that it compiles",
		Example: "  rad version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.stdout, "rad    %s (%s, %s/%s)\nbicep  %s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, bicep.DefaultGeneratorVersion)
			return failWith(exitIO, err)
		},
	}
}
