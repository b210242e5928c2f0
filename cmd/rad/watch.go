package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// watchEvery is how often --watch looks at its files. Polling works on every file
// system, and there are few files.
const watchEvery = 250 * time.Millisecond

// settleTime is how long a file that was replaced may be absent, in steps of settleStep:
// some editors delete a file, and then give a new one its name.
const (
	settleTime = 2 * time.Second
	settleStep = 50 * time.Millisecond
)

// watch runs the work, and again whenever one of the files that it depends on, or looked
// for, changes, until it is interrupted. Mistakes do not end it.
func (a *app) watch(ctx context.Context, run func() ([]string, error)) error {
	var known []string
	for {
		// What changes while the work is done was perhaps read too early, so the
		// states from before it count, of all files that were known then.
		earlier := stamps(known)
		files, err := run()
		if ctx.Err() != nil {
			return ctx.Err()
		}
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
		before := stamps(files)
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
		for maps.Equal(stamps(files), before) {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(watchEvery):
			}
		}
		settle(ctx, files, before)
	}
}

// settle waits until no file changes any more, and none that was there is absent.
func settle(ctx context.Context, files []string, before map[string]stamp) {
	now := stamps(files)
	for end := time.Now().Add(settleTime); time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return
		case <-time.After(settleStep):
		}
		last := now
		now = stamps(files)
		gone := slices.ContainsFunc(files, func(f string) bool { return now[f] == stamp{} && before[f] != stamp{} })
		if maps.Equal(now, last) && !gone {
			return
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

// stamp is what tells two states of a file apart. A file that is absent has the zero stamp.
type stamp struct{ size, changed int64 }

// stamps returns the states of files.
func stamps(files []string) map[string]stamp {
	out := make(map[string]stamp, len(files))
	for _, f := range files {
		var s stamp
		if info, err := os.Stat(f); err == nil {
			s = stamp{info.Size(), info.ModTime().UnixNano()}
		}
		out[f] = s
	}
	return out
}
