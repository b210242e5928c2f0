package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"time"
)

// watchEvery is how often --watch looks at its files. Polling works on every file
// system, and there are few files.
const watchEvery = 250 * time.Millisecond

// watch runs the work, and again whenever one of the files that it depends on
// changes, until it is interrupted. Mistakes do not end it.
func (a *app) watch(ctx context.Context, run func() ([]string, error)) error {
	for {
		files, err := run()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if text := err.Error(); text != "" {
				fmt.Fprintln(a.stderr, "Error: "+text)
			}
			if len(files) == 0 {
				return err // there is nothing whose change could mend it
			}
		}
		before := stamps(files)
		fmt.Fprintln(a.stderr, "Watching for changes; interrupt to stop.")
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(watchEvery):
			}
			if stamps(files) != before {
				break
			}
		}
	}
}

// stamps tells the states of files apart.
func stamps(files []string) string {
	sort.Strings(files)
	var out []byte
	for i, f := range files {
		if i > 0 && files[i-1] == f {
			continue
		}
		info, err := os.Stat(f)
		if err != nil {
			out = fmt.Appendf(out, "%s -\n", f)
			continue
		}
		out = fmt.Appendf(out, "%s %d %d\n", f, info.Size(), info.ModTime().UnixNano())
	}
	return string(out)
}
