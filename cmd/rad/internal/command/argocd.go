package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/argocd"
	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
)

// What Argo CD tells its plugins by the environment.
const (
	argoParameters = "ARGOCD_APP_PARAMETERS"
	argoNamespace  = "ARGOCD_APP_NAMESPACE"
	argoEnv        = "ARGOCD_ENV_*" // variables that the Application sets for its plugin
)

// newArgoCD returns `rad bicep argocd`: the commands of a config management plugin. The image
// of the plugin has no shell, so each of its commands is a command of rad.
func newArgoCD(a *app) *cobra.Command {
	group := &cobra.Command{
		Use:   "argocd",
		Short: "Run as a config management plugin of Argo CD",
		Long: `The commands of a config management plugin of Argo CD. They run in the folder of the
Application, and read the parameters of the Application from ` + argoParameters + `:

  template      the template or parameter file; without it, the targets that .rad/bicep.yaml
                or radius-gitops-config.yaml list, or else those of the folder
  parameters    values of the template's parameters: a map of names and texts, which get
                the declared types, or an array of the forms of --parameters
  name, namespace, group, target, environment, application, labels, annotations
                as in a target of .rad/bicep.yaml

These count more than flags and settings. The namespace is that of the Application's
destination, unless something says another one.
The environment is closed to parameter files, but for ` + argoEnv + `.`,
		Example: "  rad bicep argocd discover",
		Args:    cli.IsSubcommand,
		RunE:    cli.Help,
	}
	generate := &cobra.Command{
		Use:     "generate",
		Short:   "Print the manifests of the Application",
		Example: `  ARGOCD_APP_PARAMETERS='[{"name": "template", "string": "app.bicepparam"}]' rad bicep argocd generate`,
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.argoGenerate(c) },
	}
	announce := &cobra.Command{
		Use:     "parameters",
		Short:   "Print which parameters the Application may have",
		Example: `  ARGOCD_APP_PARAMETERS='[{"name": "template", "string": "app.bicep"}]' rad bicep argocd parameters`,
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.argoAnnounce(c) },
	}
	for _, c := range []*cobra.Command{generate, announce} {
		settings.AddFlags(a.App, c, settings.Manifest)
	}
	discover := &cobra.Command{
		Use:     "discover",
		Short:   "Print what makes the folder one for this plugin, or nothing",
		Example: "  rad bicep argocd discover",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return a.argoDiscover() },
	}
	for _, c := range []*cobra.Command{generate, announce, discover} {
		c.Annotations = map[string]string{cli.Protocol: "argocd"}
		group.AddCommand(c)
	}
	return group
}

// argoBegin opens what the Application is made with, and selects its targets.
func (a *app) argoBegin(c *cobra.Command) (*deliver.Delivery, targets.Selection, error) {
	var s targets.Selection
	t, err := argocd.Target(os.Getenv(argoParameters))
	if err != nil {
		return nil, s, cli.Fail(cli.ExitUsage, "%s: %w", argoParameters, err)
	}
	caller := settings.Caller{
		Place: argoParameters, Asks: t.Layer,
		Closes: map[string]any{settings.KeyHermetic: true, settings.KeyAllowEnv: []string{argoEnv}},
	}
	if own := os.Getenv(argoNamespace); own != "" {
		caller.Adds = map[string]any{settings.KeyNamespace: own}
	}
	d, err := a.beginFor(c, caller)
	if err != nil {
		return nil, s, err
	}
	s.Values, s.Name = t.Parameters, t.Name
	file := &settings.File{Path: argoParameters, Targets: []settings.Target{{Template: cmp.Or(t.Template, "."), Parameters: t.Parameters}}}
	if err := targets.Permit(d.Project, file); err != nil {
		return nil, s, err
	}
	if t.Template != "" {
		file.Targets[0].Parameters = nil // they are those of the run
		s.ListFile = file
		return d, s, nil
	}
	if len(d.File.Targets) > 0 {
		return d, s, nil
	}
	gitops, err := settings.FindGitops(d.Cwd, d.Bounds, d.Disk().ReadRaw)
	if err == nil && gitops == nil {
		s.Args = []string{"."}
	}
	return d, s, err
}

func (a *app) argoGenerate(c *cobra.Command) error {
	d, s, err := a.argoBegin(c)
	if err != nil {
		return err
	}
	outcomes, err := a.makeFor(c, d, s)
	if err != nil {
		return err
	}
	return d.Print(outcomes)
}

// argoAnnounce prints the parameters of the Application, among them those of the templates with
// their defaults. What does not compile has none: generate says why.
func (a *app) argoAnnounce(c *cobra.Command) error {
	d, s, err := a.argoBegin(c)
	if err != nil {
		return err
	}
	values := map[string]string{}
	var names []string
	s.Outfile = "-"
	side := d.Disk()
	list, _, err := toWrite(side, s)
	if err != nil {
		return err
	}
	for _, t := range list {
		names = append(names, workdir.Slashed(t.Arg))
		p := run.Load(c.Context(), side, t, func(*generate.Source) {})
		if p.Declared == nil {
			continue
		}
		declarations := p.Tree.Object("parameters")
		for _, one := range p.Declared.All() {
			if one.Secure {
				continue
			}
			values[one.Name] = ""
			if v, ok := declarations.Object(one.Name).Get("defaultValue"); ok {
				if text, isText := v.(armjson.String); !isText {
					values[one.Name] = armjson.Text(v)
				} else if !strings.HasPrefix(string(text), "[") {
					values[one.Name] = string(text)
				}
			}
		}
	}
	text, err := json.Marshal(argocd.Announce(d.Project, names, values))
	if err != nil {
		return err
	}
	return a.WriteResult(append(report.PlainJSON(text), '\n'))
}

// argoDiscover prints the files that make a folder one for the plugin. It looks into the folder
// alone, since Argo CD asks this for every Application.
func (a *app) argoDiscover() error {
	var found []string
	for _, name := range []string{settings.FileName, settings.GitopsName} {
		if _, err := os.Lstat(name); err == nil {
			found = append(found, workdir.Slashed(name))
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.FailWith(cli.ExitIO, err)
	}
	for _, e := range entries {
		if ext := strings.ToLower(filepath.Ext(e.Name())); !e.IsDir() && (ext == ".bicep" || ext == ".bicepparam") {
			found = append(found, e.Name())
		}
	}
	for _, name := range found {
		if _, err := fmt.Fprint(a.Stdout, report.Lines(report.Visible(name)+"\n")); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	return nil
}
