package settings

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/params"
)

// GitopsName is the file that Radius' Flux controller reads. It lists templates, and is
// understood as targets where .rad/bicep.yaml has none.
const GitopsName = "radius-gitops-config.yaml"

// gitopsConfig is the content of that file.
type gitopsConfig struct {
	Config []struct {
		Name          string `json:"name"`
		Params        string `json:"params"`
		Namespace     string `json:"namespace"`
		ResourceGroup string `json:"resourceGroup"`
	} `json:"config"`
}

// FindGitops looks for the file in a folder and above it, as far as the
// project reaches. It returns nil where there is none.
func FindGitops(folder string, area workdir.Bounds, read func(path string) ([]byte, error)) (*File, error) {
	for dir := folder; area.Contains(dir); dir = filepath.Dir(dir) {
		name := filepath.Join(dir, GitopsName)
		text, err := read(name)
		switch {
		case err == nil:
			return readGitops(name, text, area)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, cli.FailWith(cli.ExitIO, err)
		case dir == filepath.Dir(dir):
			return nil, nil
		}
	}
	return nil, nil
}

// gitopsProblem says what is wrong with the text of the file. It follows the name of the file.
func gitopsProblem(err error, text []byte) string {
	const want = "want config: a list of entries with name, params, namespace and resourceGroup"
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return ": " + want
	}
	if _, field, ok := strings.Cut(err.Error(), "unknown field "); ok {
		return fmt.Sprintf(": unknown key %s; %s", field, want)
	}
	return yamlProblem(err, text)
}

// readGitops turns the text of the file into targets, with the controller's defaults: the
// namespace and the resource group are called like the template, without its extension.
func readGitops(name string, text []byte, area workdir.Bounds) (*File, error) {
	var c gitopsConfig
	if err := yaml.UnmarshalStrict(text, &c); err != nil {
		return nil, cli.Fail(cli.ExitUsage, "%s%s", shown(name), gitopsProblem(err, text))
	}
	file := &File{Path: name, Base: filepath.Dir(name), List: "config"}
	for i, one := range c.Config {
		if strings.ToLower(path.Ext(one.Name)) != ".bicep" {
			return nil, cli.Fail(cli.ExitUsage, "%s: config[%d].name: want the name of a .bicep file, not %q", shown(name), i, one.Name)
		}
		if one.Params != "" && strings.ToLower(path.Ext(one.Params)) != ".bicepparam" {
			return nil, cli.Fail(cli.ExitUsage, "%s: config[%d].params: want the name of a .bicepparam file, not %q",
				shown(name), i, one.Params)
		}
		stem := strings.TrimSuffix(path.Base(one.Name), path.Ext(one.Name))
		t := Target{Template: one.Name}
		t.Values = map[string]any{KeyNamespace: cmp.Or(one.Namespace, stem), KeyGroup: cmp.Or(one.ResourceGroup, stem)}
		if one.Params != "" {
			t.Parameters = []params.Arg{{Kind: params.ArgBicepFile, Value: one.Params}}
		}
		file.Targets = append(file.Targets, t)
	}
	return file, (&Judge{File: file, Bounds: area}).Judge()
}
