package project

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Side is where the files of a project are read: on the disk, or in a git revision, which has settings of its own.
// It implements generate.Host: the files that arguments name are those of the side, too.
type Side struct {
	*Project
	tree  *gittree.Tree  // the revision; nil for the disk
	Reads *workdir.Trace // notes what is read; nil if nobody asks for it
}

// Tree returns the revision; nil for the disk.
func (s Side) Tree() *gittree.Tree { return s.tree }

// Disk returns the side of the files as they are on the disk.
func (o *Project) Disk() Side { return Side{Project: o} }

// At returns the side of a revision, which is the disk if it is nil. What the settings file of the revision says of where
// things are deployed to, and what they become there, counts there. say tells the user where it does not.
func (o *Project) At(tree *gittree.Tree, say func(notice string)) (Side, error) {
	s := Side{Project: o, tree: tree}
	now := o.File
	if tree == nil || now.Path == "" || !tree.Contains(now.Path) {
		return s, nil
	}
	then, err := s.SettingsFile(now.Path, now.Trusted)
	if err != nil {
		say(fmt.Sprintf("%v; the settings of now are used", err))
		return s, nil
	}
	file, said := *now, *then
	file.Values, file.Labels, file.Annotations, file.Recipes = maps.Clone(now.Values), then.Labels, then.Annotations, then.Recipes
	said.Values, said.Targets = map[string]any{}, nil
	for _, one := range settings.Deployed() {
		delete(file.Values, one.Key)
		if v, ok := then.Values[one.Key]; ok {
			file.Values[one.Key], said.Values[one.Key] = v, v
		}
	}
	if reflect.DeepEqual(&file, now) {
		return s, nil
	}
	if err := (&settings.Judge{File: &said, Bounds: o.Bounds}).Judge(); err != nil {
		return s, fmt.Errorf("in %s: %w", tree.Revision, err)
	}
	user, err := settings.ReadUser()
	if err != nil {
		return s, err
	}
	its := *o
	if its.Settings, err = settings.Load(o.Flags, o.set, user, &file, settings.Caller{}); err != nil {
		return s, cli.FailWith(cli.ExitUsage, err)
	}
	if its.Base.Artifacts.Extensions, err = radiusTypes(its.Settings); err != nil {
		return s, err
	}
	s.Project = &its
	return s, nil
}

// Traced returns the side with notes of what it reads.
func (s Side) Traced(reads *workdir.Trace) Side {
	s.Reads = reads
	return s
}

// treeOf returns the revision that a file is read from, or nil, and the absolute path of the file.
func (s Side) treeOf(path string) (*gittree.Tree, string) {
	abs, err := filepath.Abs(path)
	if err != nil || s.tree == nil || !s.tree.Contains(abs) {
		return nil, abs
	}
	return s.tree, abs
}

// SettingsFile returns a settings file of the revision. One that does not exist is empty.
func (s Side) SettingsFile(path string, trusted bool) (*settings.File, error) {
	then := settings.NewFile(path)
	text, err := s.tree.ReadFile(path)
	if source.IsMissing(err) {
		return then, nil
	}
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	if err := then.Parse(text); err != nil {
		return nil, fmt.Errorf("in %s: %w", s.tree.Revision, err)
	}
	if then.Trusted = trusted; !trusted {
		judge := &settings.Judge{File: then, Bounds: s.Bounds}
		for i, t := range then.Targets {
			if err := judge.JudgeTarget(i, t); err != nil {
				return nil, fmt.Errorf("in %s: %w", s.tree.Revision, err)
			}
		}
	}
	return then, nil
}

// FilesFor returns the root and the files for one that is compiled. A manifest is made for a
// cluster, maybe of a repository that is not the user's own, so there is always a root.
func (s Side) FilesFor(file string) (root string, files source.FS) {
	root, files = s.Base.Root, s.Base.FS
	if root == "" {
		root = filepath.Dir(file)
		files = workdir.FilesBelow(root)
	}
	if s.tree != nil && s.tree.Contains(file) {
		files = s.tree
	}
	if s.Reads != nil {
		files = s.Reads.Of(files)
	}
	return root, files
}

// ReadStdin reads standard input.
func (s Side) ReadStdin() ([]byte, error) { return s.Stdin() }

// ReadFile reads the text of a file that somebody named.
func (s Side) ReadFile(path string) ([]byte, error) { return s.readText(path, workdir.MaxText) }

// ReadLarge is ReadFile for a text that may be as large as any file, such as the CRDs of a cluster.
func (s Side) ReadLarge(path string) ([]byte, error) { return s.readText(path, source.MaxFile) }

func (s Side) readText(path string, most int) ([]byte, error) {
	tree, abs := s.treeOf(path)
	if s.Reads != nil {
		s.Reads.NoteFile(abs)
	}
	if tree == nil {
		return s.Bounds.ReadFileUpTo(path, most)
	}
	b, err := tree.ReadFile(abs)
	if err != nil {
		return nil, err
	}
	if b, err = workdir.ReadTextUpTo(bytes.NewReader(b), most); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return b, err
}

// ReadRaw reads a file as it is.
func (s Side) ReadRaw(path string) ([]byte, error) {
	if tree, abs := s.treeOf(path); tree != nil {
		return tree.ReadFile(abs)
	}
	return s.Bounds.ReadFile(path)
}

// Stat describes a file or folder.
func (s Side) Stat(path string) (fs.FileInfo, error) {
	if tree, abs := s.treeOf(path); tree != nil {
		return tree.Stat(abs)
	}
	return s.Bounds.Stat(path)
}

// ReadDir lists a folder.
func (s Side) ReadDir(path string) ([]fs.DirEntry, error) {
	if tree, abs := s.treeOf(path); tree != nil {
		return tree.ReadDir(abs)
	}
	return os.ReadDir(path)
}

// Using returns the template that a parameter file uses.
func (s Side) Using(path string) (string, error) {
	_, files := s.FilesFor(path)
	return bicep.Using(files, path)
}
