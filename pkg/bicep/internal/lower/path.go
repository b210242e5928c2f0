package lower

import (
	"path"
	"path/filepath"
	"strings"
)

// relativePath returns the way from the folder of one file to another file, with slashes.
func relativePath(from, to string) string {
	rel, err := filepath.Rel(path.Dir(filepath.ToSlash(from)), to)
	if err != nil {
		return strings.ReplaceAll(to, `\`, "/")
	}
	return filepath.ToSlash(rel)
}
