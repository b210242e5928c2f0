package artifact

import (
	"archive/tar"
	"strings"
)

// IsSparse reports whether an entry of a tar archive is a sparse file. Its content may be
// of any size, however small the archive is, and so no archive that holds one is read.
func IsSparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}
