package cache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// stagePrefix begins the names of folders in which artifacts are put together.
const stagePrefix = ".tmp-"

// staleAfter is the age at which such a folder was left behind by a process that
// was killed. No download takes as long.
const staleAfter = 6 * time.Hour

// Stage is a folder beside an artifact's own in which its files are put together.
// Nothing is in the cache before Commit has moved them there.
type Stage struct {
	Dir    string
	target string
	main   string
	made   []string // folders that were made for it, the outermost first
	alone  func()   // lets other processes fetch the artifact
}

// NewStage makes a stage for an artifact below the root of a cache.
func NewStage(a *artifact.Reference, root string) (*Stage, error) {
	if root == "" {
		return nil, errors.New("there is no home directory for the cache; set cacheRootDirectory in bicepconfig.json")
	}
	target := a.CacheDir(root)
	parent := filepath.Dir(target)
	for attempt := 0; ; attempt++ {
		s, err := stageIn(parent)
		if err == nil {
			s.target, s.main = target, a.MainFile()
			return s, nil
		}
		// Another process may just have removed a folder that it found empty.
		if attempt == 5 || !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
}

func stageIn(parent string) (*Stage, error) {
	s := &Stage{}
	for dir := parent; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			break
		}
		s.made = append([]string{dir}, s.made...)
	}
	if err := os.MkdirAll(parent, 0o777); err != nil {
		s.removeMade()
		return nil, err
	}
	removeStale(parent)
	dir, err := os.MkdirTemp(parent, stagePrefix)
	if err != nil {
		s.removeMade()
		return nil, err
	}
	s.Dir = dir
	return s, nil
}

// removeStale removes what killed processes left behind.
func removeStale(parent string) {
	if in, err := os.OpenRoot(parent); err == nil {
		removeStages(in, staleAfter)
		in.Close()
	}
}

// aloneWait is how long a process waits for another that fetches the same artifact.
// After that it fetches the artifact as well.
const aloneWait = 2 * time.Minute

// Alone waits until no other process fetches the artifact. It reports whether the cache
// then holds the artifact of a manifest, with these digests of its files.
func (s *Stage) Alone(ctx context.Context, manifest string, files map[string]string) bool {
	// The lock is beside the artifact's folder: that in the folder is the official
	// compiler's, too, which waits for it no longer than lockWait.
	name := filepath.Join(filepath.Dir(s.target), stagePrefix+filepath.Base(s.target)+".lock")
	if unlock, err := lockFile(ctx, name, aloneWait); err == nil {
		s.alone = func() {
			os.Remove(name)
			unlock()
		}
	}
	metadata, err := source.Disk{}.ReadFile(filepath.Join(s.target, metadataName))
	if err != nil || !strings.Contains(string(metadata), manifest) || !s.holds(manifestName, manifest) {
		return false
	}
	for name, digest := range files {
		if !s.holds(name, digest) {
			return false
		}
	}
	return true
}

// holds reports whether a file of the artifact's folder has a digest.
func (s *Stage) holds(name, digest string) bool {
	data, err := source.Disk{}.ReadFile(filepath.Join(s.target, name))
	return err == nil && Digest(data) == digest
}

// Close removes the stage, and the folders that were made for it and hold nothing.
func (s *Stage) Close() {
	if s.alone != nil {
		s.alone()
	}
	os.RemoveAll(s.Dir)
	s.removeMade()
}

func (s *Stage) removeMade() {
	for i := len(s.made) - 1; i >= 0; i-- {
		if os.Remove(s.made[i]) != nil { // it holds something
			return
		}
	}
}

// Create makes a file of the stage, open for writing.
func (s *Stage) Create(name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(s.Dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

// Main is the name of the artifact's main file.
func (s *Stage) Main() string { return s.main }

// The names of the further files that a stage may hold.
const (
	SourceFile = sourceName
	BinaryFile = binaryName
)

// lockWait is how long another process may keep an artifact's folder, as long as
// the official compiler waits.
const lockWait = 30 * time.Second

// Commit moves the staged files into the artifact's folder: the manifest first and
// the metadata last, which make it count as whole. Readers see a folder that
// lacks something, or all of it. When the folder became whole meanwhile, with the
// same manifest, it is left as it is.
func (s *Stage) Commit(ctx context.Context, manifest []byte) error {
	digest := Digest(manifest)
	if err := s.write(manifestName, manifest); err != nil {
		return err
	}
	if err := s.write(metadataName, fmt.Appendf(nil, "{\n  \"manifestDigest\": %q\n}", digest)); err != nil {
		return err
	}
	_, statErr := os.Stat(s.target)
	unlock, err := lockFolder(ctx, s.target, lockWait)
	if err != nil {
		return err
	}
	moved := false
	defer func() {
		unlock()
		if !moved && statErr != nil { // the folder is not left behind empty
			os.Remove(filepath.Join(s.target, lockName))
			os.Remove(s.target)
		}
	}()
	if s.current(digest) {
		moved = true
		return nil
	}
	// If there is an artifact, it is not whole or is to be replaced.
	if err := os.Remove(filepath.Join(s.target, metadataName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range []string{manifestName, s.main, sourceName, binaryName, metadataName} {
		from, to := filepath.Join(s.Dir, name), filepath.Join(s.target, name)
		if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
			os.Remove(to) // of the artifact that is replaced
			continue
		}
		if err := os.Rename(from, to); err != nil {
			return err
		}
		moved = true
	}
	return nil
}

// current reports whether the artifact's folder holds the whole artifact already:
// each file as it was staged.
func (s *Stage) current(digest string) bool {
	metadata, err := source.Disk{}.ReadFile(filepath.Join(s.target, metadataName))
	if err != nil || !strings.Contains(string(metadata), digest) {
		return false
	}
	for _, name := range []string{manifestName, s.main} {
		if !sameContent(filepath.Join(s.Dir, name), filepath.Join(s.target, name)) {
			return false
		}
	}
	for _, name := range []string{sourceName, binaryName} {
		if _, err := os.Stat(filepath.Join(s.Dir, name)); err == nil &&
			!sameContent(filepath.Join(s.Dir, name), filepath.Join(s.target, name)) {
			return false
		}
	}
	return true
}

func (s *Stage) write(name string, data []byte) error {
	f, err := s.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, Sync(f))
}

// Sync makes sure that a file's content is on the disk, and closes it.
func Sync(f *os.File) error {
	err := f.Sync()
	return errors.Join(err, f.Close())
}
