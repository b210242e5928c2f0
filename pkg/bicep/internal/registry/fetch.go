package registry

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
)

// Fetch fetches an artifact into the cache below a root, and says what it is. With
// a digest, the artifact of that digest is fetched, whatever its tag means now. What
// the cache holds already, or another process puts there meanwhile, is not downloaded,
// unless again says so.
func (c *Client) Fetch(ctx context.Context, a *artifact.Reference, digest, root string, again bool) (_ lockfile.Entry, err error) {
	defer func() { err = c.hide(err) }()
	m, err := c.manifest(ctx, a, digest)
	if err != nil {
		return lockfile.Entry{}, err
	}
	stage, err := cache.NewStage(a, root)
	if err != nil {
		return lockfile.Entry{}, err
	}
	defer stage.Close()
	if !again && stage.Alone(ctx, m.entry.Digest, m.files(stage)) && !m.hasSettings() {
		return m.entry, nil
	}
	if err := c.layers(ctx, a, m, stage); err != nil {
		return lockfile.Entry{}, err
	}
	if err := ctx.Err(); err != nil {
		return lockfile.Entry{}, err
	}
	return m.entry, stage.Commit(ctx, m.data)
}

// Resolve says what an artifact is, without fetching it.
func (c *Client) Resolve(ctx context.Context, a *artifact.Reference) (lockfile.Entry, error) {
	m, err := c.manifest(ctx, a, "")
	if err != nil {
		return lockfile.Entry{}, c.hide(err)
	}
	return m.entry, nil
}

// manifest is an artifact's manifest that is as it should be.
type manifest struct {
	data   []byte
	entry  lockfile.Entry
	main   descriptor
	source *descriptor
	config descriptor
	layers []descriptor
}

// manifest fetches the manifest of an artifact and checks it.
func (c *Client) manifest(ctx context.Context, a *artifact.Reference, want string) (*manifest, error) {
	data, host, err := c.manifestData(ctx, a, want)
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(data, a.Type)
	if err != nil {
		return nil, fmt.Errorf("the artifact that %s sent is not usable: %w", host, err)
	}
	return m, nil
}

// manifestData fetches the manifest of an artifact, verified if its digest is known, and says
// which host sent it. A manifest whose digest is known is downloaded once.
func (c *Client) manifestData(ctx context.Context, a *artifact.Reference, want string) (data []byte, host string, err error) {
	want = cmp.Or(want, a.Digest)
	host, _ = c.place(a)
	if want == "" {
		if data, err = c.downloadManifest(ctx, a, host, ""); err == nil {
			m := c.known(cache.Digest(data))
			m.mu.Lock()
			m.data = data
			m.mu.Unlock()
		}
		return data, host, err
	}
	m := c.known(want)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data == nil {
		if m.data, err = c.downloadManifest(ctx, a, host, want); err != nil {
			return nil, "", err
		}
	}
	return m.data, host, nil
}

// known returns what is known of the manifest of a digest.
func (c *Client) known(digest string) *knownManifest {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.manifests[digest]
	if m == nil {
		m = &knownManifest{}
		c.manifests[digest] = m
	}
	return m
}

// knownManifest is a verified manifest, once someone has downloaded it.
type knownManifest struct {
	mu   sync.Mutex
	data []byte
}

// downloadManifest fetches a manifest by its digest, or by the artifact's tag.
func (c *Client) downloadManifest(ctx context.Context, a *artifact.Reference, host, digest string) (data []byte, err error) {
	ctx, stop := c.budget(ctx, 0)
	defer stop()
	var claimed string
	err = c.with(ctx, a, false, func(ctx context.Context, r *repository) (err error) {
		data, claimed, err = r.manifest(ctx, cmp.Or(digest, a.Tag), a.Type)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(data) > maxManifest {
		return nil, fmt.Errorf("the manifest that %s sent has more than %d MiB", host, maxManifest>>20)
	}
	got := cache.Digest(data)
	if digest != "" && got != digest {
		return nil, fmt.Errorf("%s sent a manifest with the digest %s, and %s was asked for", host, got, digest)
	}
	if claimed != "" && got != claimed {
		return nil, fmt.Errorf("%s sent a manifest with the digest %s, and says that it is %s", host, got, display(claimed))
	}
	return data, nil
}

// hasSettings reports whether the configuration says anything, such as that an extension
// has a program for some machines.
func (m *manifest) hasSettings() bool { return m.config.Size > int64(len("{}")) }

// files returns the digests of the files that the artifact has in a cache, but that of a
// program.
func (m *manifest) files(stage *cache.Stage) map[string]string {
	files := map[string]string{stage.Main(): m.main.Digest}
	if m.source != nil {
		files[cache.SourceFile] = m.source.Digest
	}
	return files
}

// parseManifest reads a manifest and checks that it is one of the type.
func parseManifest(data []byte, t artifact.Type) (*manifest, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("its manifest is empty")
	}
	var doc document
	var index struct {
		Manifests json.RawMessage `json:"manifests"`
	}
	if err := cmp.Or(json.Unmarshal(data, &doc), json.Unmarshal(data, &index)); err != nil {
		return nil, fmt.Errorf("its manifest is not JSON of the right form: %s", display(plainJSONError(err).Error()))
	}
	kind, problem := t, "" // a recipe may be of any kind
	if t != artifact.Recipe {
		kind, problem = kindOf(&doc)
	}
	mediaType := artifact.MediaTypeManifest
	if t == artifact.Recipe && doc.MediaType == artifact.DockerManifest {
		mediaType = artifact.DockerManifest
	}
	switch {
	case len(index.Manifests) > 0:
		return nil, errors.New("it is an index of several artifacts, not one")
	case doc.SchemaVersion != 2:
		return nil, errors.New("its manifest is not of version 2")
	case doc.MediaType != "" && !strings.EqualFold(doc.MediaType, mediaType):
		return nil, fmt.Errorf("its manifest is of the type %q", display(doc.MediaType))
	case problem != "":
		return nil, errors.New(problem)
	case kind != t:
		return nil, fmt.Errorf("it is of the kind %s, and a reference to the kind %s leads to it", kind, t)
	case len(doc.Layers) > maxLayers:
		return nil, fmt.Errorf("it has %d layers, and more than %d are refused", len(doc.Layers), maxLayers)
	}
	m := &manifest{data: data, config: doc.Config, layers: doc.Layers}
	limit, found := int64(maxModule), 0
	switch t {
	case artifact.Extension:
		limit = maxTypes
	case artifact.Recipe: // nothing but its first layer counts
		m.config = descriptor{}
		doc.Layers = doc.Layers[:min(len(doc.Layers), 1)]
	}
	if err := checkDescriptor("its configuration", m.config, maxConfig); err != nil && m.config.Size > 0 {
		return nil, err
	}
	for i := range doc.Layers {
		l := &doc.Layers[i]
		switch {
		case t == artifact.Recipe, strings.EqualFold(l.MediaType, t.Layer()):
			found++
			if err := checkDescriptor("its content", *l, limit); err != nil {
				return nil, err
			}
			m.main = *l
		case t == artifact.Module && strings.EqualFold(l.MediaType, artifact.SourceLayer):
			if m.source != nil {
				return nil, errors.New("it has two layers of source files")
			}
			if l.Size <= maxSource && checkDescriptor("its source", *l, maxSource) == nil {
				m.source = l
			}
		}
	}
	if t == artifact.Recipe && found == 0 {
		return nil, errors.New("it has no layers")
	}
	if found != 1 {
		return nil, fmt.Errorf("it has %d layers of the type %s instead of one", found, t.Layer())
	}
	m.entry = lockfile.Entry{Type: t, Digest: cache.Digest(data), Size: int64(len(data)), MediaType: mediaType}
	for _, d := range []*descriptor{&m.main, m.source} {
		if d != nil {
			m.entry.Layers = append(m.entry.Layers, lockfile.Layer{MediaType: d.MediaType, Digest: d.Digest, Size: d.Size})
		}
	}
	return m, nil
}

// kindOf tells modules and extensions apart. Old modules do not say what they are.
func kindOf(m *document) (t artifact.Type, problem string) {
	switch m.ArtifactType {
	case artifact.ModuleArtifactType, "":
		if artifact.IsNewerModule(m.Config.MediaType) {
			return artifact.Module, fmt.Sprintf("it is a module in a newer form (%s), which this program cannot read yet: "+
				"publish it with Bicep 0.49 or earlier", display(m.Config.MediaType))
		}
		if !strings.EqualFold(m.Config.MediaType, artifact.ModuleConfig) {
			return artifact.Module, fmt.Sprintf("it is not an artifact of Bicep: its configuration is of the type %q",
				display(m.Config.MediaType))
		}
		return artifact.Module, ""
	case artifact.ExtensionArtifactType:
		if !strings.EqualFold(m.Config.MediaType, artifact.ExtensionConfig) {
			return artifact.Extension, fmt.Sprintf("its configuration is of the type %q", display(m.Config.MediaType))
		}
		return artifact.Extension, ""
	}
	return artifact.Module, fmt.Sprintf("it is not an artifact of Bicep but of the type %q", display(m.ArtifactType))
}

// checkDescriptor checks what a manifest claims of a blob.
func checkDescriptor(what string, d descriptor, limit int64) error {
	switch {
	case !artifact.ValidDigest(d.Digest):
		return fmt.Errorf("%s has the digest %q, which is not a SHA-256", what, display(d.Digest))
	case d.Size < 0:
		return fmt.Errorf("%s has a negative size", what)
	case d.Size > limit:
		return fmt.Errorf("%s has %d bytes, and more than %d are refused", what, d.Size, limit)
	}
	return nil
}

// layers fetches what belongs into the cache.
func (c *Client) layers(ctx context.Context, a *artifact.Reference, m *manifest, stage *cache.Stage) error {
	if err := c.layer(ctx, a, m.main, stage, stage.Main()); err != nil {
		return err
	}
	if m.source != nil {
		if err := c.layer(ctx, a, *m.source, stage, cache.SourceFile); err != nil {
			return err
		}
	}
	switch a.Type {
	case artifact.Recipe:
		return checkRecipe(stage, m.main)
	case artifact.Extension:
		if err := checkTypesFile(stage, stage.Main()); err != nil {
			return fmt.Errorf("its types cannot be used: %w", err)
		}
		return c.binary(ctx, a, m, stage)
	}
	return nil
}

// checkRecipe looks at the template of a recipe before it enters the cache.
func checkRecipe(stage *cache.Stage, layer descriptor) error {
	data, err := os.ReadFile(filepath.Join(stage.Dir, stage.Main()))
	if err != nil {
		return err
	}
	var template map[string]json.RawMessage
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &template); err != nil || template["resources"] == nil {
		return fmt.Errorf("its first layer, of the type %q, is not the JSON of an ARM template", display(layer.MediaType))
	}
	return nil
}

// binary fetches the program of an extension that can be deployed locally. The
// official tools look for it beside the types; nothing here runs it.
func (c *Client) binary(ctx context.Context, a *artifact.Reference, m *manifest, stage *cache.Stage) error {
	if !m.hasSettings() {
		return nil
	}
	data, err := c.blob(ctx, a, m.config)
	if err != nil {
		return err
	}
	text, err := data.bytes()
	if err != nil {
		return err
	}
	var config struct {
		LocalDeployEnabled     bool     `json:"localDeployEnabled"`
		SupportedArchitectures []string `json:"supportedArchitectures"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return errors.New("its configuration is not JSON of the right form")
	}
	if !config.LocalDeployEnabled || len(config.SupportedArchitectures) == 0 {
		return nil
	}
	arch := architecture()
	for _, l := range m.layers {
		if slices.Contains(config.SupportedArchitectures, arch) && strings.EqualFold(l.MediaType, artifact.BinaryLayer(arch)) {
			if err := checkDescriptor("its program", l, maxBinary); err != nil {
				return err
			}
			return c.layer(ctx, a, l, stage, cache.BinaryFile)
		}
	}
	return fmt.Errorf("it has no program for %s", arch)
}

// architecture names this machine as extensions do.
func architecture() string {
	system, processor := runtime.GOOS, runtime.GOARCH
	switch system {
	case "darwin":
		system = "osx"
	case "windows":
		system = "win"
	}
	if processor == "amd64" {
		processor = "x64"
	}
	return system + "-" + processor
}
