package project

import (
	"path/filepath"

	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/params"
)

// Target is one manifest to make.
type Target struct {
	Arg     string // as the user named it
	Input   string // absolute path of the .bicep, .json or .bicepparam file
	Args    []params.Arg
	Outfile string // as it is written in messages; - is stdout
	Listed  string // where the settings list it
	Named   string // the argument that stands for a target of the settings
	Bundle  bool   // the input is a bundle: a folder, an archive, or an address
	base    string // the folder that files in parameters are relative to; "" is the current one

	usual     string // the outfile without --outfile
	wantsFile bool   // the template has to be a file, and not one of a registry

	// As a target of the settings says; "" leaves it to flags and settings.
	Name, Namespace, group, target, environment, application string

	Labels, Annotations map[string]string
	options             map[string]string // of the target, by the key of the setting
	OwnOutfile          bool              // a target of the settings names the outfile
}

// Says reports whether the target says a setting itself, so that what the settings of all targets say does not count.
func (t *Target) Says(key string) bool {
	own := map[string]string{
		settings.KeyNamespace: t.Namespace, settings.KeyGroup: t.group, settings.KeyTarget: t.target,
		settings.KeyEnvironment: t.environment, settings.KeyApplication: t.application,
	}
	_, option := t.options[key]
	return own[key] != "" || option
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
