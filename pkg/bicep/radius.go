package bicep

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/spell"
)

// RadiusRelease is the newest release of Radius whose types are built in.
const RadiusRelease = typelib.RadiusRelease

// RadiusReleases returns the releases of Radius whose types are built in, newest first.
func RadiusReleases() []string { return typelib.RadiusReleases() }

// Replaced is an artifact of Radius that built-in types stand in for, and that may have other types.
type Replaced struct {
	Reference string
	Release   string // whose types stand in for it
	Unknown   bool   // its tag is that of a release that is not built in, so mistakes are warnings
}

// replaced lists the artifacts that may have other types than those that stand in for them.
func (c *compilation) replaced() (list []Replaced) {
	add := func(a *artifact.Reference, builtIn string) {
		if a == nil || builtIn == "" {
			return
		}
		order, ok := typelib.CompareRadius(a.Tag)
		one := Replaced{a.String(), typelib.NearestRadius(a.Tag), ok}
		if (!ok || order != 0) && !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	for _, f := range c.files.Files {
		for i := range f.Implicit {
			add(f.Implicit[i].Artifact, f.Implicit[i].BuiltIn)
		}
		for _, r := range f.References {
			add(r.Artifact, r.BuiltIn)
		}
	}
	return list
}

// standIn notes what built-in types stand in for. Where they are those of another release, which types there are is not known.
func (c *compilation) standIn(r *Result) {
	r.Replaced = c.replaced()
	if slices.ContainsFunc(r.Replaced, func(one Replaced) bool { return one.Unknown }) {
		for i := range r.Findings {
			r.Findings[i].ResourceType = ""
		}
	}
	if c.request.Artifacts.BuiltIn == BuiltInAlways {
		r.Replaced = nil
	}
}

// RadiusTypes are the resource types of Radius that a file has, or would have.
type RadiusTypes struct {
	Names    []string // with their versions
	Release  string   // whose built-in types these are; of imported ones, that which was named before; "" for others
	Tag      string   // that its configuration names; "" if it names none
	declared bool     // the file says `extension radius`, or its configuration does
}

// RadiusTypesOf returns the resource types that a file has by the extension radius: what its own statement names, or
// else Artifacts.Extensions, or its configuration. The file may be missing. It is read, but not compiled, and nothing is fetched.
func RadiusTypesOf(r Request, path string) (t RadiusTypes) {
	c := config.NewLoader(r.FS).WithFile(r.Config).WithExtensions(r.Artifacts.Extensions).For(path)
	e, _ := c.Extension("radius")
	named, in := e.Value, c.Path
	use := func(name, reference, where string) {
		a, _ := artifact.Parse(reference, artifact.Extension, c)
		if name == "radius" || a != nil && a.BuiltIn() == "radius" {
			t.declared, named, in = true, reference, where
		}
	}
	configured := func(name string) {
		e, _ := c.Extension(name)
		use(name, e.Value, c.Path)
	}
	for _, name := range c.Implicit {
		configured(name)
	}
	tree, err := parseFile(r.FS, path)
	for i := 0; err == nil && i < len(tree.Stmts); i++ {
		x, _ := tree.Stmts[i].(*syntax.Extension)
		if x == nil {
			continue
		}
		switch spec := x.Spec.(type) {
		case *syntax.Ident:
			configured(spec.Name)
		case *syntax.String: // what an artifact is called in a registry is its name, too
			if reference, ok := spec.Literal(); ok {
				name, _, _ := strings.Cut(reference[strings.LastIndexAny(reference, "/\\")+1:], ":")
				use(name, reference, path)
			}
		}
	}
	a, problem := artifact.Parse(named, artifact.Extension, c)
	switch {
	case problem != nil:
		a = &artifact.Reference{} // such as builtin:
	case a.Scheme == artifact.Local:
		if t.read(r.FS, filepath.Join(filepath.Dir(in), filepath.FromSlash(a.Path))) {
			return t
		}
	case a.BuiltIn() != "radius":
		a.Tag = ""
	}
	t.Tag, t.Release = a.Tag, typelib.NearestRadius(a.Tag)
	t.Names = typelib.RadiusOf(t.Release).Names()
	return t
}

// read takes the types from an archive.
func (t *RadiusTypes) read(fsys source.FS, path string) bool {
	data, err := fsys.ReadFile(path)
	if err != nil {
		return false
	}
	archive, err := typelib.NewLocalArchive(data)
	if err != nil {
		return false
	}
	library, err := typelib.OpenLibrary(archive)
	if err != nil {
		return false
	}
	t.Names, t.Release = library.Names(), library.RadiusRelease()
	return true
}

func (t RadiusTypes) has(name string) bool {
	return slices.ContainsFunc(t.Names, func(known string) bool { return strings.EqualFold(known, name) })
}

// UnknownRadiusTypes returns what says what a finding that a resource type is unknown means where the type is called as those
// of Radius are: why it is unknown, and which may be meant. ok is false for any other finding.
func UnknownRadiusTypes(r Request) func(f report.Finding) (message string, ok bool) {
	files := map[string]RadiusTypes{}
	return func(f report.Finding) (message string, ok bool) {
		name := f.ResourceType
		if _, rest, ok := strings.Cut(name, ":"); ok { // alias:Type
			name = rest
		}
		lower := strings.ToLower(name)
		if f.Severity != report.Warning || !strings.HasPrefix(lower, "applications.") && !strings.HasPrefix(lower, "radius.") {
			return "", false
		}
		t, ok := files[f.Path]
		if !ok {
			t = RadiusTypesOf(r, f.Path)
			files[f.Path] = t
		}
		return t.unknown(name), true
	}
}

// unknown says why a resource type is unknown.
func (t RadiusTypes) unknown(name string) string {
	const asked = ", so Azure would be asked for it"
	if t.has(name) && !t.declared {
		return fmt.Sprintf("The resource type %q is of Radius, but the file does not say `extension radius`%s.", name, asked)
	}
	for _, release := range RadiusReleases() {
		if (RadiusTypes{Names: typelib.RadiusOf(release).Names()}).has(name) {
			return fmt.Sprintf("The extension radius of this project has no resource type %q%s. Radius %s has the type; "+
				"see what bicepconfig.json says under extensions.", name, asked, release)
		}
	}
	if near := nearestRadiusType(name, t.Names); near != "" {
		return fmt.Sprintf("Radius has no resource type %q%s; did you mean %q?", name, asked, near)
	}
	return fmt.Sprintf("Radius has no resource type %q%s; #disable-next-line BCP081 above the line lets it pass.", name, asked)
}

// nearestRadiusType returns that of some resource types of Radius, with their versions, which
// somebody who wrote a type that does not exist may have meant; "" if it is like none.
func nearestRadiusType(name string, known []string) string {
	kind, _, _ := strings.Cut(name, "@")
	family, leaf, _ := strings.Cut(kind, "/")
	var families []string
	for _, t := range known {
		f, _, _ := strings.Cut(t, "/")
		families = append(families, f)
	}
	family = closest(family, families)
	var leaves []string
	for _, t := range known {
		if kind, _, _ := strings.Cut(t, "@"); strings.HasPrefix(kind, family+"/") {
			leaves = append(leaves, kind[len(family)+1:])
		}
	}
	kind = family + "/" + closest(leaf, leaves)
	for _, t := range known {
		if strings.HasPrefix(t, kind+"@") && t != name {
			return t
		}
	}
	return ""
}

// RadiusTypeCount returns how many resource types a release of Radius has.
func RadiusTypeCount(release string) int { return len(typelib.RadiusOf(release).Names()) }

// closest returns the word of a list that is the given one, but for letter case, or
// else the nearest.
func closest(word string, list []string) string {
	for _, w := range list {
		if strings.EqualFold(w, word) {
			return w
		}
	}
	return spell.Nearest(word, list)
}
