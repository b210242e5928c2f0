package main

import (
	"context"
	"maps"
	"os"
	"time"
)

// watchEvery is how often --watch looks at its files. Polling works on every file
// system, and there are few files.
const watchEvery = 250 * time.Millisecond

// watch runs the work, and again whenever one of the files that it depends on
// changes, until it is interrupted. Mistakes do not end it.
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
		a.say("Watching for changes; interrupt to stop.")
		for maps.Equal(stamps(files), before) {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(watchEvery):
			}
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
