package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/params"
)

// File is a settings file as it was read.
type File struct {
	Layer
	Path    string
	Base    string // the folder that its paths are relative to
	Text    []byte
	Trusted bool // the user trusts its folder: it may set what the user may
	Targets []Target
	List    string // the keys of the list, such as spec.targets; "" stands for targets. It is spec where a function has one target
}

// PlaceOf returns what messages call a target of the file.
func (f *File) PlaceOf(i int) string { return keyName(f.pathOf(i)) }

// pathOf returns the keys and the index that lead to a target.
func (f *File) pathOf(i int) []string {
	if f.List == "" {
		return []string{"targets", strconv.Itoa(i)}
	}
	path := strings.Split(f.List, ".")
	if f.List == "config" || len(path) > 1 {
		path = append(path, strconv.Itoa(i))
	}
	return path
}

// Target is one manifest that a settings file lists.
type Target struct {
	Layer
	Template, Outfile, Name string
	Parameters              []params.Arg
	DependsOn               []Dependency
}

// Dependency is what the manifest of a target waits for: another target of the list, by its name, or an object of the cluster.
type Dependency struct {
	Target                 string
	APIVersion, Kind, Name string
}

// FileName is where a project keeps its settings.
var FileName = filepath.Join(".rad", "bicep.yaml")

// findSettings looks for the project's settings file: from a folder upward to the top
// of its git work tree, but not beyond the root, or in the folder alone where there is
// no work tree. A repository cannot lead it elsewhere by a link, and a file of another
// user is refused unless the user trusts its folder.
func findSettings(folder, root string, trusted []string) (*File, error) {
	top := cmp.Or(workdir.GitTop(folder), folder)
	if root != "" && !workdir.Within(root, folder) &&
		!workdir.Within(workdir.NewBounds(root).Resolved, workdir.NewBounds(folder).Resolved) {
		return nil, nil // the folder is not in the root
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, FileName)
		if _, err := os.Lstat(name); !source.IsMissing(err) {
			limit := top
			if root != "" && workdir.Within(top, root) {
				limit = root
			}
			return readProjectSettings(name, workdir.NewBounds(limit), trusted)
		}
		if wrong := strings.TrimSuffix(name, ".yaml") + ".yml"; workdir.Exists(wrong) {
			return nil, cli.Fail(cli.ExitUsage, "%s is not read; rename it to %s", shown(wrong), filepath.Base(name))
		}
		if workdir.SameFile(dir, top) || root != "" && workdir.SameFile(dir, root) || filepath.Dir(dir) == dir {
			return nil, nil
		}
	}
}

// readProjectSettings reads the settings file of a project.
func readProjectSettings(path string, limit workdir.Bounds, trusted []string) (*File, error) {
	text, err := limit.ReadFile(path)
	switch {
	case source.IsMissing(err):
		return nil, nil
	case err != nil:
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	f := NewFile(path)
	f.Trusted = IsTrusted(f.Base, trusted)
	if !f.Trusted {
		for _, one := range [...]string{path, filepath.Dir(path)} {
			if owner := foreignOwner(one); owner != "" {
				return nil, cli.Fail(cli.ExitUsage, "%s belongs to %s; it is read if %s in %s lists %s",
					shown(one), owner, KeyTrustedFolders, userSettingsName(), f.Base)
			}
		}
	}
	return f, f.Parse(text)
}

// IsTrusted reports whether the user trusts a folder, by its name or by that of one
// above it.
func IsTrusted(folder string, trusted []string) bool {
	for _, one := range trusted {
		if one == "" || !filepath.IsAbs(one) {
			continue
		}
		if workdir.Within(one, folder) || workdir.Within(workdir.NewBounds(one).Resolved, workdir.NewBounds(folder).Resolved) {
			return true
		}
	}
	return false
}

// ReadUser reads the settings file of the user, who may keep it behind a link.
func ReadUser() (*File, error) {
	path := userSettingsPath()
	if path == "" {
		return nil, nil
	}
	handle, err := source.OpenRegular(path)
	if source.IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	defer handle.Close()
	text, err := source.ReadRegular(handle, path)
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	f := NewFile(path)
	if err := f.Parse(text); err != nil {
		return nil, err
	}
	if len(f.Targets) > 0 {
		return nil, cli.Fail(cli.ExitUsage, "%s: targets belong in a project's %s", shown(f.Path), FileName)
	}
	return f, nil
}

// userSettingsPath returns where the user keeps settings; "" if there is no such place.
func userSettingsPath() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "rad", "bicep.yaml")
}

// userSettingsName is userSettingsPath as messages show it.
func userSettingsName() string {
	path := userSettingsPath()
	if path == "" {
		return "your user configuration"
	}
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join("~", rel)
		}
	}
	return path
}

func NewFile(path string) *File {
	return &File{Path: path, Base: filepath.Dir(filepath.Dir(path)), Layer: Layer{Values: map[string]any{}}}
}

// layer returns what the file says of all targets.
func (f *File) layer() Layer {
	l := f.Layer
	l.where = func(key string) string { return f.where(key) + ": " + key }
	return l
}

// Parse reads the text of the file. An error names the file and, if it is known, the line.
func (f *File) Parse(text []byte) error {
	f.Text = text
	err := f.Read(text)
	if err == nil {
		return nil
	}
	if key, ok := errors.AsType[*keyError](err); ok {
		return cli.Fail(cli.ExitUsage, "%s: %w", f.where(key.line()...), err)
	}
	return cli.Fail(cli.ExitUsage, "%s%w", shown(f.Path), err)
}

// shown returns the path of a settings file as messages name it: from where the user is, if that is a folder of the
// project or above it.
func shown(path string) string {
	if path == userSettingsPath() {
		return userSettingsName()
	}
	cwd, err := os.Getwd()
	if err == nil && (workdir.Within(cwd, path) || workdir.Within(filepath.Dir(filepath.Dir(path)), cwd)) {
		if rel, err := filepath.Rel(cwd, path); err == nil {
			return rel
		}
	}
	return path
}

// where returns the name of the file and the line of a value in it, by the keys and
// indexes that lead to the value.
func (f *File) where(path ...string) string {
	if line := lineOf(f.Text, path); line > 0 {
		return fmt.Sprintf("%s:%d", shown(f.Path), line)
	}
	return shown(f.Path)
}

// keyError is a mistake in a value of a settings file.
type keyError struct {
	path  []string // the keys and indexes that lead to the value
	child string   // the key in the value that is wrong, if the message names it
	err   error
}

func (e *keyError) Error() string {
	if len(e.path) == 0 {
		return e.err.Error()
	}
	return keyName(e.path) + ": " + e.err.Error()
}

func (e *keyError) Unwrap() error { return e.err }

// line returns the keys and indexes that lead to the line of the mistake.
func (e *keyError) line() []string {
	if e.child == "" {
		return e.path
	}
	return append(slices.Clone(e.path), e.child)
}

// inKey returns an error for the value of a key or an index.
func inKey(key string, err error) error {
	var e *keyError
	if !errors.As(err, &e) {
		return &keyError{path: []string{key}, err: err}
	}
	return &keyError{path: append([]string{key}, e.path...), child: e.child, err: e.err}
}

// keyName writes keys and indexes as messages do: targets[0].template.
func keyName(path []string) string {
	name := path[0]
	for _, part := range path[1:] {
		if strings.Trim(part, "0123456789") == "" {
			name += "[" + part + "]"
		} else {
			name += "." + part
		}
	}
	return name
}

// Read reads the text of the file.
func (f *File) Read(text []byte) error {
	var content any
	if err := yaml.UnmarshalStrict(text, &content); err != nil {
		return errors.New(yamlProblem(err, text))
	}
	if line := secondDocument(text); line > 0 {
		return fmt.Errorf(":%d: a second YAML document begins; want one document", line)
	}
	raw, ok := content.(map[string]any)
	if !ok && content != nil {
		return errors.New(": want keys and values")
	}
	names := []string{"labels", "annotations", "targets", KeyRecipes}
	for i := range table {
		names = append(names, table[i].Key)
	}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		v := raw[key]
		if v == nil {
			continue // as if it was not there
		}
		var err error
		if key == KeyRegistryMirrors {
			v = mirrorList(v)
		}
		switch s := Of(key); {
		case s != nil:
			if err = s.check(v); err == nil {
				f.Values[key] = f.resolveSetting(key, v)
			}
		case key == "labels":
			f.Labels, err = textMap(v)
		case key == "annotations":
			f.Annotations, err = textMap(v)
		case key == KeyRecipes:
			if f.Recipes, err = readRecipes(v); err == nil {
				f.Recipes = f.Recipes.At(f.resolve)
			}
		case key == "targets":
			if err := f.ReadTargets(v); err != nil {
				return err
			}
		default:
			if slices.Contains(TargetKeys(), key) {
				return &keyError{child: key, err: fmt.Errorf("the key %q belongs to an entry of targets", key)}
			}
			return unknownKey(key, names)
		}
		if err != nil {
			return inKey(key, err)
		}
	}
	return nil
}

// secondDocument returns the line of the first content after a first YAML document; 0 if there is none.
func secondDocument(text []byte) int {
	if !bytes.Contains(text, []byte("---")) && !bytes.Contains(text, []byte("...")) {
		return 0
	}
	documents := yamlv3.NewDecoder(bytes.NewReader(text))
	for i := 0; ; i++ {
		var document yamlv3.Node
		if documents.Decode(&document) != nil {
			return 0
		}
		if i > 0 && len(document.Content) > 0 && document.Content[0].Tag != "!!null" {
			return document.Content[0].Line
		}
	}
}

// yamlProblem says in one line why a text cannot be read as YAML. It begins with the
// line if that is known, to follow the name of the file: ":2: a tab …".
func yamlProblem(err error, text []byte) string {
	if line := source.ConflictMarker(text); line > 0 {
		return fmt.Sprintf(":%d: a merge conflict is not resolved here; keep one of its sides, and remove the lines of the markers", line)
	}
	message := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
	message = strings.TrimPrefix(message, "yaml: ")
	message = strings.TrimPrefix(message, "unmarshal errors:")
	message = strings.Join(strings.Fields(message), " ")
	message = strings.ReplaceAll(message, "already set in map", "is set twice; keep one of them")
	for i, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line[:len(line)-len(strings.TrimLeft(line, " \t"))], "\t") {
			return fmt.Sprintf(":%d: a tab indents the line; YAML takes blanks only", i+1)
		}
	}
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		return ":" + rest
	}
	return ": " + message
}

func unknownKey(key string, known []string) error {
	hint := cli.DidYouMean(key, known)
	switch {
	case hint != "":
	case len(known) <= 15:
		hint = "; want " + cli.OrList(known)
	default:
		hint = "; remove it ('rad bicep schema settings' lists the keys)"
	}
	return &keyError{child: key, err: fmt.Errorf("unknown key %q%s", key, hint)}
}

// check holds a value of a settings file to the setting's type.
func (s *Setting) check(v any) error {
	var err error
	switch s.Default.(type) {
	case bool:
		if _, ok := v.(bool); !ok {
			err = fmt.Errorf("want true or false, not %v", v)
		}
	case []string:
		_, err = textList(v)
	case time.Duration:
		if _, ok := v.(string); !ok {
			err = fmt.Errorf("want a duration such as 30s or 2m, not %v", v)
		}
	default:
		_, err = textValue(v)
	}
	return err
}

// textValue returns a value that must be a text.
func textValue(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case []any:
		return "", errors.New("want a text, not a list")
	case map[string]any:
		return "", errors.New("want a text, not names and values")
	}
	return "", fmt.Errorf("want a text, not %v; put it into quotes", v)
}

// pathValue returns a value that must be a path.
func pathValue(v any) (string, error) {
	path, err := textValue(v)
	return portable(path), err
}

// textList returns a value that must be a list of texts, or one text.
func textList(v any) ([]string, error) {
	if m, ok := v.(map[string]any); ok {
		example := "name"
		for _, name := range slices.Sorted(maps.Keys(m))[:min(1, len(m))] {
			example = name
		}
		return nil, fmt.Errorf("want a list of texts, such as [\"%s=…\"], not names and values", example)
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	out := make([]string, len(list))
	for i, one := range list {
		if m, ok := one.(map[string]any); ok && len(m) == 1 {
			for name := range m {
				return nil, fmt.Errorf("want \"%s=…\", not %s: …", name, name)
			}
		}
		var err error
		if out[i], err = textValue(one); err != nil {
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
		if out[k], err = textValue(m[k]); err != nil {
			return nil, inKey(k, err)
		}
	}
	return out, nil
}

// resolveSetting returns a setting's value with its path, if it is one, as the
// process sees it.
func (f *File) resolveSetting(key string, v any) any {
	path, ok := v.(string)
	if isPath := Of(key).isPath; ok && isPath != nil && isPath(path) {
		return f.resolve(portable(path))
	}
	return v
}

// portable returns a path of a settings file as all systems read it. Only Windows takes a \ for a separator by itself, and
// the files are shared.
func portable(path string) string {
	if os.PathSeparator == '\\' {
		return path
	}
	return strings.ReplaceAll(path, `\`, "/")
}

// resolve returns a path of the file as the process sees it.
func (f *File) resolve(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(f.Base, filepath.FromSlash(path))
}

func (f *File) ReadTargets(v any) error {
	list, ok := v.([]any)
	if !ok {
		return inKey("targets", errors.New("want a list"))
	}
	for i, one := range list {
		var t Target
		if err := t.Read(one); err != nil {
			return inKey("targets", inKey(strconv.Itoa(i), err))
		}
		f.Targets = append(f.Targets, t)
	}
	return nil
}

// Read reads one target.
func (t *Target) Read(v any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return errors.New("want keys and values: template, parameters, outfile …")
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		v := m[key]
		if v == nil {
			continue
		}
		var err error
		switch s := Of(key); {
		case key == "template":
			t.Template, err = pathValue(v)
		case key == "outfile":
			t.Outfile, err = pathValue(v)
		case key == "name":
			t.Name, err = textValue(v)
		case key == "parameters":
			t.Parameters, err = arguments(v)
		case key == "dependsOn":
			t.DependsOn, err = dependencies(v)
		case key == "labels":
			t.Labels, err = textMap(v)
		case key == "annotations":
			t.Annotations, err = textMap(v)
		case key == KeyRecipes:
			t.Recipes, err = readRecipes(v)
		case s == nil:
			return unknownKey(key, TargetKeys())
		case s.Sets&Listed == 0:
			return &keyError{child: key, err: fmt.Errorf("the key %q belongs to the file, not to one of its targets", key)}
		default:
			err = t.Set(s, v)
		}
		if err != nil {
			return inKey(key, err)
		}
	}
	switch {
	case t.Template == "":
		return errors.New("template is missing")
	case t.Outfile == "-":
		return inKey("outfile", errors.New("want a file; --outfile - prints the manifests"))
	}
	return nil
}

// dependencies reads names of targets, and references to objects.
func dependencies(v any) ([]Dependency, error) {
	wrong := errors.New("want a list of names of targets, and of apiVersion, kind and name of objects")
	list, ok := v.([]any)
	if !ok {
		return nil, wrong
	}
	var all []Dependency
	for i, one := range list {
		if name, ok := one.(string); ok && name != "" {
			all = append(all, Dependency{Target: name})
			continue
		}
		m, err := textMap(one)
		d := Dependency{APIVersion: m["apiVersion"], Kind: m["kind"], Name: m["name"]}
		if err != nil || len(m) != 3 || d.APIVersion == "" || d.Kind == "" || d.Name == "" {
			return nil, inKey(strconv.Itoa(i), wrong)
		}
		all = append(all, d)
	}
	return all, nil
}

// TargetKeys returns the keys that a target may have.
func TargetKeys() []string {
	keys := []string{"template", "outfile", "name", "parameters", "labels", "annotations", "dependsOn", KeyRecipes}
	for _, s := range Listed.All() {
		keys = append(keys, s.Key)
	}
	return keys
}

// Set takes a value of a setting. A text that is empty says nothing.
func (t *Target) Set(s *Setting, v any) error {
	if err := s.check(v); err != nil || v == "" {
		return err
	}
	if err := s.oneOf(v); err != nil {
		return err
	}
	if t.Values == nil {
		t.Values = map[string]any{}
	}
	t.Values[s.Key] = v
	return nil
}

// TargetBase returns the folder that the paths of a target are relative to: the one
// that holds .rad. A path may also be meant from the file itself.
func (f *File) TargetBase(t Target, stat func(path string) (fs.FileInfo, error)) string {
	if _, err := stat(filepath.Join(f.Base, t.Template)); err != nil {
		if _, err := stat(filepath.Join(filepath.Dir(f.Path), t.Template)); err == nil {
			return filepath.Dir(f.Path)
		}
	}
	return f.Base
}

// mirrorList reads the setting registryMirrors, which a settings file may also
// write as names and texts.
func mirrorList(v any) any {
	m, err := textMap(v)
	if err != nil {
		return v
	}
	var list []any
	for from, to := range m {
		list = append(list, from+"="+to)
	}
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	return list
}

// arguments returns a value that must be arguments of --parameters.
func arguments(v any) ([]params.Arg, error) {
	list, err := textList(v)
	if err != nil {
		return nil, err
	}
	args, err := ParseArgs(list)
	for i := range args {
		args[i] = args[i].At(portable)
	}
	return args, err
}

// ParseArgs takes arguments of --parameters apart.
func ParseArgs(list []string) ([]params.Arg, error) {
	args, err := params.ParseArgs(list)
	for i := range args {
		args[i].Label = "--parameters "
	}
	return args, cli.ArgumentError(err)
}
