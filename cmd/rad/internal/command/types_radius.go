package command

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// radiusArchive is where a project has its types of Radius, beside its bicepconfig.json.
const radiusArchive = ".rad/types/radius.tgz"

// backToBuiltIn ends what newImportRadius began.
const backToBuiltIn = "rad bicep types import radius --built-in"

// radiusImport is the result of the command.
type radiusImport struct {
	Config  string       `json:"config" doc:"bicepconfig.json that names the types"`
	Archive string       `json:"archive,omitempty" doc:"file with the types; none with --built-in"`
	Named   string       `json:"named" doc:"what the bicepconfig.json says of the extension radius"`
	Was     string       `json:"was,omitempty" doc:"what it said before"`
	Changed bool         `json:"changed" doc:"whether something was written"`
	Types   int          `json:"types" doc:"how many resource types there are"`
	Sources []radiusPart `json:"sources" doc:"where they come from"`
}

type radiusPart struct {
	Source string `json:"source" doc:"a file, a reference to a registry, or the release of Radius whose types are built in"`
	Types  int    `json:"types"`
}

func newImportRadius(a *app) *cobra.Command {
	var builtIn bool
	c := &cobra.Command{
		Use:   "radius [types.tgz | br:registry/path:tag] [manifest.yaml…]",
		Short: "Replace the built-in types of Radius for a project",
		Long: `Write an archive of Radius' resource types beside the project's bicepconfig.json, as
` + radiusArchive + `, and name it there as the extension radius. From then on
'extension radius' means these types, without a network, in the official compiler too.

The types are those of a release: the archive of the extension radius, its index.json, or a
reference to a registry, such as br:biceptypes.azurecr.io/radius:0.58. Manifests of resource
types, as in https://github.com/radius-project/resource-types-contrib, add their types, or
replace types of the same name and version. Without an archive they are added to the built-in
types of the release that the project names.

Each call says all there is: what an earlier call has imported is replaced. --built-in goes
back to the built-in types.`,
		Example: `  rad bicep types import radius radius-0.58.tgz
  rad bicep types import radius types.yaml
  ` + backToBuiltIn,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case builtIn && len(args) > 0:
				return cli.Fail(cli.ExitUsage, "--built-in goes back to the built-in types, and %s is to replace them", args[0])
			case !builtIn && len(args) == 0:
				return cli.Fail(cli.ExitUsage, "want an archive of Radius' types (.tgz), a reference to a registry (br:…), "+
					"or manifests of resource types (.yaml); --built-in goes back to the built-in types")
			}
			return nil
		},
		ValidArgsFunction: cli.CompleteFiles("tgz", "yaml", "yml", "json"),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := a.open(c.Flags(), settings.Fetch, "")
			if err != nil {
				return err
			}
			config, err := artifacts.FindRadiusConfig(o.Base, o.Cwd)
			if err != nil {
				return cli.FailWith(cli.ExitUsage, err)
			}
			area, _, err := settings.Area(c.Flags(), filepath.Dir(config.Path))
			if err != nil {
				return err
			}
			if builtIn {
				return a.radiusBuiltIn(config, area)
			}
			return a.importRadius(c, o, config, area, args)
		},
	}
	c.Flags().BoolVar(&builtIn, "built-in", false, "go back to the types that are built in")
	settings.AddFlags(a.App, c, settings.Fetch)
	a.TakesFormat(c, "text", "json")
	return c
}

// radiusSources sorts the arguments.
func radiusSources(c *cobra.Command, o *project.Project, release string, args []string) (artifacts.RadiusSources, error) {
	s := artifacts.RadiusSources{Release: release, Root: o.Base.Root, Artifacts: o.Base.Artifacts}
	s.Open = func(path string) (io.ReadCloser, error) {
		area, _, err := settings.Area(c.Flags(), filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		return area.Open(path)
	}
	for _, arg := range args {
		manifest, err := s.IsManifest(arg)
		switch {
		case err != nil:
			return s, cli.FailWith(cli.ExitIO, err)
		case manifest:
			s.Manifests = append(s.Manifests, arg)
		case s.Archive != "":
			return s, cli.Fail(cli.ExitUsage, "%s and %s: the types of one release can be imported, and manifests (.yaml) beside them",
				s.Archive, arg)
		default:
			s.Archive = arg
		}
	}
	return s, nil
}

func (a *app) importRadius(c *cobra.Command, o *project.Project, config *artifacts.RadiusConfig, area workdir.Bounds, args []string) error {
	sources, err := radiusSources(c, o, config.Release, args)
	if err != nil {
		return err
	}
	made, err := artifacts.MakeRadiusTypes(c.Context(), sources)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	archive := filepath.Join(filepath.Dir(config.Path), filepath.FromSlash(radiusArchive))
	result := radiusImport{Config: config.Path, Archive: archive, Named: radiusArchive, Was: config.Was}
	for _, p := range made.Parts {
		result.Types += p.Types
		result.Sources = append(result.Sources, radiusPart(p))
	}
	old, _, err := area.Existing(archive)
	result.Changed = err != nil || string(old) != string(made.Archive) || config.Was != radiusArchive
	if err := area.WriteFile(archive, made.Archive); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	return a.nameRadius(config, area, result)
}

// radiusBuiltIn goes back to the built-in types.
func (a *app) radiusBuiltIn(config *artifacts.RadiusConfig, area workdir.Bounds) error {
	release := cmp.Or(config.Release, bicep.RadiusRelease)
	result := radiusImport{Config: config.Path, Named: config.Was,
		Was: config.Was, Sources: []radiusPart{{"Radius " + release, bicep.RadiusTypeCount(release)}}}
	result.Types = result.Sources[0].Types
	if config.Was == "" || strings.HasPrefix(config.Was, project.RadiusTypes) {
		return a.sayRadius(result)
	}
	result.Named, result.Changed = project.RadiusTypes+release, true
	if err := a.nameRadius(config, area, result); err != nil {
		return err
	}
	if config.Was != radiusArchive {
		return nil
	}
	archive := filepath.Join(filepath.Dir(config.Path), filepath.FromSlash(radiusArchive))
	if !workdir.Exists(archive) {
		return nil
	}
	return cli.FailWith(cli.ExitIO, area.Remove(archive))
}

// nameRadius writes what the result says into bicepconfig.json.
func (a *app) nameRadius(config *artifacts.RadiusConfig, area workdir.Bounds, result radiusImport) error {
	text, err := config.With(result.Named)
	if err != nil {
		return cli.FailWith(cli.ExitUsage, err)
	}
	if err := area.WriteFile(config.Path, text); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	return a.sayRadius(result)
}

func (a *app) sayRadius(r radiusImport) error {
	if a.WantsJSON() {
		a.Result = r
		return nil
	}
	where, config := "built in", workdir.Shown(r.Config)
	if r.Archive != "" {
		where = workdir.Shown(r.Archive)
	}
	lines := []string{where, cli.Plural(r.Types, "resource type")}
	if len(r.Sources) == 1 {
		lines[1] += " of " + r.Sources[0].Source
	} else {
		for _, p := range r.Sources {
			lines = append(lines, fmt.Sprintf("  %d of %s", p.Types, p.Source))
		}
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(a.Stdout, report.Visible(line)); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	switch {
	case !r.Changed && r.Named == "":
		a.Say("Nothing was changed: no bicepconfig.json names other types.")
	case !r.Changed:
		a.Say("Nothing was changed: %s names %s as the extension radius already.", config, r.Named)
	case r.Was == r.Named || r.Was == "":
		a.Say("%s names %s as the extension radius.", config, r.Named)
	default:
		a.Say("%s names %s as the extension radius. It named %s before.", config, r.Named, r.Was)
	}
	if r.Archive != "" && r.Changed {
		a.Say("Commit both files. '%s' goes back to the built-in types.", backToBuiltIn)
	}
	return nil
}
