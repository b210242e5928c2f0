// Package typelib knows resource types: those of extension archives in the bicep-types format,
// Azure's shape that any resource has, and those of Kubernetes, Radius and AWS that are known
// without an archive.
//
// Begin with Library (library.go), which reads an archive, and with the providers that give types
// to namespaces: Extension for an archive, Az for Azure.
//
// Opening a library costs what is used of it. An archive is a stream, so it is unpacked up to the
// file that is asked for and no further; a file of types is split into its elements without reading
// them; a type is converted when a property that has it is looked at.
package typelib

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// Limits of an archive, so that a hostile one ends in a diagnostic.
const (
	maxPacked   = 64 << 20
	maxUnpacked = 512 << 20 // of files that are kept
	maxStreamed = 1 << 30   // of all files: Azure's types are about 360 MiB, and grow
	maxEntries  = 10_000
	// maxRatio is how much larger than the packed bytes read so far the unpacked
	// ones may be, once they are more than ratioFrom.
	maxRatio  = 200
	ratioFrom = 8 << 20
)

// ErrNotFound is returned for a file that an archive does not hold.
var ErrNotFound = errors.New("the archive holds no such file")

// Archive is a gzip tar of JSON files, read from the front as far as needed.
// It may be used from several goroutines.
type Archive struct {
	mu     sync.Mutex
	packed *counter
	tr     *tar.Reader
	files  map[string]string
	total  int
	size   int   // of the packed bytes, if it is known
	err    error // why nothing more can be read; io.EOF at the end
}

type counter struct {
	r io.Reader
	n int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// NewArchive opens the published form: a gzip tar that holds index.json and the
// files it points to.
func NewArchive(data []byte) (*Archive, error) {
	if len(data) > maxPacked {
		return nil, fmt.Errorf("the archive is larger than %d MiB", maxPacked>>20)
	}
	a, err := open(bytes.NewReader(data))
	if err == nil {
		a.size = len(data)
	}
	return a, err
}

// NewLocalArchive opens the file of an extension, whose name ends in .tgz:
// a gzip tar that holds the published form as types.tgz.
func NewLocalArchive(data []byte) (*Archive, error) {
	if len(data) > maxPacked {
		return nil, fmt.Errorf("the archive is larger than %d MiB", maxPacked>>20)
	}
	types, err := packedTypes(data)
	if err != nil {
		return nil, err
	}
	return open(io.LimitReader(types, maxPacked))
}

// packedTypes returns the entry types.tgz of an extension's file.
func packedTypes(data []byte) (io.Reader, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	outer := tar.NewReader(z)
	for n := 0; ; n++ {
		h, err := outer.Next()
		if err == io.EOF {
			return nil, errors.New("the archive holds no types.tgz")
		}
		if err != nil {
			return nil, err
		}
		if n == maxEntries {
			return nil, errors.New("the archive holds too many files")
		}
		if h.Name == "types.tgz" {
			return outer, nil
		}
	}
}

func open(r io.Reader) (*Archive, error) {
	packed := &counter{r: r}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return &Archive{packed: packed, tr: tar.NewReader(z), files: make(map[string]string)}, nil
}

// File returns what the archive holds at name. The files that are passed on the way
// to it are kept: a stream cannot be wound back.
func (a *Archive) File(name string) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		if b, ok := a.files[name]; ok {
			return b, nil
		}
		if a.err != nil {
			if a.err == io.EOF {
				return "", ErrNotFound
			}
			return "", a.err
		}
		var passed, text string
		if passed, text, a.err = a.next(maxUnpacked); passed != "" {
			a.files[passed] = text
		}
	}
}

// All returns the files of the archive by name, those that File has kept first. It
// keeps none, so it can be used once; why it ended, Err says.
func (a *Archive) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		for _, name := range slices.Sorted(maps.Keys(a.files)) {
			if !yield(name, a.files[name]) {
				return
			}
		}
		for a.err == nil {
			var name, text string
			if name, text, a.err = a.next(maxStreamed); name == "" {
				continue
			}
			a.files[name] = ""
			if !yield(name, text) {
				return
			}
		}
	}
}

// Err returns what kept the archive from being read to its end.
func (a *Archive) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == io.EOF {
		return nil
	}
	return a.err
}

// next unpacks one file, of so many bytes in all. It has no name if the entry is not a file.
func (a *Archive) next(limit int64) (name, text string, err error) {
	h, err := a.tr.Next()
	if err != nil {
		return "", "", err
	}
	if h.Typeflag == tar.TypeDir {
		return "", "", nil
	}
	if h.Typeflag != tar.TypeReg {
		return "", "", fmt.Errorf("the archive holds %q, which is not a plain file", h.Name)
	}
	name = strings.TrimPrefix(h.Name, "./")
	if name == "" || path.IsAbs(name) || path.Clean(name) != name || strings.HasPrefix(name, "../") {
		return "", "", fmt.Errorf("the archive holds %q, which is not a path within it", h.Name)
	}
	if len(a.files) == maxEntries {
		return "", "", errors.New("the archive holds too many files")
	}
	if _, ok := a.files[name]; ok {
		return "", "", fmt.Errorf("the archive holds %q twice", h.Name)
	}
	if h.Size > limit-int64(a.total) {
		return "", "", fmt.Errorf("the archive unpacks to more than %d MiB", limit>>20)
	}
	b, err := a.read(int(h.Size))
	if err != nil {
		return "", "", err
	}
	return name, unsafe.String(unsafe.SliceData(b), len(b)), nil // b is not written to any more
}

// read takes size bytes of the current entry. Memory grows with what arrives, not
// with what the entry's header promises.
func (a *Archive) read(size int) ([]byte, error) {
	const chunk = 1 << 20
	b := make([]byte, 0, min(size, chunk))
	for len(b) < size {
		want := min(size-len(b), chunk)
		n := len(b)
		if cap(b) < n+want {
			b = append(make([]byte, 0, min(size, max(2*cap(b), n+want))), b...)
		}
		b = b[:n+want]
		if _, err := io.ReadFull(a.tr, b[n:]); err != nil {
			return nil, err
		}
		a.total += want
		if a.total > ratioFrom && a.total/maxRatio > a.packed.n {
			return nil, errors.New("the archive unpacks to far more than its size")
		}
	}
	return b, nil
}

// Published returns the published form that the file of an extension holds, and whether it is such a file.
func Published(data []byte) ([]byte, bool) {
	if len(data) > maxPacked {
		return nil, false
	}
	inner, err := packedTypes(data)
	if err != nil {
		return nil, false
	}
	published, err := io.ReadAll(io.LimitReader(inner, maxPacked+1))
	return published, err == nil && len(published) <= maxPacked
}
