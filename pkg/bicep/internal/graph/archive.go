package graph

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// Archive holds the types of an extension as they are packed.
type Archive struct {
	Path   string
	Packed []byte // the file

	from    *artifact.Reference
	once    sync.Once
	types   []byte
	problem *diag.Problem
}

// Types returns a gzip-compressed tar archive: index.json and the files that it names.
// A registry's artifact is that archive. A file that was never published holds it, and is
// unpacked the first time.
func (a *Archive) Types() ([]byte, *diag.Problem) {
	if a.from.Scheme != artifact.Local {
		return a.Packed, nil
	}
	a.once.Do(func() {
		types, err := entryOf(a.Packed, "types.tgz")
		if err != nil {
			a.problem = diag.BCP192.With(a.from, "the file is not an archive of an extension: "+err.Error())
		}
		a.types = types
	})
	return a.types, a.problem
}

// maxArchive bounds what is unpacked: an archive of types has a few megabytes.
const maxArchive = 64 << 20

// entryOf returns the content of a file in a compressed tar archive.
func entryOf(data []byte, name string) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	t := tar.NewReader(io.LimitReader(z, maxArchive))
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("it holds no %s", name)
		}
		if err != nil {
			return nil, err
		}
		if strings.TrimPrefix(h.Name, "./") == name {
			if artifact.IsSparse(h) {
				return nil, fmt.Errorf("%s in it is not a plain file", name)
			}
			return io.ReadAll(t)
		}
	}
}
