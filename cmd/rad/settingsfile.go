package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"sigs.k8s.io/yaml"
)

// settingsFile is a settings file as it was read.
type settingsFile struct {
	path    string
	base    string // the folder that its paths are relative to
	values  map[string]any
	Labels  map[string]string
	Annots  map[string]string
	Targets []target
}

// target is one manifest that a settings file lists.
type target struct {
	Template, Outfile, Name, Namespace, Group, Target, Environment, Application string

	Parameters          []string
	Labels, Annotations map[string]string
}

// settingsName is where a project keeps its settings.
var settingsName = filepath.Join(".rad", "bicep.yaml")

// findSettings looks for the project's settings file upward from a folder, within
// root; "" is no root, and no bound.
func findSettings(from, root string) (*settingsFile, error) {
	nearest := ""
	for dir := from; ; {
		if name := filepath.Join(dir, settingsName); nearest == "" {
			if _, err := os.Lstat(name); err == nil {
				nearest = name
			}
		}
		up := filepath.Dir(dir)
		switch {
		case nearest != "" && root == "", root != "" && sameFile(dir, root):
			return readSettings(nearest)
		case up == dir: // the folder does not lie in the root
			return nil, nil
		}
		dir = up
	}
}

// readSettings reads a settings file; one that is not there is nil.
func readSettings(path string) (*settingsFile, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, failWith(exitIO, err)
	}
	f := &settingsFile{path: path, base: filepath.Dir(filepath.Dir(path)), values: map[string]any{}}
	if err := f.read(text); err != nil {
		return nil, fail(exitUsage, "%s: %w", path, err)
	}
	return f, nil
}

// read reads the text of the file.
func (f *settingsFile) read(text []byte) error {
	var content any
	if err := yaml.UnmarshalStrict(text, &content); err != nil {
		message := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
		return errors.New(strings.TrimPrefix(message, "yaml: "))
	}
	raw, ok := content.(map[string]any)
	if !ok && content != nil {
		return errors.New("want keys and values")
	}
	known := map[string]setting{}
	names := []string{"labels", "annotations", "targets"}
	for _, s := range generateSettings {
		known[s.key] = s
		names = append(names, s.key)
	}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		v := raw[key]
		if v == nil {
			continue // as if it was not there
		}
		var err error
		if key == keyRegistryMirrors {
			v = mirrorList(v)
		}
		switch s, isSetting := known[key]; {
		case isSetting:
			if err = s.check(v); err == nil {
				f.values[key] = f.resolveSetting(key, v)
			}
		case key == "labels":
			f.Labels, err = textMap(v)
		case key == "annotations":
			f.Annots, err = textMap(v)
		case key == "targets":
			if err := f.readTargets(v); err != nil {
				return err
			}
		default:
			return unknownKey(key, names)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func unknownKey(key string, known []string) error {
	return fmt.Errorf("unknown key %q%s", key, didYouMean(key, known))
}

// check holds a value of a settings file to the setting's type.
func (s setting) check(v any) error {
	var err error
	switch s.def.(type) {
	case bool:
		if _, ok := v.(bool); !ok {
			err = fmt.Errorf("want true or false, not %v", v)
		}
	case []string:
		_, err = textList(v)
	default:
		_, err = text(v)
	}
	return err
}

// text returns a value that must be a text.
func text(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case []any, map[string]any:
		return "", errors.New("want a text")
	}
	return "", fmt.Errorf("want a text, not %v; put it into quotes", v)
}

// textList returns a value that must be a list of texts, or one text.
func textList(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	out := make([]string, len(list))
	for i, one := range list {
		var err error
		if out[i], err = text(one); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// textMap returns a value that must be names and texts.
func textMap(v any) (map[string]string, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("want names and texts")
	}
	out := make(map[string]string, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		var err error
		if out[k], err = text(m[k]); err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
	}
	return out, nil
}

// resolveSetting returns a setting's value with its path, if it is one, as the
// process sees it.
func (f *settingsFile) resolveSetting(key string, v any) any {
	path, ok := v.(string)
	if ok && (key == keyRoot || key == keyOutdir || key == keyVendor || key == keyCompiler && strings.ContainsAny(path, `/\`)) {
		return f.resolve(path)
	}
	return v
}

// resolve returns a path of the file as the process sees it.
func (f *settingsFile) resolve(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(f.base, filepath.FromSlash(path))
}

// fields are the keys of a target that are texts.
func (t *target) fields() map[string]*string {
	return map[string]*string{
		"template": &t.Template, "outfile": &t.Outfile, "name": &t.Name, "namespace": &t.Namespace, "group": &t.Group,
		"target": &t.Target, "environment": &t.Environment, "application": &t.Application,
	}
}

func (f *settingsFile) readTargets(v any) error {
	list, ok := v.([]any)
	if !ok {
		return errors.New("targets: want a list")
	}
	for i, one := range list {
		var t target
		if err := t.read(one); err != nil {
			return fmt.Errorf("targets[%d]: %w", i, err)
		}
		f.Targets = append(f.Targets, t)
	}
	return nil
}

// read reads one target.
func (t *target) read(v any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return errors.New("want keys and values: template, parameters, outfile …")
	}
	fields := t.fields()
	for _, key := range slices.Sorted(maps.Keys(m)) {
		v := m[key]
		if v == nil {
			continue
		}
		var err error
		switch field := fields[key]; {
		case field != nil:
			*field, err = text(v)
		case key == "parameters":
			t.Parameters, err = textList(v)
		case key == "labels":
			t.Labels, err = textMap(v)
		case key == "annotations":
			t.Annotations, err = textMap(v)
		default:
			return unknownKey(key, append(slices.Sorted(maps.Keys(fields)), "parameters", "labels", "annotations"))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	switch {
	case t.Template == "":
		return errors.New("template is missing")
	case t.Outfile == "-":
		return errors.New("outfile: want a file; --outfile - prints the manifests")
	case t.Target != "" && t.Target != "design" && t.Target != "radius":
		return fmt.Errorf("target: want design or radius, not %q", t.Target)
	}
	return nil
}

// gitTop returns the work tree that a folder lies in, or "".
func gitTop(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
