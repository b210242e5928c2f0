package planning

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/manifest"
)

// readAgainst reads the manifests of --against.
func (p *Planner) readAgainst() error {
	name := p.Against
	if name == "" {
		return nil
	}
	none := false // a list says that there are none, if it names none
	read := func(path string, content []byte, err error) error {
		if err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
		list, isList, err := manifest.ReadList(content)
		if err != nil {
			return cli.Fail(cli.ExitSource, "--against %s: %w", path, err)
		}
		none = none || isList
		p.deployed = append(p.deployed, list...)
		return nil
	}
	var err error
	if name == "-" {
		content, e := p.Stdin()
		if e != nil {
			e = cli.Fail(cli.ExitIO, "standard input: %w", e)
		}
		err = read(name, content, e)
	} else if info, e := p.Bounds.Stat(name); errors.Is(e, fs.ErrNotExist) {
		err = cli.Missing("--against %s: there is no such file and no such folder%s", name, cli.Near(name, ".yaml", ".yml", ".json"))
	} else if e != nil {
		err = cli.FailWith(cli.ExitIO, e)
	} else if info.IsDir() {
		err = filepath.WalkDir(name, func(path string, d fs.DirEntry, e error) error {
			switch ext := strings.ToLower(filepath.Ext(path)); {
			case e != nil:
				return cli.FailWith(cli.ExitIO, e)
			case d.IsDir() && d.Name() == ".git":
				return filepath.SkipDir
			case !d.Type().IsRegular() || ext != ".yaml" && ext != ".yml" && ext != ".json":
				return nil
			}
			content, e := p.Bounds.ReadFileText(path)
			if e == nil && !strings.Contains(string(content), manifest.Kind) {
				return nil
			}
			return read(path, content, e)
		})
	} else {
		content, e := p.Bounds.ReadFileText(name)
		err = read(name, content, e)
	}
	if err == nil && len(p.deployed) == 0 && !none {
		return cli.Fail(cli.ExitSource, "--against %s: it holds no %s", name, manifest.Kind)
	}
	return err
}

// match finds the manifest of a target: by its name, or the only one.
func (p *Planner) match(t *targets.Target, all int) (*manifest.Deployed, error) {
	name := t.NameOf(p.Base.Now)
	var found []*manifest.Deployed
	for i := range p.deployed {
		if d := &p.deployed[i]; d.Name == name &&
			(!t.Says(settings.KeyNamespace) || d.Namespace == "" || d.Namespace == t.Settings.Namespace) {
			found = append(found, d)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, cli.Fail(cli.ExitSource, "--against %s: %d manifests are named %s; give one of them", p.Against, len(found), name)
	case len(p.deployed) == 1 && all == 1:
		return &p.deployed[0], nil
	}
	p.Reporter.Notice(fmt.Sprintf("%s: no manifest is named %s, so everything is new", t.Arg, name))
	return nil, nil
}
