package gittree

import (
	"bytes"
	"context"
)

// Unstaged returns those of the files, which are in the work tree top, whose content git
// would not commit: files that are new to it, and files that differ from the index. Files
// that git ignores are none of them.
func Unstaged(ctx context.Context, top string, files []string) (map[string]bool, error) {
	const most = 500 // files on one command line
	out := map[string]bool{}
	for len(files) > 0 {
		part := files[:min(most, len(files))]
		files = files[len(part):]
		args := append([]string{"--literal-pathspecs", "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--"}, part...)
		text, err := git(ctx, top, args...)
		if err != nil {
			return nil, err
		}
		for _, line := range bytes.Split(text, []byte{0}) {
			// "XY name", in which Y is the state of the work tree against the index.
			if len(line) > 3 && line[1] != ' ' {
				out[string(line[3:])] = true
			}
		}
	}
	return out, nil
}
