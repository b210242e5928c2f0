package project

import (
	"path/filepath"
	"slices"

	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/params"
)

// Target is one manifest to make.
type Target struct {
	Arg     string // as the user named it
	Input   string // absolute path of the .bicep, .json or .bicepparam file
	Args    []params.Arg
	own     int    // how many of the first Args the settings list
	Outfile string // as it is written in messages; - is stdout
	Listed  string // where the settings list it
	Named   string // the argument that stands for a target of the settings
	Bundle  bool   // the input is a bundle: a folder, an archive, or an address
	base    string // the folder that files in parameters are relative to; "" is the current one

	usual     string // the outfile without --outfile and --outdir
	called    string // the name without --name
	wantsFile bool   // the template has to be a file, and not one of a registry

	Name       string             // of the manifest; "" is that of the template's file
	OwnOutfile bool               // a target of the settings names the outfile
	strays     bool               // its path leads out of the folder that --outdir names
	Own        settings.Layer     // what the target itself says of settings
	Settings   *settings.Settings // what counts for it
	bundle     *bundle.Bundle     // that it is made of, once it is read
}

// Says reports whether the target says a setting itself, so that what the settings of all targets say does not count.
func (t *Target) Says(key string) bool { return t.Own.Values[key] != nil }

// Overrides returns what of the command line and the environment makes something else of a listed target than the
// settings say. There is nothing of which that matters if its manifest goes elsewhere.
func (t *Target) Overrides() (list []string) {
	if t.Listed == "" || t.Outfile != t.usual || t.Settings.Commanded(settings.KeyOutdir) {
		return nil
	}
	if slices.ContainsFunc(t.Args[t.own:], func(a params.Arg) bool { return !slices.Contains(t.Args[:t.own], a) }) {
		list = append(list, "--parameters")
	}
	if t.Name != t.called {
		list = append(list, "--name")
	}
	return append(list, t.Settings.Overrides(settings.Generate&^settings.Compiler)...)
}

// Place returns what messages call the task.
func (t *Target) Place() string {
	if t.Listed != "" {
		return t.Listed + " (" + t.Arg + ")"
	}
	return t.Arg
}

func (t *Target) AbsOutfile() string {
	if abs, err := filepath.Abs(t.Outfile); err == nil {
		return abs
	}
	return t.Outfile
}
