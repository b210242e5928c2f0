package command

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// restoreOptions are the flags of restore that are not settings.
type restoreOptions struct {
	pattern string
	force   bool
	locked  bool
	update  updateFlag
}

// updateFlag is --update, alone or with references.
type updateFlag struct {
	on   bool
	refs []string
}

func (u *updateFlag) String() string { return strings.Join(u.refs, ",") }
func (u *updateFlag) Type() string   { return "REF" }

func (u *updateFlag) Set(text string) error {
	switch text {
	case "true":
		u.on = true
	case "false":
		u.on, u.refs = false, nil
	default:
		u.on = true
		u.refs = append(u.refs, strings.Split(text, ",")...)
	}
	return nil
}

func newRestore(a *app) *cobra.Command {
	var o restoreOptions
	c := &cobra.Command{
		Use:   "restore [file.bicep | file.bicepparam | folder]... [br:registry/path:tag]...",
		Short: "Fetch modules, extensions and recipes from registries, and pin them",
		Long: `Fetch the modules and extensions of registries that files lead to into the cache, which is
the one of the official compiler, and pin them in bicep.lock.json. Without a file, every
Bicep file in the current folder and below it counts.

The recipes of Radius that targets of .rad/bicep.yaml need (target: kubernetes) are restored, too:
of the files that are named, or of all targets.

The lock file is beside the outermost bicepconfig.json, or else beside the file. Commit
it: all commands then take what it names, whatever a tag means by now, and verify what the
cache holds. --update asks the registries what tags mean now, of all references or of those
that are named, and takes out what no file needs.

--vendor copies what is needed into a folder of the repository, and notes the folder in
.rad/bicep.yaml, so that builds need neither the cache nor a network.

Registries other than those of Azure, Microsoft and GitHub have to be trusted by name, in
BICEP_TRUSTED_REGISTRIES or the setting trustedRegistries. Credentials are docker's, or
DOCKER_REGISTRY, DOCKER_USERNAME and DOCKER_PASSWORD, or an identity of Azure.

Exit status: 0 done, 1 something could not be restored.`,
		Example: `  rad bicep restore
  rad bicep restore app.bicep --locked
  rad bicep restore app.bicep --update
  rad bicep restore app.bicep --vendor third_party/bicep`,
		Annotations:       map[string]string{cli.DropIn: "restore"},
		ValidArgsFunction: cli.CompleteFiles("bicep", "bicepparam"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.restore(c, args, &o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.pattern, "pattern", "", "take all files that match the glob `PATTERN`")
	f.BoolVar(&o.force, "force", false, "fetch what is in the cache already, too")
	f.BoolVar(&o.locked, "locked", false, "fail if the lock file would change")
	f.Var(&o.update, "update",
		"ask registries what tags mean now; references may be named as further arguments (br:) or by --update=`REF`")
	f.Lookup("update").NoOptDefVal = "true"
	settings.AddFlags(a.App, c, settings.Fetch)
	f.Lookup(settings.KeyVendor).Usage = "copy what is needed to `DIR`"
	return c
}

func (a *app) restore(c *cobra.Command, args []string, o *restoreOptions) error {
	var files []string
	refs := o.update.refs
	for _, arg := range args {
		if strings.HasPrefix(arg, "br:") {
			refs = append(refs, arg)
		} else {
			files = append(files, arg)
		}
	}
	switch {
	case len(refs) > 0 && !o.update.on:
		return cli.Fail(cli.ExitUsage, "%s: a reference is named for --update only", refs[0])
	case o.locked && o.update.on:
		return cli.Fail(cli.ExitUsage, "--locked and --update cannot be used together: one keeps the lock file, the other changes it")
	}
	all := len(files) == 0 && o.pattern == ""
	files, err := project.FilesOf(files, o.pattern)
	if err != nil {
		return err
	}
	files, others := project.OfKind(files, "")
	folder := ""
	if len(files) > 0 {
		folder = filepath.Dir(files[0])
	}
	options, err := a.open(c.Flags(), settings.Fetch, folder)
	if err != nil {
		return err
	}
	refs, recipeRefs := splitReferences(refs)
	r := artifacts.RestoreRequest{
		Files: files, FS: options.Base.FS, Root: options.Base.Root, Artifacts: options.Base.Artifacts,
		Force: o.force, Locked: o.locked, Update: o.update.on && (len(refs) > 0 || len(recipeRefs) == 0), Only: refs,
		WriteLock: options.Bounds.WriteFile,
	}
	if c.Flags().Changed(settings.KeyVendor) {
		r.VendorTo = r.Artifacts.Vendor
		if err := options.Bounds.CheckFolder(r.VendorTo); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	found := a.reporterFor(options, "")
	if len(files) == 0 && others == nil {
		found.Notice("Warning: there is no Bicep file")
	}
	result, err := artifacts.Restore(c.Context(), r)
	if err == nil {
		x := &recipeRestore{RestoreRequest: r, refs: recipeRefs, all: all, used: map[string]bool{}, done: map[restored]error{}}
		x.Update = o.update.on
		var more []report.Finding
		more, err = a.restoreRecipes(c, options, x)
		result.Findings = append(result.Findings, more...)
	}
	if result != nil {
		err = cmp.Or(err, found.Add(result.Findings))
	}
	if err = found.Finish(err); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if len(result.BuiltIn) > 0 {
		slices.Sort(result.BuiltIn)
		a.Say("Notice: builds work all the same: they use the built-in types of Radius in place of %s.", cli.OrAnd(result.BuiltIn))
	}
	if report.AnyError(result.Findings) {
		return cmp.Or(others, cli.Silent(cli.ExitSource))
	}
	if others != nil {
		return others
	}
	if r.VendorTo != "" {
		return cli.FailWith(cli.ExitIO, a.noteVendor(r.VendorTo, options))
	}
	return nil
}

// noteVendor sees to it that builds find the folder of vendored artifacts: it is
// named in the project's settings, unless it is already.
func (a *app) noteVendor(dir string, o *project.Project) error {
	file := o.File
	if _, err := os.Stat(dir); err != nil {
		return nil // nothing had to be copied
	}
	if named, ok := file.Values[settings.KeyVendor].(string); ok && workdir.SameFile(named, dir) {
		return nil
	}
	base := cmp.Or(o.Base.Root, o.Cwd)
	path := filepath.Join(base, settings.FileName)
	if file.Path != "" && workdir.Within(base, file.Path) {
		path, base = file.Path, file.Base
	}
	rel, err := filepath.Rel(base, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return nil // it is not of the project: --vendor names it in builds, too
	}
	text, err := o.Bounds.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, ok := file.Values[settings.KeyVendor]; ok {
		return cli.Fail(cli.ExitUsage, "%s names another folder under vendor; change it to %s, so that builds read what was copied",
			path, filepath.ToSlash(rel))
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return o.Bounds.Replace(path, append(text, "vendor: "+cli.YAMLText(filepath.ToSlash(rel))+"\n"...), 0o644, true)
}
