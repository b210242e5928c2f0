package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// maxChain is how many files "extends" may string together.
const maxChain = 64

// Loader finds and reads configurations, each once. It may be used by several
// goroutines.
type Loader struct {
	fs source.FS

	mu    sync.Mutex
	dirs  map[string]*Config // by directory of a source file
	files map[string]*Config // by path of a configuration file

	release    release.Version
	builtIn    *Config
	extensions map[string]string // that replace those of configurations
	file       string            // the configuration of every file; "" if each has the nearest
	clouds     string            // the text of BICEP_TRUSTED_CLOUDS

	earlier map[string]*Config // by path; see Reuse
}

// NewLoader returns a loader that reads from fsys.
func NewLoader(fsys source.FS) *Loader {
	return &Loader{fs: fsys, dirs: map[string]*Config{}, files: map[string]*Config{}, builtIn: builtIn()}
}

// WithExtensions has the loader replace what configurations say of extensions, by
// name. It is called before the first file is read.
func (l *Loader) WithExtensions(extensions map[string]string) *Loader {
	l.extensions = extensions
	if len(extensions) > 0 {
		l.builtIn = BuiltIn()
		l.builtIn.Release = l.release
		maps.Copy(l.builtIn.extensions, extensions)
	}
	return l
}

// WithRelease has the loader read configurations as a release of Bicep does. It is called before
// the others.
func (l *Loader) WithRelease(v release.Version) *Loader {
	if v != l.release {
		l.release, l.builtIn = v, BuiltIn()
		l.builtIn.Release = v
	}
	return l
}

// WithFile has the loader give every file the configuration at a path, unless that is
// "". It may lie where other files cannot be read. It is called before the first file is read.
func (l *Loader) WithFile(path string) *Loader {
	if l.file = path; path == "" {
		return l
	}
	var outside *source.OutsideError
	if _, err := l.fs.Stat(path); errors.As(err, &outside) {
		l.fs = source.Disk{}
	}
	return l
}

// WithTrustedClouds has the loader accept the clouds in the text of BICEP_TRUSTED_CLOUDS. It is
// called before the first file is read.
func (l *Loader) WithTrustedClouds(text string) *Loader {
	l.clouds = text
	return l
}

// Reuse has the loader return c in place of an equal configuration. Package graph compares
// configurations by their addresses (pkg/bicep/workspace.go says why). It is called before the first
// file is read.
func (l *Loader) Reuse(c *Config) {
	if c.Path == "" || len(c.Problems) > 0 {
		return
	}
	if l.earlier == nil {
		l.earlier = map[string]*Config{}
	}
	l.earlier[c.Path] = c
}

// BuiltIn returns the configuration of a file that has no bicepconfig.json.
func BuiltIn() *Config {
	c, err := bind(defaults(release.Default), "", release.Default)
	if err != nil {
		panic("config: the built-in configuration does not fit: " + err.Error())
	}
	return c
}

// builtIn is BuiltIn for those who do not change it.
var builtIn = sync.OnceValue(BuiltIn)

// For returns the configuration of the source file at path.
func (l *Loader) For(path string) *Config {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != "" {
		return l.load(l.file)
	}
	return l.forDir(filepath.Dir(path))
}

// forDir looks in dir and above, and remembers the answer for every directory
// on the way.
func (l *Loader) forDir(dir string) *Config {
	if c, ok := l.dirs[dir]; ok {
		return c
	}
	var c *Config
	name := filepath.Join(dir, FileName)
	info, err := l.fs.Stat(name)
	var outside *source.OutsideError
	switch {
	case err == nil && !info.IsDir():
		c = l.load(name)
	case errors.As(err, &outside) && !outside.Link: // the folder is above the root
		c = l.builtIn
	case errors.Is(err, fs.ErrNotExist) && source.IsLink(l.fs, name):
		c = l.broken(diag.BCP272.With(diag.File(name), "it is a link to a file that does not exist"))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		c = l.broken(diag.BCP274.With(diag.File(dir), reason(err)))
	default:
		if up := filepath.Dir(dir); up != dir {
			c = l.forDir(up)
		} else {
			c = l.builtIn
		}
	}
	l.dirs[dir] = c
	return c
}

// broken returns the built-in configuration, with what is wrong with another.
func (l *Loader) broken(problem *diag.Problem) *Config {
	c := *l.builtIn
	c.Problems = []*diag.Problem{problem}
	return &c
}

// load reads a configuration file and those that it extends.
func (l *Loader) load(leaf string) *Config {
	if c, ok := l.files[leaf]; ok {
		return c
	}
	c, problem := l.chain(leaf)
	if problem != nil {
		c = l.broken(problem)
	}
	if old := l.earlier[leaf]; old != nil && reflect.DeepEqual(old, c) {
		c = old
	}
	l.files[leaf] = c
	return c
}

// chain reads leaf and what it extends, lays them over the built-in settings,
// the outermost first, and reads the settings out of the result.
func (l *Loader) chain(leaf string) (*Config, *diag.Problem) {
	var layers []*armjson.Object
	var names []string
	for name := leaf; name != ""; {
		layer, next, problem := l.layer(name)
		if problem != nil {
			return nil, problem
		}
		layers, names = append(layers, layer), append(names, name)
		if next == "" {
			break
		}
		for i, seen := range names {
			if seen == next {
				chain := append(names[i:], next)
				return nil, diag.BCP454.With(diag.File(leaf), diag.Words{Text: strings.Join(chain, " -> "), Files: chain})
			}
		}
		if len(layers) >= maxChain {
			return nil, diag.BCP455.With(diag.File(leaf))
		}
		name = next
	}
	tree := defaults(l.release)
	for i := len(layers) - 1; i >= 0; i-- {
		layers[i].Delete("extends")
		tree = merge(tree, layers[i]).(*armjson.Object)
	}
	c, err := bind(tree, leaf, l.release)
	if err != nil {
		return nil, diag.BCP273.With(diag.File(leaf), err.Error())
	}
	maps.Copy(c.extensions, l.extensions)
	if l.release.Has(release.TrustedClouds) {
		if problem := l.trust(c.Cloud, leaf); problem != nil {
			return nil, problem
		}
	}
	if c.Constraint != nil && !c.Constraint.Holds(l.release) && l.release.Has(release.VersionConstraints) {
		c.Problems = append(c.Problems, diag.BCP456.With(diag.File(leaf), c.Constraint.Text, l.release.String()))
	}
	return c, nil
}

// layer reads one file; next is the file that it extends, if any.
func (l *Loader) layer(name string) (_ *armjson.Object, next string, _ *diag.Problem) {
	text, err := l.fs.ReadFile(name)
	if err != nil {
		return nil, "", diag.BCP272.With(diag.File(name), reason(err))
	}
	v, err := armjson.ParseBytes(text, armjson.Options{Comments: true, MaxDepth: 64})
	if err != nil {
		return nil, "", diag.BCP271.With(diag.File(name), placed(err, name, text))
	}
	o, ok := v.(*armjson.Object)
	if !ok {
		return nil, "", diag.BCP273.With(diag.File(name), "it must hold an object")
	}
	e, ok := o.Get("extends")
	if !ok || !l.release.Has(release.ConfigExtends) || e == (armjson.Null{}) {
		return o, "", nil
	}
	base, ok := e.(armjson.String)
	if !ok {
		return nil, "", diag.BCP273.With(diag.File(name), `"extends" must be a string`)
	}
	path := string(base)
	switch {
	case strings.TrimSpace(path) == "":
		return o, "", nil
	case strings.HasPrefix(path, "/"), strings.HasPrefix(path, `\`), filepath.IsAbs(path):
		return nil, "", diag.BCP453.With(diag.File(name))
	}
	return o, filepath.Join(filepath.Dir(name), filepath.FromSlash(path)), nil
}

// placed says where a text is not JSON, in the lines and columns that editors show.
func placed(err error, name string, text []byte) string {
	var bad *armjson.SyntaxError
	if !errors.As(err, &bad) {
		return err.Error()
	}
	p := source.NewFile(name, string(text)).Position(int32(bad.Offset))
	return fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, bad.Problem)
}

// reason is the part of a file error that does not repeat the name.
func reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

// merge lays over on top of base: objects member by member, anything else
// replaces what was there, and null leaves it.
func merge(base, over armjson.Value) armjson.Value {
	if _, ok := over.(armjson.Null); ok {
		return base
	}
	b, ok := base.(*armjson.Object)
	if !ok {
		return over
	}
	o, ok := over.(*armjson.Object)
	if !ok {
		return over
	}
	for k, v := range o.All() {
		if old, ok := b.Get(k); ok {
			v = merge(old, v)
		}
		b.Set(k, v)
	}
	return b
}

// binder reads typed settings out of the merged tree; the first that does not
// fit stops it.
type binder struct{ err error }

func (b *binder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
}

// object returns a member that must be an object; one that is missing is empty.
func (b *binder) object(o *armjson.Object, key string) *armjson.Object {
	v, ok := o.Get(key)
	if !ok {
		return &armjson.Object{}
	}
	m, ok := v.(*armjson.Object)
	if !ok {
		b.fail("%q must be an object", key)
		return &armjson.Object{}
	}
	return m
}

func (b *binder) boolean(o *armjson.Object, key string) bool {
	v, ok := o.Get(key)
	if !ok {
		return false
	}
	t, ok := v.(armjson.Bool)
	if !ok {
		b.fail("%q must be true or false", key)
	}
	return bool(t)
}

// text returns a member that must be a string or null, or nil.
func (b *binder) text(o *armjson.Object, key string) *string {
	v, ok := o.Get(key)
	if !ok || v == (armjson.Null{}) {
		return nil
	}
	t, ok := v.(armjson.String)
	if !ok {
		b.fail("%q must be a string", key)
		return nil
	}
	s := string(t)
	return &s
}

// bind turns the merged settings into a Config.
func bind(tree *armjson.Object, path string, v release.Version) (*Config, error) {
	b := &binder{}
	c := &Config{Release: v, Path: path, FeaturesWarning: b.boolean(tree, "experimentalFeaturesWarning")}

	cloud := b.object(tree, "cloud")
	c.Cloud, c.Credentials = b.profile(cloud), b.credentials(cloud)
	c.Constraint = b.constraint(tree, v)
	if v.Has(release.DocumentationValues) {
		if _, ok := b.object(b.object(tree, "documentation"), "template").Get("values"); ok {
			b.fail(`"documentation.template" cannot hold "values"`)
		}
	}

	aliases := b.object(tree, "moduleAliases")
	c.ociAlias = map[string]OCIAlias{}
	for name, v := range b.object(aliases, "br").All() {
		if o := b.member(name, v); o != nil {
			c.ociAlias[name] = OCIAlias{b.text(o, "registry"), b.text(o, "modulePath")}
		}
	}
	c.tsAlias = map[string]TemplateSpecAlias{}
	for name, v := range b.object(aliases, "ts").All() {
		if o := b.member(name, v); o != nil {
			c.tsAlias[name] = TemplateSpecAlias{b.text(o, "subscription"), b.text(o, "resourceGroup")}
		}
	}
	c.mockAlias = map[string]*string{}
	for name, v := range b.object(b.object(tree, "moduleAliasesMock"), "br").All() {
		if o := b.member(name, v); o != nil {
			c.mockAlias[name] = b.text(o, "mapToFilePath")
		}
	}

	c.extensions = map[string]string{}
	for name, v := range b.object(tree, "extensions").All() {
		s, ok := v.(armjson.String)
		if !ok {
			b.fail("the extension %q must be a string", name)
			continue
		}
		c.extensions[name] = string(s)
	}
	if v, ok := tree.Get("implicitExtensions"); ok {
		list, _ := v.(armjson.Array) // anything but an array counts as empty
		for _, item := range list {
			switch s := item.(type) {
			case armjson.String:
				c.Implicit = append(c.Implicit, string(s))
			case armjson.Null:
			default:
				b.fail(`"implicitExtensions" must hold strings`)
			}
		}
	}

	if v, ok := tree.Get("analyzers"); ok {
		if c.Analyzers.tree, ok = v.(*armjson.Object); !ok {
			b.fail(`"analyzers" must be an object`)
		}
		b.linter(c.Analyzers)
	}
	c.Formatting = b.formatting(tree)
	if s := b.text(tree, "cacheRootDirectory"); s != nil {
		c.CacheRoot = expandHome(*s)
	}
	enabled := b.object(tree, "experimentalFeaturesEnabled")
	for i := range features {
		if on := b.boolean(enabled, features[i].key); features[i].isOf(v) {
			*features[i].field(&c.Features) = on
		}
	}
	return c, b.err
}

// constraint reads "bicep.version". Releases that do not know it read nothing there.
func (b *binder) constraint(tree *armjson.Object, v release.Version) *Constraint {
	knows := v.Has(release.VersionConstraints)
	value, _ := tree.Get("bicep")
	o, ok := value.(*armjson.Object)
	if !ok {
		if knows && value != nil && value != (armjson.Null{}) {
			b.fail(`"bicep" must be an object`)
		}
		return nil
	}
	value, _ = o.Get("version")
	text, ok := value.(armjson.String)
	if !ok {
		if knows && value != nil && value != (armjson.Null{}) {
			b.fail(`"bicep.version" must be a string`)
		}
		return nil
	}
	r, err := release.ParseConstraint(string(text))
	if err != nil {
		if knows {
			b.fail("%w", err)
		}
		return nil
	}
	return &Constraint{Text: string(text), Range: r}
}

func (b *binder) member(name string, v armjson.Value) *armjson.Object {
	switch v := v.(type) {
	case *armjson.Object:
		return v
	case armjson.Null:
		return nil
	}
	b.fail("the alias %q must be an object", name)
	return nil
}

// expandHome replaces a leading ~ by the user's home directory.
func expandHome(dir string) string {
	if dir != "~" && !strings.HasPrefix(dir, "~/") && !strings.HasPrefix(dir, `~\`) {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return dir
	}
	return home + dir[1:]
}

// CacheDir returns the directory of restored artifacts.
func (c *Config) CacheDir() string {
	if strings.TrimSpace(c.CacheRoot) != "" {
		return c.CacheRoot
	}
	return DefaultCacheDir()
}

// DefaultCacheDir returns the directory of restored artifacts where no configuration
// names one; "" if there is no home directory.
func DefaultCacheDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".bicep")
}
