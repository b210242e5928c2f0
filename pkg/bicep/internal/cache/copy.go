package cache

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Copy copies an artifact from its folder to another cache, or to a folder of vendored
// artifacts, which has the same layout.
func Copy(ctx context.Context, a *artifact.Reference, folder, to string) error {
	stage, err := NewStage(a, to)
	if err != nil {
		return err
	}
	defer stage.Close()
	if a.Scheme == artifact.TemplateSpec {
		return errors.New("template specs are not copied")
	}
	manifest, err := source.Disk{}.ReadFile(filepath.Join(folder, manifestName))
	if err != nil {
		return err
	}
	for _, name := range []string{stage.main, sourceName, binaryName} {
		err := stage.copy(filepath.Join(folder, name), name)
		if err != nil && (name == stage.main || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	if err := stage.Commit(ctx, manifest); err != nil {
		return err
	}
	// No other process writes there, and the lock would be committed.
	return os.Remove(filepath.Join(stage.target, lockName))
}

func (s *Stage) copy(from, name string) error {
	r, err := source.OpenRegular(from)
	if err != nil {
		return err
	}
	defer r.Close()
	if info, err := r.Stat(); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "copy", Path: from, Err: source.ErrNotRegular}
	}
	w, err := s.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, Sync(w))
}
