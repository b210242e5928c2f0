package main

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/radbicep/rad/pkg/bicep"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/settings"

	"github.com/radbicep/rad/cmd/rad/internal/deliver"
)

// watchEvery is how often --watch looks at its files where the system does not report
// changes: some network file systems, and files whose folder does not exist. Looking takes
// at most a twentieth of the time.
const (
	watchEvery = 250 * time.Millisecond
	watchShare = 20
)

// After a change, no file may change for settleTime until the new output is shown: changes
// often come several at a time. The work begins after settleStep already, and is thrown away
// if there are more. A file that was replaced may be absent or empty for at most settleEnd:
// some editors delete a file and then give a new one its name, and a file that
// is written over is empty for a moment.
const (
	settleStep = time.Millisecond
	settleTime = 5 * time.Millisecond
	settleEnd  = 2 * time.Second
)

// clockTick is how much earlier than by the clock a file may seem to be written: its time is
// that of the kernel's last tick.
const clockTick = 10 * time.Millisecond

// idleTime is how long nothing must change before memory is collected.
const idleTime = 100 * time.Millisecond

// errChanged ends a run whose files changed after it had begun, before it shows anything.
var errChanged = errors.New("files have changed")

// watch runs the work, and again whenever one of the files that it depends on, or looked
// for, changes, until it is interrupted. Mistakes do not end it. What the compiler knows of
// files that have not changed is kept in a.workspace.
func (a *app) watch(ctx context.Context, run func() ([]string, error)) error {
	a.workspace, a.written = &bicep.Workspace{}, deliver.Written{}
	rarely.Store(true)
	changes := newChanges()
	defer changes.close()
	var known []string
	// What changes while the work is done was perhaps read too early, so the states from
	// before it count. Files that were not known then have changed if they are so new.
	earlier := states{}
	for {
		start := time.Now().Add(-clockTick)
		files, err := run()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, errChanged) {
			earlier = a.changing.now.clone()
			continue
		}
		a.workspace.Sweep()
		a.SayReplaced()
		if err != nil {
			if len(files) == 0 {
				files = known // a settings file, say, is broken for a moment
			}
			if len(files) == 0 {
				return err // there is no file whose change could help
			}
			if text := err.Error(); text != "" {
				a.Tell("Error: %s", err)
			}
		}
		if err == nil {
			a.Say("Watching for changes; interrupt to stop.")
		} else {
			a.Say("Watching for changes, to try again; interrupt to stop.")
		}
		files = distinctFiles(files)
		known = files
		changes.expect(files)
		now := statesOf(files)
		before := now.clone()
		for f, s := range now {
			if old, ok := earlier[f]; ok {
				before[f] = old
			} else if s.isNewerThan(start) {
				before[f] = fileState{}
			}
		}
		for d := idleTime; now.same(before); d = changes.every {
			if _, ok := changes.wait(ctx, d, now); !ok {
				return ctx.Err()
			}
			if d == idleTime && now.same(before) {
				collectSoon()
			}
		}
		a.changing = &burst{changes: changes, before: before, now: now, last: time.Now(), end: time.Now().Add(settleEnd)}
		a.changing.settle(ctx)
		earlier = now.clone()
	}
}

// distinctFiles returns the absolute names of files, each once, in order.
func distinctFiles(files []string) []string {
	list := make([]string, 0, len(files))
	for _, f := range files {
		if abs, err := filepath.Abs(f); err == nil {
			f = abs
		}
		list = append(list, f)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// burst is a number of changes that come one after the other.
type burst struct {
	changes     *changes
	before, now states
	last        time.Time // when something was seen to change
	end         time.Time // when the burst is over, whatever changes
	again       bool      // the work was thrown away
}

// settle waits until no file changes, and none that had content is absent or empty.
func (b *burst) settle(ctx context.Context) {
	for b.goesOn(ctx, settleStep) || b.isHalfDone() {
		if ctx.Err() != nil || time.Now().After(b.end) {
			return
		}
	}
}

// goesOn waits for a time, and reports whether a file has changed since it was looked at.
func (b *burst) goesOn(ctx context.Context, d time.Duration) bool {
	found := false
	for end := time.Now().Add(d); ; {
		changed, ok := b.changes.wait(ctx, time.Until(end), b.now)
		if changed {
			found, b.last = true, time.Now()
		}
		if !ok || !time.Now().Before(end) {
			return found
		}
	}
}

// isHalfDone reports whether a file that had content is absent or empty.
func (b *burst) isHalfDone() bool {
	for f := range b.changes.touched {
		if b.now[f].isEmpty() && !b.before[f].isEmpty() {
			return true
		}
	}
	return false
}

// hasChanged reports whether a file has changed since the work began. It waits until the
// last change is old enough.
func (b *burst) hasChanged(ctx context.Context) bool {
	if b == nil || time.Now().After(b.end) {
		return false
	}
	if !b.goesOn(ctx, max(0, settleTime-time.Since(b.last))) {
		return false
	}
	b.settle(ctx)
	b.again = true
	return true
}

// changes waits for changes in folders. Where the system does not report them, a wait ends
// after a time.
type changes struct {
	watcher *fsnotify.Watcher // nil if there is none
	folders map[string]bool   // that are watched
	files   map[string]bool   // that count
	every   time.Duration     // how often to look at all of them
	touched map[string]bool   // the files that changed since expect was called
}

func newChanges() *changes {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		w = nil
	}
	return &changes{watcher: w, folders: map[string]bool{}, every: watchEvery}
}

func (c *changes) close() {
	if c.watcher != nil {
		_ = c.watcher.Close()
	}
}

// expect says which files may change. Folders are watched, and not files, since a file that
// is replaced is another one afterwards.
func (c *changes) expect(files []string) {
	folders := map[string]bool{}
	c.touched = map[string]bool{}
	c.files = make(map[string]bool, len(files))
	for _, f := range files {
		folders[filepath.Dir(f)] = true
		c.files[f] = true
	}
	if c.watcher == nil {
		return
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

// wait waits until something may have changed, or until the time is over, and brings the
// states of the files up to date. It reports whether one of them has changed, and whether the
// work is to go on. Files that have changed before are looked at in any case, and all of
// them after a long wait.
func (c *changes) wait(ctx context.Context, d time.Duration, now states) (changed, ok bool) {
	var events chan fsnotify.Event
	var errs chan error
	if c.watcher != nil {
		events, errs = c.watcher.Events, c.watcher.Errors
	}
	over := time.After(d)
	all, heard := false, false
	note := func(e fsnotify.Event) {
		name := filepath.Clean(e.Name)
		if c.folders[name] { // it was moved or removed
			all, heard = true, true
		}
		for _, f := range [...]string{name, filepath.Dir(name)} { // what is listed may be a folder
			if c.files[f] {
				c.touched[f], heard = true, true
			}
		}
	}
	for !heard {
		select {
		case <-ctx.Done():
			return false, false
		case e := <-events:
			note(e)
		case <-errs: // such as too many events at a time
			all, heard = true, true
		case <-over:
			all, heard = all || d >= watchEvery, true
		}
	}
	for more := true; more; { // what has been reported meanwhile
		select {
		case e := <-events:
			note(e)
		default:
			more = false
		}
	}
	if !all {
		return len(now.update(maps.Keys(c.touched))) > 0, true
	}
	start := time.Now()
	list := now.update(slices.Values(slices.Collect(maps.Keys(now))))
	c.every = max(watchEvery, watchShare*time.Since(start))
	for _, f := range list {
		c.touched[f] = true
	}
	return len(list) > 0, true
}

// awaited returns the files whose appearance or change can help a run that failed before
// it knew what it reads: those that are named, and those that may hold the settings.
func awaited(args []string, folder string, err error) []string {
	var files []string
	var f *cli.Failure
	missing := errors.As(err, &f) && f.Status == cli.ExitIO // and not wrong usage
	for _, arg := range args {
		if !missing {
			break
		}
		if path, e := filepath.Abs(arg); e == nil && !strings.Contains(arg, "*") && !workdir.Exists(path) {
			files = append(files, path)
		}
	}
	for _, path := range settings.Places(folder) {
		if workdir.Exists(path) && strings.Contains(err.Error(), filepath.Base(path)) {
			files = append(files, path)
		}
	}
	return files
}

// fileState is what is seen of a file without reading it. That of an absent file is the zero
// value.
type fileState struct {
	info  fs.FileInfo
	names string // of what is in a folder
}

func stateOf(name string) (s fileState) {
	info, err := os.Stat(name)
	if err != nil {
		return s
	}
	s.info = info
	if info.IsDir() {
		// Its times change with every file that is written in it, such as the output.
		entries, _ := os.ReadDir(name)
		var names strings.Builder
		for _, e := range entries {
			if !workdir.IsTemporary(e.Name()) {
				names.WriteString(e.Name() + "/")
			}
		}
		s.names = names.String()
	}
	return s
}

func (s fileState) same(other fileState) bool {
	if s.info == nil || other.info == nil {
		return s.info == nil && other.info == nil
	}
	if s.info.IsDir() && other.info.IsDir() {
		return s.names == other.names && os.SameFile(s.info, other.info)
	}
	return s.info.Size() == other.info.Size() && s.info.ModTime().Equal(other.info.ModTime()) && os.SameFile(s.info, other.info)
}

// isNewerThan reports whether a file was written after a time.
func (s fileState) isNewerThan(t time.Time) bool {
	return s.info != nil && s.info.Mode().IsRegular() && s.info.ModTime().After(t)
}

// isEmpty reports whether a file is absent or has no content.
func (s fileState) isEmpty() bool { return s.info == nil || !s.info.IsDir() && s.info.Size() == 0 }

// states are those of files, by name.
type states map[string]fileState

func statesOf(files []string) states {
	out := make(states, len(files))
	out.update(slices.Values(files))
	return out
}

// update looks at files, and returns those whose state has changed.
func (s states) update(files iter.Seq[string]) (changed []string) {
	for f := range files {
		if now := stateOf(f); !now.same(s[f]) {
			s[f] = now
			changed = append(changed, f)
		} else if _, known := s[f]; !known {
			s[f] = now
		}
	}
	return changed
}

func (s states) clone() states { return maps.Clone(s) }

// same reports whether two lists of states are of the same files in the same states.
func (s states) same(other states) bool { return maps.EqualFunc(s, other, fileState.same) }
