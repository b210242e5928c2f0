package gittree

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"os/exec"
	"strings"
)

// HasContent reports whether a file of the revision has this content. Line ends make no
// difference that git may have made. The content of the revision is not read.
func (t *Tree) HasContent(name string, content []byte) (bool, error) {
	e, err := t.file(name)
	if err != nil {
		return false, err
	}
	return isObject(content, e.object), nil
}

// isObject reports whether a content is that of an object, but for line ends that git may have made.
func isObject(content []byte, object string) bool {
	if objectName(content, len(object)) == object {
		return true
	}
	if !bytes.Contains(content, []byte("\r\n")) || bytes.IndexByte(content, 0) >= 0 {
		return false
	}
	return objectName(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")), len(object)) == object
}

// objectName returns the name that git gives a file's content. Its length tells the hash
// function of the repository.
func objectName(content []byte, length int) string {
	var h hash.Hash
	if length == sha256.Size*2 {
		h = sha256.New()
	} else {
		h = sha1.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// ErrNoMergeBase says that two revisions have no common ancestor, or that a shallow clone
// does not have it.
var ErrNoMergeBase = errors.New("there is no common ancestor")

// MergeBase returns the best common ancestor of two revisions.
func MergeBase(ctx context.Context, dir, a, b string) (string, error) {
	for _, revision := range []string{a, b} {
		if strings.HasPrefix(revision, "-") || revision == "" {
			return "", fmt.Errorf("%q is not a revision", revision)
		}
	}
	out, err := git(ctx, dir, "merge-base", "--end-of-options", a, b)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return "", ErrNoMergeBase
	case err != nil:
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}
