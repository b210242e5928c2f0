package artifacts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/azlibrary"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/radiusmanifest"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
)

// radiusName is the name that an archive of Radius' types gives itself.
const radiusName = "Radius"

// RadiusTypes are types that take the place of the built-in ones of Radius.
type RadiusTypes struct {
	// Archive is the file of an extension, as LocalExtension returns it.
	Archive []byte
	// Parts say which types are of which source, the built-in ones included.
	Parts []RadiusPart
}

// RadiusPart is a source of resource types.
type RadiusPart struct {
	Source string // as it was given, or the release of the built-in types
	Types  int
}

// RadiusSources are what types of Radius are made from.
type RadiusSources struct {
	// Archive has the types of a release: a file, or a reference to a registry (br:…). If it is "", they are the
	// built-in ones.
	Archive string
	// Release is that of Radius which the project names. It is noted, so that its built-in types can be gone back to.
	Release string
	// Manifests are the paths of Radius manifests of resource types. Their types are added to those of the archive, or replace them.
	Manifests []string
	// Open opens the files. It decides where links may lead.
	Open func(path string) (io.ReadCloser, error)
	// Root is the folder outside of which no link in the cache leads, or "".
	Root      string
	Artifacts bicep.Artifacts
}

// IsReference reports whether a source is of a registry.
func IsReference(source string) bool {
	return strings.HasPrefix(source, "br:") || strings.HasPrefix(source, "br/")
}

// IsManifest reports whether a file is a Radius manifest of resource types, by its name and its content.
func (s RadiusSources) IsManifest(path string) (bool, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml":
		return true, nil
	case ".json":
		text, err := registry.ReadIndex(s.Open, path)
		return radiusmanifest.IsManifest(text), err
	}
	return false, nil
}

// MakeRadiusTypes makes types of Radius from an archive and manifests.
func MakeRadiusTypes(ctx context.Context, s RadiusSources) (*RadiusTypes, error) {
	base, err := s.base(ctx)
	if err != nil {
		return nil, err
	}
	taken := map[string]string{} // the manifest of each type
	for i, path := range s.Manifests {
		if err := base.add(s, i, path, taken); err != nil {
			return nil, err
		}
	}
	packed, err := base.pack()
	if err != nil {
		return nil, err
	}
	content := registry.Content{Main: packed}
	if err := registry.CheckContent(artifact.Extension, content); err != nil {
		return nil, err
	}
	archive, err := registry.WriteLocal(content)
	return &RadiusTypes{Archive: archive, Parts: base.parts}, err
}

// typeFiles are the files of an archive of types.
type typeFiles struct {
	index     *armjson.Object
	resources *armjson.Object // of the index
	names     []string        // of the files of types, in their order
	files     map[string]string
	parts     []RadiusPart
}

// base returns the types of the archive, or the built-in ones.
func (s RadiusSources) base(ctx context.Context) (*typeFiles, error) {
	f := &typeFiles{files: map[string]string{}}
	release := typelib.NearestRadius(s.Release)
	f.put(typelib.RadiusReleaseFile, release)
	if s.Archive == "" {
		index, types, err := typelib.RadiusFiles(release)
		if err != nil {
			return nil, err
		}
		f.put(typelib.RadiusFile, string(types))
		return f, f.setIndex("Radius "+release, string(index))
	}
	published, err := s.published(ctx)
	if err != nil {
		return nil, err
	}
	if err := registry.CheckContent(artifact.Extension, registry.Content{Main: published}); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Archive, err)
	}
	a, err := typelib.NewArchive(published)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Archive, err)
	}
	index := ""
	for name, text := range a.All() {
		switch name {
		case "index.json":
			index = text
		case typelib.RadiusReleaseFile:
		default:
			f.put(name, text)
		}
	}
	if err := a.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Archive, err)
	}
	return f, f.setIndex(s.Archive, index)
}

// published returns the archive in the form in which registries hold it.
func (s RadiusSources) published(ctx context.Context) ([]byte, error) {
	if IsReference(s.Archive) {
		return fetchTypes(ctx, s.Archive, s.Root, s.Artifacts)
	}
	if strings.EqualFold(filepath.Ext(s.Archive), ".json") {
		return ExtensionContent{Index: s.Archive, Open: s.Open}.types()
	}
	data, err := registry.ReadArchive(s.Open, s.Archive)
	switch {
	case err != nil:
		return nil, err
	case !azlibrary.IsGzip(data):
		return nil, fmt.Errorf("%s: this is neither an archive of types (.tgz), "+
			"nor an index of types (index.json), nor a manifest of resource types (.yaml, .yml, .json)", s.Archive)
	}
	if inner, ok := typelib.Published(data); ok {
		return inner, nil
	}
	return data, nil
}

func (f *typeFiles) put(name, text string) {
	f.names = append(f.names, name)
	f.files[name] = text
}

// setIndex reads the index of the archive that has the types of a release.
func (f *typeFiles) setIndex(source, text string) error {
	v, err := armjson.Parse(text, armjson.Options{})
	if err != nil {
		return fmt.Errorf("%s: index.json: %w", source, err)
	}
	var ok bool
	if f.index, ok = v.(*armjson.Object); !ok {
		return fmt.Errorf("%s: index.json is not an index of types", source)
	}
	if name := f.index.Object("settings").Str("name"); name != radiusName {
		if name == "" {
			return fmt.Errorf("%s: index.json does not say of which extension the types are", source)
		}
		return fmt.Errorf("%s: these are the types of the extension %q, not those of %s; "+
			"bicepconfig.json can name this archive under a name of its own", source, name, radiusName)
	}
	f.resources = f.index.Object("resources")
	if f.resources.Len() == 0 {
		return fmt.Errorf("%s: there is no resource type in it", source)
	}
	f.parts = []RadiusPart{{source, f.resources.Len()}}
	return nil
}

// add adds the types of a manifest. They replace those of the same name and version.
func (f *typeFiles) add(s RadiusSources, i int, path string, taken map[string]string) error {
	text, err := registry.ReadIndex(s.Open, path)
	if err != nil {
		return err
	}
	made, err := radiusmanifest.Convert(text)
	if err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	name := fmt.Sprintf("manifests/%d.json", i+1)
	for f.files[name] != "" {
		name = "more/" + name
	}
	v, err := armjson.ParseBytes(made.Index, armjson.Options{})
	if err != nil {
		return err
	}
	o, _ := v.(*armjson.Object)
	added := o.Object("resources")
	for key, at := range added.All() {
		if other := taken[strings.ToLower(key)]; other != "" {
			return fmt.Errorf("%s and %s both declare %s; name one of them", other, path, key)
		}
		taken[strings.ToLower(key)] = path
		for old := range f.resources.All() {
			if strings.EqualFold(old, key) {
				f.resources.Delete(old)
				f.parts[0].Types--
				break
			}
		}
		place, _ := at.(*armjson.Object)
		_, element, _ := strings.Cut(place.Str("$ref"), "#")
		f.resources.Set(key, armjson.NewObject(armjson.Member{Key: "$ref", Value: armjson.String(name + "#" + element)}))
	}
	f.put(name, string(made.Types))
	f.parts = append(f.parts, RadiusPart{path, added.Len()})
	return nil
}

// pack makes an archive of the files in the form in which registries hold it.
func (f *typeFiles) pack() ([]byte, error) {
	names, texts := []string{"index.json"}, []string{string(armjson.Append(nil, f.index, "  "))}
	for _, name := range f.names {
		names, texts = append(names, name), append(texts, f.files[name])
	}
	return registry.PackFiles(names, texts)
}

// RadiusConfig is the configuration in which a project names its types of Radius.
type RadiusConfig struct {
	Path string // of the bicepconfig.json, which may not be there yet
	Was  string // what it says of the extension radius, or ""
	// Release is that of Radius which the folder names, or did before its types were imported; "" if it is not known.
	Release string
	text    []byte
}

// FindRadiusConfig finds the bicepconfig.json of the files in a folder. If there is none, it is the one that the folder could have.
func FindRadiusConfig(r bicep.Request, folder string) (*RadiusConfig, error) {
	found := config.NewLoader(r.FS).WithFile(r.Config).For(filepath.Join(folder, "main.bicep"))
	if len(found.Problems) > 0 {
		return nil, errors.New(found.Problems[0].Message())
	}
	c := &RadiusConfig{Path: found.Path, Release: bicep.RadiusTypesOf(r, filepath.Join(folder, "main.bicep")).Release}
	if c.Path == "" {
		c.Path = filepath.Join(folder, config.FileName)
		return c, nil
	}
	text, err := r.FS.ReadFile(c.Path)
	if err != nil {
		return nil, err
	}
	c.text = text
	if c.Was, err = config.NamedExtension(text, "radius"); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	return c, nil
}

// With returns the text of the configuration that names a reference as the extension radius.
func (c *RadiusConfig) With(reference string) ([]byte, error) {
	text, err := config.SetExtension(c.text, "radius", reference)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	return text, nil
}
