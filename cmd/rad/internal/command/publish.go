package command

import (
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
)

// publishOptions are the flags that publish and publish-extension have in common.
type publishOptions struct {
	target    string
	file      string
	force     bool
	plainHTTP bool
}

func (o *publishOptions) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.target, "target", "", "where to publish: `br:HOST/PATH:TAG`")
	f.StringVarP(&o.file, "file", "f", "", "`FILE` to publish, as Radius spells it")
	f.BoolVar(&o.force, "force", false, "replace what is there")
	f.BoolVar(&o.plainHTTP, "plain-http", false, "speak HTTP without TLS; done for localhost alone, where it is the default")
}

// input returns the file that the argument or --file names.
func (o *publishOptions) input(args []string) (string, error) {
	switch {
	case len(args) == 1 && o.file != "":
		return "", cli.Fail(cli.ExitUsage, "%s and --file %s: name one file", args[0], o.file)
	case len(args) == 1:
		return args[0], nil
	case o.file != "":
		return o.file, nil
	}
	return "", cli.Fail(cli.ExitUsage, "name the file to publish")
}

// place returns where in a registry --target is. Aliases are those of a folder.
func (o *publishOptions) place(options *project.Project, folder string) (artifacts.PublishTarget, error) {
	target := artifacts.PublishTarget{Reference: o.target, Folder: folder, Config: options.Base.Config, FS: options.Base.FS,
		Force: o.force, PlainHTTP: o.plainHTTP, Artifacts: options.Base.Artifacts}
	if err := artifacts.CheckTarget(target); err != nil {
		return target, cli.FailWith(cli.ExitUsage, cli.TargetError(err))
	}
	return target, nil
}

func newPublish(a *app) *cobra.Command {
	var o publishOptions
	var documentation []string
	var noRestore, withSource bool
	c := &cobra.Command{
		Use:   "publish file.bicep --target br:HOST/PATH:TAG",
		Short: "Publish a module to a registry",
		Long: `Compile a .bicep file and publish it as a module, as the official 'bicep publish' does. An
ARM template (.json) is published as it is. A tag that exists is refused without --force.`,
		Example: `  rad bicep publish web.bicep --target br:ghcr.io/acme/modules/web:v1
  rad bicep publish --file web.bicep --target br:localhost:5000/web:v1 --plain-http`,
		Args:              oneFile,
		Annotations:       map[string]string{cli.DropIn: "publish"},
		ValidArgsFunction: cli.CompleteFiles("bicep", "json"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.publish(c, args, &o, documentation, noRestore, withSource)
		},
	}
	o.add(c)
	f := c.Flags()
	f.StringArrayVar(&documentation, "documentation-uri", nil, "`ADDRESS` of the module's documentation")
	f.BoolVar(&noRestore, "no-restore", false, "do not fetch modules and extensions from registries")
	f.BoolVar(&withSource, "with-source", false, "publish the source files, too")
	settings.AddFlags(a.App, c, settings.Compiler)
	return c
}

func (a *app) publish(c *cobra.Command, args []string, o *publishOptions, documentation []string, noRestore, withSource bool) error {
	input, err := o.input(args)
	if err != nil {
		return err
	}
	template := slices.Contains([]string{".json", ".jsonc", ".arm"}, strings.ToLower(filepath.Ext(input)))
	switch {
	case o.target == "":
		return cli.Fail(cli.ExitUsage, "--target is missing: br:HOST/PATH:TAG")
	case len(documentation) > 1:
		return cli.Fail(cli.ExitUsage, "--documentation-uri is given %d times", len(documentation))
	case template && withSource:
		return cli.Fail(cli.ExitUsage, "%s: an ARM template has no source files, and --with-source asks for them", input)
	case !template && project.CheckExtension(input, ".bicep") != nil:
		return cli.Fail(cli.ExitUsage, "%s: not a file that can be published; its name must end in .bicep or .json", input)
	}
	page := ""
	if len(documentation) == 1 {
		page = documentation[0]
		if u, err := url.Parse(page); err != nil || !u.IsAbs() {
			return cli.Fail(cli.ExitUsage, "--documentation-uri %s: want an absolute address", page)
		}
	}
	abs, err := filepath.Abs(input)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	options, err := a.open(c.Flags(), settings.Compiler|settings.Registries, filepath.Dir(abs))
	if err != nil {
		return err
	}
	target, err := o.place(options, filepath.Dir(abs))
	if err != nil {
		return err
	}
	module := artifacts.ModuleContent{Documentation: page}
	if template {
		if module.Template, err = options.Bounds.ReadFileText(abs); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	} else if err := a.compileModule(c, options, abs, noRestore, withSource, &module); err != nil {
		return err
	}
	_, err = artifacts.PublishModule(c.Context(), target, module)
	return cli.FailWith(cli.ExitIO, err)
}

// compileModule compiles what is to be published, and reports what is wrong with it.
func (a *app) compileModule(c *cobra.Command, options *project.Project,
	path string, noRestore, withSource bool, module *artifacts.ModuleContent) error {
	base := options.Base
	base.NoRestore = base.NoRestore || noRestore
	r := options.Request(base, path)
	found := a.reporterFor(options, "")
	result, err := options.Compiler.Build(c.Context(), r)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	failed, err := found.Take(result)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if err := found.Finish(nil); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if failed {
		return cli.Silent(cli.ExitSource)
	}
	module.Template = result.Template
	if withSource {
		base.File = r.File
		module.Source, err = bicep.SourceArchive(c.Context(), base)
	}
	return cli.FailWith(cli.ExitIO, err)
}

// extensionArchitectures are those for which an extension may have a program.
var extensionArchitectures = []string{"linux-x64", "linux-arm64", "osx-x64", "osx-arm64", "win-x64", "win-arm64"}

func newPublishExtension(a *app) *cobra.Command {
	var o publishOptions
	binaries := map[string]*string{}
	c := &cobra.Command{
		Use:   "publish-extension index.json|types.yaml --target br:HOST/PATH:TAG | FILE.tgz",
		Short: "Publish an extension to a registry or to a file",
		Long: `Pack an index.json and the files of types that it refers to, and publish them as an
extension, as the official 'bicep publish-extension' does. A Radius manifest of resource types
(.yaml, .yml or .json) becomes an extension with their types. A target that is a path becomes
a file, which bicepconfig.json may name under extensions.`,
		Example: `  rad bicep publish-extension types/index.json --target br:ghcr.io/acme/types:v1
  rad bicep publish-extension -f types.yaml --target types.tgz`,
		Args:              oneFile,
		Annotations:       map[string]string{cli.DropIn: "publish-extension"},
		ValidArgsFunction: cli.CompleteFiles("json", "yaml", "yml"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.publishExtension(c, args, &o, binaries)
		},
	}
	o.add(c)
	f := c.Flags()
	f.StringVar(&o.file, "from-file", "", "`FILE` to publish: --file, as released rad spells it")
	for _, arch := range extensionArchitectures {
		binaries[arch] = f.String("bin-"+arch, "", "`FILE` that is the extension's program for "+arch)
	}
	settings.AddFlags(a.App, c, settings.Fetch)
	return c
}

func (a *app) publishExtension(c *cobra.Command, args []string, o *publishOptions, binaries map[string]*string) error {
	input, err := o.input(args)
	if err != nil {
		return err
	}
	if o.target == "" {
		return cli.Fail(cli.ExitUsage, "--target is missing: br:HOST/PATH:TAG, or a path")
	}
	if !slices.Contains([]string{".json", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(input))) {
		return cli.Fail(cli.ExitUsage,
			"%s: neither an index of types (.json) nor a Radius manifest of resource types (.yaml, .yml, .json)", input)
	}
	abs, err := filepath.Abs(input)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	options, err := a.open(c.Flags(), settings.Fetch, filepath.Dir(abs))
	if err != nil {
		return err
	}
	content := artifacts.ExtensionContent{Index: input, Binaries: map[string]string{}, Open: options.Bounds.Open}
	for arch, path := range binaries {
		if *path != "" {
			content.Binaries[arch] = *path
		}
	}
	if strings.HasPrefix(o.target, "br:") || strings.HasPrefix(o.target, "br/") {
		target, err := o.place(options, options.Cwd)
		if err != nil {
			return err
		}
		_, err = artifacts.PublishExtension(c.Context(), target, content)
		return cli.FailWith(cli.ExitIO, err)
	}
	if strings.HasPrefix(o.target, "ts:") {
		return cli.Fail(cli.ExitUsage, "--target %s: want br:HOST/PATH:TAG, or a path", o.target)
	}
	if !o.force {
		if err := mayReplace(options.Bounds, o.target); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	archive, err := artifacts.LocalExtension(content)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	return cli.FailWith(cli.ExitIO, options.Bounds.WriteFile(o.target, archive))
}

// mayReplace refuses to replace a file that is no archive of an extension.
func mayReplace(area workdir.Bounds, path string) error {
	old, stream, err := area.Existing(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), stream, err == nil && artifacts.IsLocalExtension(old):
		return nil
	case err != nil:
		return err
	}
	return cli.Fail(cli.ExitIO, "%s exists and is no archive of an extension; --force replaces it", path)
}
