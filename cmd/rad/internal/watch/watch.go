// Package watch runs a piece of work again whenever one of the files that it depends on changes.
package watch

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

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// WatchEvery is how often --watch looks at its files where the system does not report
// changes: some network file systems, and files whose folder does not exist. Looking takes
// at most a twentieth of the time.
const (
	WatchEvery = 250 * time.Millisecond
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

// ErrChanged ends a run whose files changed after it had begun, before it shows anything.
var ErrChanged = errors.New("files have changed")

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

// Burst is a number of changes that come one after the other.
type Burst struct {
	Changes     *changes
	Before, Now states
	Last        time.Time // when something was seen to change
	End         time.Time // when the burst is over, whatever changes
}

// Settle waits until no file changes, and none that had content is absent or empty.
func (b *Burst) Settle(ctx context.Context) {
	for b.goesOn(ctx, settleStep) || b.isHalfDone() {
		if ctx.Err() != nil || time.Now().After(b.End) {
			return
		}
	}
}

// goesOn waits for a time, and reports whether a file has changed since it was looked at.
func (b *Burst) goesOn(ctx context.Context, d time.Duration) bool {
	found := false
	for end := time.Now().Add(d); ; {
		changed, ok := b.Changes.Wait(ctx, time.Until(end), b.Now)
		if changed {
			found, b.Last = true, time.Now()
		}
		if !ok || !time.Now().Before(end) {
			return found
		}
	}
}

// isHalfDone reports whether a file that had content is absent or empty.
func (b *Burst) isHalfDone() bool {
	for f := range b.Changes.touched {
		if b.Now[f].isEmpty() && !b.Before[f].isEmpty() {
			return true
		}
	}
	return false
}

// HasChanged reports whether a file has changed since the work began. It waits until the
// last change is old enough.
func (b *Burst) HasChanged(ctx context.Context) bool {
	if b == nil || time.Now().After(b.End) {
		return false
	}
	if !b.goesOn(ctx, max(0, settleTime-time.Since(b.Last))) {
		return false
	}
	b.Settle(ctx)
	return true
}

// Watcher runs the work of a command again and again.
type Watcher struct {
	App  *cli.App
	Done func() // is called after each run
	Idle func() // is called when nothing has changed for a while

	seen     map[string]fs.FileInfo // what the run saw of files when it read them first
	changing *Burst                 // the changes that the run is for; nil in the first one
}

// HasChanged reports whether a file has changed since the run began.
func (a *Watcher) HasChanged(ctx context.Context) bool { return a != nil && a.changing.HasChanged(ctx) }

// SawAll notes what a run has seen of files before it read them.
func (a *Watcher) SawAll(files map[string]fs.FileInfo) {
	for f, info := range files {
		if a.seen[f] == nil {
			a.seen[f] = info
		}
	}
}

// Saw notes what there is of a file that the run has just read.
func (a *Watcher) Saw(file string) {
	if a == nil {
		return
	}
	if info, err := os.Stat(file); err == nil {
		a.SawAll(map[string]fs.FileInfo{file: info})
	}
}

// Loop runs the work, and again whenever one of the files that it returns changes, until it is
// interrupted. Mistakes do not end it.
func (a *Watcher) Loop(ctx context.Context, run func() ([]string, error)) error {
	changes := NewChanges()
	defer changes.Close()
	var known []string
	watching := false
	// What changes while the work is done was perhaps read too early, so the states from
	// before it count. For files that were not known then, those count that the run saw before it read them, and
	// files have changed that are so new.
	earlier := states{}
	for {
		start := time.Now().Add(-clockTick)
		a.seen = map[string]fs.FileInfo{}
		files, err := run()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, ErrChanged) {
			earlier = a.changing.Now.Clone()
			continue
		}
		a.Done()
		if err != nil {
			// It ended before it knew all that it needs, so what the last one needed counts too.
			files = append(files, known...)
			if len(files) == 0 {
				return err // there is no file whose change could help
			}
			if text := err.Error(); text != "" {
				a.App.Tell("Error: %s", err)
			}
		}
		if err != nil {
			a.App.Say("%sno manifest was written; waiting for a change", cli.Clock())
		}
		if !watching {
			a.App.Say("Watching for changes; interrupt to stop.")
			watching = true
		}
		files = distinctFiles(files)
		known = files
		changes.Expect(files)
		now := StatesOf(files)
		before := now.Clone()
		for f, s := range now {
			if old, ok := earlier[f]; ok {
				before[f] = old
			} else if s.isNewerThan(start) {
				before[f] = fileState{}
			} else if info := a.seen[f]; info != nil && !info.IsDir() {
				before[f] = fileState{Info: info}
			}
		}
		for d := idleTime; now.Same(before); d = changes.Every {
			if _, ok := changes.Wait(ctx, d, now); !ok {
				return ctx.Err()
			}
			if d == idleTime && now.Same(before) {
				a.Idle()
			}
		}
		a.changing = &Burst{Changes: changes, Before: before, Now: now, Last: time.Now(), End: time.Now().Add(settleEnd)}
		a.changing.Settle(ctx)
		earlier = now.Clone()
	}
}

// changes waits for changes in folders. Where the system does not report them, a wait ends
// after a time.
type changes struct {
	watcher *fsnotify.Watcher // nil if there is none
	folders map[string]bool   // that are watched
	files   map[string]bool   // that count
	Every   time.Duration     // how often to look at all of them
	touched map[string]bool   // the files that changed since expect was called
}

func NewChanges() *changes {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		w = nil
	}
	return &changes{watcher: w, folders: map[string]bool{}, Every: WatchEvery}
}

func (c *changes) Close() {
	if c.watcher != nil {
		_ = c.watcher.Close()
	}
}

// Expect says which files may change. Folders are watched, and not files, since a file that
// is replaced is another one afterwards.
func (c *changes) Expect(files []string) {
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

// Wait waits until something may have changed, or until the time is over, and brings the
// states of the files up to date. It reports whether one of them has changed, and whether the
// work is to go on. Files that have changed before are looked at in any case, and all of
// them after a long wait.
func (c *changes) Wait(ctx context.Context, d time.Duration, now states) (changed, ok bool) {
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
			all, heard = all || d >= WatchEvery, true
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
	c.Every = max(WatchEvery, watchShare*time.Since(start))
	for _, f := range list {
		c.touched[f] = true
	}
	return len(list) > 0, true
}

// fileState is what is seen of a file without reading it. That of an absent file is the zero
// value.
type fileState struct {
	Info  fs.FileInfo
	names string // of what is in a folder
}

func stateOf(name string) (s fileState) {
	info, err := os.Stat(name)
	if err != nil {
		return s
	}
	s.Info = info
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
	if s.Info == nil || other.Info == nil {
		return s.Info == nil && other.Info == nil
	}
	if s.Info.IsDir() && other.Info.IsDir() {
		return s.names == other.names && os.SameFile(s.Info, other.Info)
	}
	return s.Info.Size() == other.Info.Size() && s.Info.ModTime().Equal(other.Info.ModTime()) && os.SameFile(s.Info, other.Info)
}

// isNewerThan reports whether a file was written after a time.
func (s fileState) isNewerThan(t time.Time) bool {
	return s.Info != nil && s.Info.Mode().IsRegular() && s.Info.ModTime().After(t)
}

// isEmpty reports whether a file is absent or has no content.
func (s fileState) isEmpty() bool { return s.Info == nil || !s.Info.IsDir() && s.Info.Size() == 0 }

// states are those of files, by name.
type states map[string]fileState

func StatesOf(files []string) states {
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

func (s states) Clone() states { return maps.Clone(s) }

// Same reports whether two lists of states are of the same files in the same states.
func (s states) Same(other states) bool { return maps.EqualFunc(s, other, fileState.same) }
