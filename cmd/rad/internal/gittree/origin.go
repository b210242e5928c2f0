package gittree

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Origin says where files come from.
type Origin struct {
	Source   string    // where the repository is, as a URL without credentials; "" if it has no remote of the name origin
	Revision string    // the last commit that changed one of the files
	Created  time.Time // when that commit was made
}

// OriginOf returns where files come from, by their absolute names. ok is false if git does not know: they are in no
// repository, or one of them is not as the last commit has it. The answer changes only when one of the files does,
// but in a shallow clone, where the history ends.
func OriginOf(ctx context.Context, dir string, files map[string][]byte) (o Origin, ok bool) {
	t, err := Open(ctx, dir, "HEAD")
	if err != nil || len(files) == 0 {
		return o, false
	}
	defer t.Close()
	var names []string
	for name, content := range files {
		same, err := t.HasContent(name, content)
		if err != nil || !same {
			return o, false
		}
		rel, _ := t.rel(name)
		names = append(names, filepath.ToSlash(rel))
	}
	slices.Sort(names)
	const most = 500 // files on one command line
	for part := range slices.Chunk(names, most) {
		out, err := git(ctx, t.top, append([]string{"--literal-pathspecs", "rev-list", "-1", "--timestamp", t.Revision, "--"}, part...)...)
		fields := strings.Fields(string(out)) // TIME HASH
		if err != nil || len(fields) != 2 {
			return o, false
		}
		seconds, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil {
			return o, false
		}
		if when := time.Unix(seconds, 0).UTC(); o.Revision == "" || when.After(o.Created) {
			o.Revision, o.Created = fields[1], when
		}
	}
	if out, err := git(ctx, t.top, "config", "--get", "remote.origin.url"); err == nil {
		o.Source = publicURL(strings.TrimSpace(string(out)))
	}
	return o, true
}

// publicURL returns the URL of a remote without what is secret in it: a user's name, a password, a query. It is
// empty for a folder.
func publicURL(remote string) string {
	if host, path, ok := strings.Cut(remote, ":"); ok && !strings.HasPrefix(path, "//") &&
		!strings.HasPrefix(path, ":") && !strings.Contains(host, "/") && len(host) > 1 {
		remote = "ssh://" + host + "/" + strings.TrimPrefix(path, "/") // git@HOST:PATH; NAME::ADDRESS runs a program
	}
	u, err := url.Parse(remote)
	if err != nil || u.Host == "" || !slices.Contains([]string{"https", "http", "ssh", "git"}, u.Scheme) {
		return ""
	}
	clean := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if u.Scheme == "ssh" && u.User != nil && u.User.Username() == "git" {
		clean.User = url.User("git") // the account that all users of a server share
	}
	return clean.String()
}
