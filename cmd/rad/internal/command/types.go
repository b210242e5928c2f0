package command

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/report"
)

func newTypes(a *app) *cobra.Command {
	types := &cobra.Command{
		Use:     "types",
		Short:   "Manage libraries of resource types",
		Example: "  rad bicep types import az bicep-types-az\n  rad bicep types import radius radius-0.58.tgz",
		Args:    cli.IsSubcommand,
		RunE:    cli.Help,
	}
	imports := &cobra.Command{
		Use:     "import",
		Short:   "Import resource types of Azure, or of Radius",
		Example: "  rad bicep types import az bicep-types-az\n  rad bicep types import radius radius-0.58.tgz",
		Args:    cli.IsSubcommand,
		RunE:    cli.Help,
	}
	imports.AddCommand(newImportAz(a), newImportRadius(a))
	types.AddCommand(imports)
	return types
}

// wholeOf returns the folder of Azure's types that a folder is a part of, or "".
func wholeOf(part string) string {
	abs, err := filepath.Abs(part)
	if err != nil {
		return ""
	}
	for dir := filepath.Dir(abs); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "generated" && workdir.Exists(filepath.Join(dir, "index.json")) {
			return dir
		}
	}
	return ""
}

func newImportAz(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "az folder | types.tgz | br:registry/path:tag",
		Short: "Put a library of Azure's resource types into the cache",
		Long: `Make a compact library of Azure's resource types, and put it into the cache of this user. All
commands then check the bodies of Azure's resources as the official compiler does. A rad that
has a library built in uses that one; the setting azTypes names another.

The types are read from a folder, such as a clone of https://github.com/Azure/bicep-types-az,
from an archive in the form in which Bicep's extensions are published, from a library that was
made before, or from a registry, such as br:mcr.microsoft.com/bicep/extensions/az:0.2.896.

What is in use, rad version says.`,
		Example: "  rad bicep types import az bicep-types-az",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Fail(cli.ExitUsage,
					"want a folder, an archive or a reference to a registry. This brings the types of Azure:\n%s", cli.ImportAzTypes)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			o, err := a.open(c.Flags(), settings.Fetch, "")
			if err != nil {
				return err
			}
			if !strings.HasPrefix(args[0], "br:") && !strings.HasPrefix(args[0], "br/") {
				area, _, err := settings.Area(c.Flags(), args[0])
				if err == nil {
					_, err = area.Leads(args[0])
				}
				if err != nil {
					return cli.FailWith(cli.ExitIO, err)
				}
			}
			if !strings.HasPrefix(args[0], "br") && !workdir.Exists(args[0]) {
				return cli.Missing("%s: there is no such file and no such folder. This brings the types of Azure:\n%s",
					args[0], cli.ImportAzTypes)
			}
			library, err := artifacts.ImportAzTypes(c.Context(), args[0], o.Base.Root, o.Base.Artifacts)
			if err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
			if a.WantsJSON() {
				a.Result = typesOf(library)
			} else if _, err := fmt.Fprintf(a.Stdout, "%s\n%s resource types of %s\n",
				report.Visible(library.Where), strconv.Itoa(library.Types), report.Visible(library.Source)); err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
			if whole := wholeOf(args[0]); whole != "" {
				a.Say("Notice: %s is a part of the types in %s, and all others are unknown now. Import that folder to have them all.",
					args[0], workdir.Shown(whole))
			}
			if used, err := artifacts.FindAzTypes(""); err == nil && used.Where != library.Where {
				a.Say("This rad uses the library that is %s, of %s. To use the other one, set azTypes to %s.",
					used.Where, used.Source, library.Where)
			}
			return nil
		},
	}
	settings.AddFlags(a.App, c, settings.Fetch)
	a.TakesFormat(c, "text", "json")
	return c
}
