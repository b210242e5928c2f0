package bicep

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// archivedFile describes a file of an archive of sources, as editors read it.
type archivedFile struct {
	Path        string  `json:"path"`
	ArchivePath string  `json:"archivePath"`
	Kind        string  `json:"kind"`
	Artifact    *string `json:"sourceArtifactId"`
}

// archivedLink leads from a reference in a file to the file that is meant.
type archivedLink struct {
	Range  string `json:"range"`
	Target string `json:"target"`
}

type archiveMetadata struct {
	MetadataVersion int                       `json:"metadataVersion"`
	BicepVersion    string                    `json:"bicepVersion"`
	EntryPoint      string                    `json:"entryPoint"`
	SourceFiles     []archivedFile            `json:"sourceFiles"`
	DocumentLinks   map[string][]archivedLink `json:"documentLinks"`
}

// SourceArchive returns the archive of the source files of a module, which is
// published beside its template.
func SourceArchive(ctx context.Context, r Request) (archive []byte, err error) {
	defer contain(r.File, &err)
	c, err := load(ctx, r, nil)
	if err != nil {
		return nil, err
	}
	a := &archiver{entry: c.files.Entry, names: map[*graph.File]*archivedFile{}, taken: map[string]bool{}}
	a.collect(c.files.Files)
	metadata := archiveMetadata{MetadataVersion: 1, BicepVersion: shortVersion(),
		EntryPoint: a.names[a.entry].Path, DocumentLinks: a.links()}
	order := slices.Clone(a.files)
	slices.SortStableFunc(order, func(x, y *graph.File) int { return strings.Compare(a.names[x].Path, a.names[y].Path) })
	var names, contents []string
	for _, f := range order {
		metadata.SourceFiles = append(metadata.SourceFiles, *a.names[f])
		names, contents = append(names, a.names[f].ArchivePath), append(contents, f.Source.Text)
	}
	text, err := json.Marshal(metadata)
	if err != nil {
		return nil, err
	}
	return registry.PackFiles(append([]string{"__metadata.json"}, names...), append([]string{string(text)}, contents...))
}

// shortVersion is the version of the compiler without its build.
func shortVersion() string {
	return DefaultGeneratorVersion[:strings.LastIndexByte(DefaultGeneratorVersion, '.')]
}

// archiver finds names for the files of a program.
type archiver struct {
	entry *graph.File
	files []*graph.File
	names map[*graph.File]*archivedFile
	taken map[string]bool // paths within the archive, in lower case
}

// collect names the files: those beside the entry file or below it by their path
// from there, those of the cache by theirs in it, and others by a root of their own.
func (a *archiver) collect(files []*graph.File) {
	folder := filepath.Dir(a.entry.Path)
	cache := a.entry.Config.CacheDir()
	var others []*graph.File
	a.add(a.entry, filepath.Base(a.entry.Path), nil)
	restored := restoredFrom(files)
	for _, f := range files {
		if f == a.entry || f.Kind == graph.Params || f.Kind == graph.TemplateSpec {
			continue
		}
		if rel, ok := below(folder, f.Path); ok {
			a.add(f, rel, nil)
		} else if ref := restored[f]; ref != nil && ref.Scheme == artifact.OCI {
			var id *string
			if _, err := os.Stat(filepath.Join(filepath.Dir(f.Path), "source.tgz")); err == nil {
				text := ref.String()
				id = &text
			}
			rel, _ := below(cache, f.Path)
			if rel == "" {
				rel = "br/" + path.Base(filepath.ToSlash(filepath.Dir(f.Path))) + "/" + filepath.Base(f.Path)
			}
			a.add(f, "<cache>/"+rel, id)
		} else {
			others = append(others, f)
		}
	}
	var roots []string
	for _, f := range others {
		roots = append(roots, filepath.Dir(f.Path))
	}
	slices.Sort(roots)
	roots = slices.Compact(roots)
	var outer []string
	for _, root := range roots {
		if len(outer) > 0 {
			if _, ok := below(outer[len(outer)-1], root); ok {
				continue
			}
		}
		outer = append(outer, root)
	}
	for i, root := range outer {
		for _, f := range others {
			if rel, ok := below(root, f.Path); ok && a.names[f] == nil {
				a.add(f, fmt.Sprintf("<root%d>/%s", i+1, rel), nil)
			}
		}
	}
}

// restoredFrom returns the references that led to files of registries.
func restoredFrom(files []*graph.File) map[*graph.File]*artifact.Reference {
	out := map[*graph.File]*artifact.Reference{}
	for _, f := range files {
		for _, ref := range f.References {
			if ref.File != nil && ref.Artifact != nil && ref.Artifact.Scheme == artifact.OCI {
				out[ref.File] = ref.Artifact
			}
		}
	}
	return out
}

// maxArchivePath keeps paths short enough for every system.
const maxArchivePath = 250

func (a *archiver) add(f *graph.File, name string, id *string) {
	kind := "Bicep"
	if f.Kind == graph.ARMTemplate {
		kind = "ArmTemplate"
	}
	archived := "files/" + strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"*:<>?\|&+[]#`, r) || r < ' ' {
			return '_'
		}
		return r
	}, name)
	if len(archived) > maxArchivePath {
		ext := path.Ext(archived)
		tail := "__path_too_long__" + ext[:min(len(ext), 10)]
		archived = strings.ToValidUTF8(archived[:maxArchivePath-len(tail)], "") + tail
	}
	unique := archived
	for n := 1; a.taken[strings.ToLower(unique)]; n++ {
		unique = fmt.Sprintf("%s(%d)", archived, n)
	}
	a.taken[strings.ToLower(unique)] = true
	a.files = append(a.files, f)
	a.names[f] = &archivedFile{Path: name, ArchivePath: unique, Kind: kind, Artifact: id}
}

// links returns where the references in each file lead.
func (a *archiver) links() map[string][]archivedLink {
	out := map[string][]archivedLink{}
	for _, f := range a.files {
		for _, ref := range f.References {
			target := a.names[ref.File]
			if ref.File == nil || target == nil {
				continue
			}
			span := ref.Span()
			from := a.names[f].Path
			out[from] = append(out[from],
				archivedLink{zeroBased(f.Source.Position(span.Start)) + "-" + zeroBased(f.Source.Position(span.End)), target.Path})
		}
	}
	return out
}

// zeroBased writes a place as archives do, counting from 0.
func zeroBased(p source.Position) string { return fmt.Sprintf("[%d:%d]", p.Line-1, p.Column-1) }

// below reports whether a path is in a folder, and returns the rest of it.
func below(folder, path string) (string, bool) {
	rel, err := filepath.Rel(folder, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
