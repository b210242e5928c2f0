package typelib

import (
	"iter"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes/pack"
)

// azArchiveName is what an archive of Azure's types calls itself.
const azArchiveName = "AzureResourceManager"

// IsAz reports whether an archive holds Azure's types.
func (l *Library) IsAz() bool { return l.index.settings.name == azArchiveName }

// PackAz makes the compact library of the types in an archive of Azure's. It reads
// the archive to its end.
func (l *Library) PackAz(source string) ([]byte, error) {
	index := make(map[string]pack.Place, len(l.index.resources))
	for _, r := range l.index.resources {
		key := strings.ToLower(r.name)
		if _, ok := index[key]; !ok {
			index[key] = pack.Place{File: r.at.File, Element: r.at.Index}
		}
	}
	return pack.Make(l.archive.typeFiles(), pack.Options{Source: source, Index: index})
}

// typeFiles returns the files of the archive besides the index. Those that have been
// read on the way to another come first; the others are not kept.
func (a *Archive) typeFiles() iter.Seq2[pack.File, error] {
	return func(yield func(pack.File, error) bool) {
		for name, text := range a.All() {
			if name != "index.json" && strings.HasSuffix(name, ".json") && !yield(pack.File{Path: name, Text: text}, nil) {
				return
			}
		}
		if err := a.Err(); err != nil {
			yield(pack.File{}, err)
		}
	}
}
