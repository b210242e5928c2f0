package settings

import (
	"cmp"
	"path/filepath"
)

// Places returns the files that may hold the settings for inputs in a folder, whether
// or not they exist.
func Places(folder string) (files []string) {
	if path := userSettingsPath(); path != "" {
		files = append(files, path)
	}
	dir, err := filepath.Abs(cmp.Or(folder, "."))
	for err == nil {
		files = append(files, filepath.Join(dir, FileName))
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return files
}
