package workdir

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/spell"
)

// NearFile returns the file that is probably meant by a path that names none, or one with another
// extension: in the same folder, with one of these extensions, and of that name with another extension or
// of a name that is much like it. It returns "" if there is none.
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
	ext := strings.ToLower(filepath.Ext(base))
	known := slices.Contains(extensions, ext)
	files := map[string][]string{} // by the name without the extension
	var stems []string             // that a misspelt one may mean
	slices.Sort(entries)
	for _, name := range entries {
		its := strings.ToLower(filepath.Ext(name))
		if !slices.Contains(extensions, its) {
			continue
		}
		files[stem(name)] = append(files[stem(name)], name)
		if !known || its == ext {
			stems = append(stems, stem(name))
		}
	}
	called := func(stem string) string { // with the extension that is most like the one that was written
		if list := files[stem]; stem != "" && len(list) > 0 {
			return cmp.Or(spell.Nearest(base, list), list[0])
		}
		return ""
	}
	near := ""
	if known || ext == "" {
		near = called(spell.Nearest(stem(base), stems))
	}
	if !known || near == "" {
		near = cmp.Or(called(base), called(stem(base)), near)
	}
	if near == "" || near == base {
		return ""
	}
	if dir := filepath.Dir(path); dir != "." {
		near = filepath.Join(dir, near)
	}
	return near
}
