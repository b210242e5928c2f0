package command

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

func newLink(a *app) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "link folder",
		Short: "Put this program into a folder under the name bicep",
		Long: `Put this program into a folder under the name bicep, so that whatever runs the official bicep
runs this one: scripts, editors, azure-cli, azd and Radius. It is a symbolic link, and on
Windows a hard link or a copy. Another program of that name is replaced only with --force.`,
		Example: `  rad bicep link ~/.local/bin
  rad bicep link ~/.azure/bin --force`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Fail(cli.ExitUsage, "name one folder")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.link(c, args[0], force) },
	}
	c.Flags().BoolVar(&force, "force", false, "replace another program")
	a.TakesFormat(c, "text", "json")
	return c
}

// linked is the result of link.
type linked struct {
	Path    string `json:"path" doc:"the link"`
	Program string `json:"program" doc:"what it leads to"`
	Changed bool   `json:"changed" doc:"false if the link was there already"`
}

func (a *app) link(c *cobra.Command, dir string, force bool) error {
	self, err := os.Executable()
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	// The name that is on the PATH stays right when the program is updated.
	if named, err := exec.LookPath("rad"); err == nil && workdir.SameFile(named, self) {
		if named, err = filepath.Abs(named); err == nil {
			self = named
		}
	}
	// A link of a repository does not choose the folder that a program is put into.
	if _, err := areaOf(c, dir); err != nil {
		return err
	}
	name := "bicep"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	switch {
	case err == nil && workdir.SameFile(path, self):
		a.Result = linked{path, self, false}
		a.Say("%s is rad already", path)
		return nil
	case err == nil && info.IsDir():
		return cli.Fail(cli.ExitIO, "%s is a folder", path)
	case err == nil && !force:
		return cli.Fail(cli.ExitIO, "%s exists and is another program; --force replaces it", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return cli.FailWith(cli.ExitIO, err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if err := workdir.LinkProgram(self, path); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	a.Result = linked{path, self, true}
	a.Say("%s is rad now", path)
	return nil
}
