package workdir

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/spell"
)

// NearFile returns the file that is probably meant by a path that does not exist: in the same
// folder, with one of these extensions, and of that name without the extension or of a name
// that is much like it. It returns "" if there is none.
func NearFile(path string, extensions []string) string {
	const most = 2000 // entries of a folder
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return ""
	}
	defer folder.Close()
	entries, _ := folder.Readdirnames(most)
	base := filepath.Base(path)
	stem := func(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }
	word, bare := stem(base), !slices.Contains(extensions, strings.ToLower(filepath.Ext(base)))
	if bare {
		word = base
	}
	files := map[string]string{} // by the name without the extension
	var stems []string
	slices.Sort(entries)
	for _, name := range entries {
		ext := strings.ToLower(filepath.Ext(name))
		if _, twice := files[stem(name)]; !twice && slices.Contains(extensions, ext) && (bare || strings.EqualFold(ext, filepath.Ext(base))) {
			files[stem(name)] = name
			stems = append(stems, stem(name))
		}
	}
	near, same := files[word]
	if !same {
		near = files[spell.Nearest(word, stems)]
	}
	if near == "" {
		return ""
	}
	if dir := filepath.Dir(path); dir != "." {
		near = filepath.Join(dir, near)
	}
	return near
}
