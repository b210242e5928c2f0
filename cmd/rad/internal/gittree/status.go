package gittree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Unstaged returns those of the files, which are in the work tree top, whose content git
// would not commit: files that are new to it, and files that differ from the index. Files
// that git ignores are none of them.
//
// `git status` would say so, but it runs the filters that the configuration of the repository names,
// and so do diff-files and hash-object. So only what git keeps is asked for, and contents are compared
// here.
func Unstaged(ctx context.Context, top string, files []string) (map[string]bool, error) {
	const most = 500 // files on one command line
	out := map[string]bool{}
	for len(files) > 0 {
		part := files[:min(most, len(files))]
		files = files[len(part):]
		fresh, err := list(ctx, top, part, "--others", "--exclude-standard")
		if err != nil {
			return nil, err
		}
		for _, name := range fresh {
			out[name] = true
		}
		if err := changed(ctx, top, part, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// list asks for the files that git knows, or does not.
func list(ctx context.Context, top string, files []string, flags ...string) ([]string, error) {
	args := append([]string{"--literal-pathspecs", "ls-files", "-z"}, flags...)
	text, err := git(ctx, top, append(append(args, "--"), files...)...)
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == 0 }), nil
}

// changed adds the files whose content is not that of the index.
func changed(ctx context.Context, top string, files []string, out map[string]bool) error {
	entries, err := list(ctx, top, files, "--stage")
	if err != nil {
		return err
	}
	var differ []string
	for _, e := range entries { // MODE HASH STAGE\tNAME
		head, name, ok := strings.Cut(e, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 {
			return errors.New("git's list of the index is damaged")
		}
		content, err := contentOf(filepath.Join(top, filepath.FromSlash(name)))
		switch {
		case fields[2] != "0": // it is in conflict
			out[name] = true
		case errors.Is(err, fs.ErrNotExist):
			out[name] = true
		case err != nil:
			return err
		case !isObject(content, fields[1]):
			differ = append(differ, name)
		}
	}
	if len(differ) == 0 {
		return nil
	}
	converted, err := conversions(ctx, top, differ)
	if err != nil {
		return err
	}
	for _, name := range differ {
		if !converted[name] {
			out[name] = true
		}
	}
	return addRewritten(ctx, top, converted, out)
}

// contentOf returns what git keeps of a file: the text of a link, or the content.
func contentOf(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(path)
		return []byte(target), err
	}
	if err != nil {
		return nil, err
	}
	return source.Disk{}.ReadFile(path)
}

// conversions returns the files that git converts when it takes them in: by a filter, such as Git
// LFS, or otherwise than at the ends of lines. What it makes of them is not known here.
func conversions(ctx context.Context, top string, files []string) (map[string]bool, error) {
	text, err := git(ctx, top, append([]string{"check-attr", "-z", "filter", "ident", "working-tree-encoding", "--"}, files...)...)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	fields := bytes.Split(bytes.TrimSuffix(text, []byte{0}), []byte{0}) // name, attribute, value …
	for i := 0; i+2 < len(fields); i += 3 {
		if value := string(fields[i+2]); value != "unspecified" && value != "unset" {
			out[string(fields[i])] = true
		}
	}
	return out, nil
}

// addRewritten adds those of the files that were written since git took them in, by what the index says of
// their size and time.
func addRewritten(ctx context.Context, top string, files map[string]bool, out map[string]bool) error {
	for name := range files {
		text, err := git(ctx, top, "--literal-pathspecs", "ls-files", "--debug", "-z", "--", name)
		if err != nil {
			return err
		}
		info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		seconds, nanoseconds, size := int64(-1), int64(-1), int64(-1)
		_, facts, _ := strings.Cut(string(text), "\x00")
		for line := range strings.Lines(facts) {
			line = strings.TrimSpace(line)
			_, _ = fmt.Sscanf(line, "mtime: %d:%d", &seconds, &nanoseconds)
			_, _ = fmt.Sscanf(line, "size: %d", &size)
		}
		when := info.ModTime()
		if size != info.Size() || seconds != when.Unix() || nanoseconds != 0 && nanoseconds != int64(when.Nanosecond()) {
			out[name] = true
		}
	}
	return nil
}
