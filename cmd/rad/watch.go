package main

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/radbicep/rad/pkg/bicep"
)

// watchEvery is how often --watch looks at its files where the system does not report
// changes: some network file systems, and files whose folder does not exist.
const watchEvery = 250 * time.Millisecond

// settleTime is how long a file that was replaced may be absent or empty, in steps of
// settleStep: some editors delete a file and then give a new one its name, and a file that
// is written over is empty for a moment.
const (
	settleTime = 2 * time.Second
	settleStep = 5 * time.Millisecond
)

// watch runs the work, and again whenever one of the files that it depends on, or looked
// for, changes, until it is interrupted. Mistakes do not end it. What the compiler knows of
// files that have not changed is kept in a.workspace.
func (a *app) watch(ctx context.Context, run func() ([]string, error)) error {
	a.workspace = &bicep.Workspace{}
	changes := newChanges()
	defer changes.close()
	var known []string
	// What changes while the work is done was perhaps read too early, so the states from
	// before it count, of all files that were known then.
	earlier := states{}
	for {
		files, err := run()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a.workspace.Sweep()
		if err != nil {
			if len(files) == 0 {
				files = known // a settings file, say, is broken for a moment
			}
			if len(files) == 0 {
				return err // there is no file whose change could help
			}
			if text := err.Error(); text != "" {
				a.tell("Error: %s", err)
			}
		}
		changes.expect(files)
		before := statesOf(files)
		for f, s := range earlier {
			if _, ok := before[f]; ok {
				before[f] = s
			}
		}
		known = files
		if err == nil {
			a.say("Watching for changes; interrupt to stop.")
		} else {
			a.say("Watching for changes, to try again; interrupt to stop.")
		}
		now := statesOf(files)
		for now.same(before) {
			if !changes.wait(ctx) {
				return ctx.Err()
			}
			now = statesOf(files)
		}
		earlier = settle(ctx, files, before, now)
	}
}

// settle waits until no file changes any more, and none that had content is absent or
// empty. It returns the states in the end.
func settle(ctx context.Context, files []string, before, now states) states {
	for end := time.Now().Add(settleTime); time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return now
		case <-time.After(settleStep):
		}
		last := now
		now = statesOf(files)
		if now.same(last) && !slices.ContainsFunc(files, func(f string) bool { return size(now[f]) == 0 && size(before[f]) > 0 }) {
			break
		}
	}
	return now
}

// changes waits for changes in folders. Where the system does not report them, a wait ends
// after a time.
type changes struct {
	watcher *fsnotify.Watcher // nil if there is none
	folders map[string]bool   // that are watched
	files   map[string]bool   // that count
}

func newChanges() *changes {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		w = nil
	}
	return &changes{watcher: w, folders: map[string]bool{}}
}

func (c *changes) close() {
	if c.watcher != nil {
		_ = c.watcher.Close()
	}
}

// expect says which files may change. Folders are watched, and not files, since a file that
// is replaced is another one afterwards.
func (c *changes) expect(files []string) {
	if c.watcher == nil {
		return
	}
	folders := map[string]bool{}
	c.files = make(map[string]bool, len(files))
	for _, f := range files {
		folders[filepath.Dir(f)] = true
		c.files[filepath.Clean(f)] = true
	}
	for f := range c.folders {
		if !folders[f] {
			_ = c.watcher.Remove(f)
			delete(c.folders, f)
		}
	}
	for f := range folders {
		// A folder that was replaced has to be added again.
		if err := c.watcher.Add(f); err == nil {
			c.folders[f] = true
		}
	}
}

// wait returns when something may have changed, and whether the work is to go on.
func (c *changes) wait(ctx context.Context) bool {
	var events chan fsnotify.Event
	var errs chan error
	if c.watcher != nil {
		events, errs = c.watcher.Events, c.watcher.Errors
	}
	look := time.After(watchEvery)
	for {
		select {
		case <-ctx.Done():
			return false
		case e := <-events:
			if c.files[filepath.Clean(e.Name)] {
				return true
			}
		case <-errs: // such as too many events at a time
			return true
		case <-look:
			return true
		}
	}
}

// awaited returns the files whose appearance or change can help a run that failed before
// it knew what it reads: those that are named, and those that may hold the settings.
func awaited(args []string, folder string, err error) []string {
	var files []string
	var f *failure
	missing := errors.As(err, &f) && f.status == exitIO // and not wrong usage
	for _, arg := range args {
		if !missing {
			break
		}
		if path, e := filepath.Abs(arg); e == nil && !strings.Contains(arg, "*") && !exists(path) {
			files = append(files, path)
		}
	}
	if folder == "" {
		folder = "."
	}
	top, e := filepath.Abs(folder)
	if e != nil {
		return files
	}
	for dir := top; ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, settingsName)
		if exists(path) && strings.Contains(err.Error(), filepath.Base(path)) {
			files = append(files, path)
		}
		if dir == filepath.Dir(dir) {
			return files
		}
	}
}

// states are those of files, by name. A file that is absent has the state nil.
type states map[string]fs.FileInfo

func statesOf(files []string) states {
	out := make(states, len(files))
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			info = nil
		}
		out[f] = info
	}
	return out
}

// same reports whether two lists of states are of the same files in the same states.
func (s states) same(other states) bool {
	return maps.EqualFunc(s, other, func(a, b fs.FileInfo) bool {
		if a == nil || b == nil {
			return a == nil && b == nil
		}
		return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
	})
}

// size returns the size of a file, 0 if it is absent.
func size(info fs.FileInfo) int64 {
	if info == nil {
		return 0
	}
	return info.Size()
}
