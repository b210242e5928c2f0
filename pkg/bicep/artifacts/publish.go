package artifacts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/radiusmanifest"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// PublishTarget says where something is published.
type PublishTarget struct {
	// Reference is br:HOST/PATH:TAG, or br/ALIAS:PATH:TAG.
	Reference string
	// Folder is the one whose bicepconfig.json defines the alias.
	Folder string
	// Config is the configuration that is used in place of that one; "" for none.
	Config string
	// FS is as in Request.
	FS source.FS
	// Force replaces what the tag names.
	Force bool
	// PlainHTTP asks for HTTP without TLS, which is spoken with this machine only.
	PlainHTTP bool
	Artifacts bicep.Artifacts
}

// ModuleContent is a module to publish.
type ModuleContent struct {
	Template      []byte
	Source        []byte // as SourceArchive makes it, or nil
	Documentation string // the address of a page, or ""
}

// ExtensionContent is an extension to publish.
type ExtensionContent struct {
	// Index is the path of an index.json, or of a Radius manifest of resource types.
	Index    string
	Binaries map[string]string // paths of programs, by architecture
	// Open opens these files. It decides where links may lead.
	Open func(path string) (io.ReadCloser, error)
}

// PublishModule publishes a module, and returns the digest of its manifest.
func PublishModule(ctx context.Context, target PublishTarget, m ModuleContent) (string, error) {
	v, err := armjson.ParseBytes(m.Template, armjson.Options{Comments: true})
	o, ok := v.(*armjson.Object)
	if err != nil || !ok {
		return "", errors.New("what is to be published is not a template: it is not a JSON object")
	}
	content := registry.Content{Main: m.Template, Source: m.Source, Documentation: m.Documentation, Description: description(o)}
	return publish(ctx, target, artifact.Module, content)
}

// description returns what a template's metadata says of it.
func description(template *armjson.Object) string {
	v, _ := template.Get("metadata")
	if metadata, ok := v.(*armjson.Object); ok {
		v, _ := metadata.Get("description")
		if s, ok := v.(armjson.String); ok {
			return strings.TrimSpace(string(s))
		}
	}
	return ""
}

// PublishExtension publishes an extension, and returns the digest of its manifest. A
// target that is a path becomes a file, and the digest is "".
func PublishExtension(ctx context.Context, target PublishTarget, e ExtensionContent) (string, error) {
	types, err := e.types()
	if err != nil {
		return "", err
	}
	content := registry.Content{Main: types, Binaries: map[string][]byte{}}
	for arch, path := range e.Binaries {
		if content.Binaries[arch], err = registry.ReadBinary(e.Open, path); err != nil {
			return "", err
		}
	}
	return publish(ctx, target, artifact.Extension, content)
}

// types returns the archive of an extension's types.
func (e ExtensionContent) types() ([]byte, error) {
	text, err := registry.ReadIndex(e.Open, e.Index)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(filepath.Ext(e.Index), ".json") && !radiusmanifest.IsManifest(text) {
		return registry.PackTypes(e.Index, text)
	}
	files, err := radiusmanifest.Convert(text)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", e.Index, err)
	}
	return registry.PackFiles([]string{"index.json", "types.json"}, []string{string(files.Index), string(files.Types)})
}

// LocalExtension returns the archive that `extension` takes by a path.
func LocalExtension(e ExtensionContent) ([]byte, error) {
	types, err := e.types()
	if err != nil {
		return nil, err
	}
	content := registry.Content{Main: types, Binaries: map[string][]byte{}}
	if err := registry.CheckContent(artifact.Extension, content); err != nil {
		return nil, err
	}
	for arch, path := range e.Binaries {
		if content.Binaries[arch], err = registry.ReadBinary(e.Open, path); err != nil {
			return nil, err
		}
	}
	return registry.WriteLocal(content)
}

// IsLocalExtension reports whether the content of a file is an archive as LocalExtension returns it.
func IsLocalExtension(content []byte) bool {
	a, err := typelib.NewLocalArchive(content)
	if err != nil {
		return false
	}
	_, err = a.File("index.json")
	return err == nil
}

// TargetError says why nothing can be published to a target.
type TargetError struct{ Reference, Problem string }

// Error names the reference, and what is wrong with it.
func (e *TargetError) Error() string { return e.Reference + ": " + e.Problem }

func (t PublishTarget) refuse(format string, args ...any) error {
	return &TargetError{t.Reference, fmt.Sprintf(format, args...)}
}

// CheckTarget reports what is wrong with a target, before work is done for it. The error
// may be a *TargetError.
func CheckTarget(target PublishTarget) error {
	_, err := target.parse(artifact.Module)
	return err
}

// config returns the configuration of what is published.
func (t PublishTarget) config() *config.Config {
	return config.NewLoader(t.FS).WithFile(t.Config).For(filepath.Join(t.Folder, "main.bicep"))
}

func (t PublishTarget) parse(kind artifact.Type) (*artifact.Reference, error) {
	if t.FS == nil {
		return nil, bicep.ErrNoFS
	}
	c := t.config()
	if len(c.Problems) > 0 {
		return nil, errors.New(c.Problems[0].Message())
	}
	// An alias may name the place of an extension, too.
	a, problem := artifact.Parse(t.Reference, artifact.Module, c)
	switch {
	case problem != nil:
		return nil, errors.New(problem.Message())
	case a.Scheme != artifact.OCI:
		return nil, t.refuse("want br:HOST/PATH:TAG")
	case a.Tag == "":
		return nil, t.refuse("an artifact is published under a tag, not under a digest")
	case !a.Trusted(t.Artifacts.Trusted):
		return nil, t.refuse("the registry %s is not trusted; list it in BICEP_TRUSTED_REGISTRIES", a.Registry)
	case t.PlainHTTP && !registry.IsLoopback(a.Registry):
		return nil, t.refuse("HTTP without TLS is spoken with localhost only, and %s is another host", a.Registry)
	case t.Artifacts.Offline:
		return nil, t.refuse("the run is offline, so nothing can be published")
	}
	a.Type = kind
	return a, nil
}

func publish(ctx context.Context, target PublishTarget, kind artifact.Type, content registry.Content) (string, error) {
	a, err := target.parse(kind)
	if err != nil {
		return "", err
	}
	if err := registry.CheckContent(kind, content); err != nil {
		return "", err
	}
	content.Created = time.Now()
	client := client(target.Artifacts, target.config())
	defer client.Close()
	digest, err := client.Publish(ctx, a, content, target.Force)
	switch {
	case errors.Is(err, registry.ErrExists):
		return "", &report.HintedError{Text: fmt.Sprintf("%s exists already", a), Hint: report.HintReplaceTag}
	case err != nil && ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("%s could not be published: %w", a, err)
	}
	return digest, nil
}
