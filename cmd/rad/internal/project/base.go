package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/gittree"
)

// Base is what --base compares with. Every command that takes --base reads it alike:
//
//	REV    the last common commit of REV and HEAD, with the files on the disk. What came to
//	       REV since the branch began does not count.
//	A...B  the last common commit of A and B, with B.
//	A..B   A, with B, as they are.
//
// As for git, an A or a B that is left out is HEAD.
type Base struct {
	Before *gittree.Tree
	After  *gittree.Tree // nil for the files on the disk
	Text   string        // what is compared with, for titles: as it was given, or a common commit
	Short  string        // the revision before, without more words
}

// Close ends the reading of the revisions.
func (b *Base) Close() {
	for _, t := range []*gittree.Tree{b.Before, b.After} {
		if t != nil {
			t.Close()
		}
	}
}

// OpenBase opens what --base names. notice is what the user should know of it.
func (o *Project) OpenBase(ctx context.Context, text string) (b *Base, notice string, err error) {
	before, after, two := strings.Cut(text, "..")
	symmetric := two && strings.HasPrefix(after, ".")
	after = strings.TrimPrefix(after, ".")
	if two {
		before = cmp.Or(before, "HEAD")
	}
	after = cmp.Or(after, "HEAD")

	b = &Base{Text: text, Short: before}
	if b.Before, err = o.openRevision(ctx, text, before); err != nil {
		return nil, "", err
	}
	if two {
		if b.After, err = o.openRevision(ctx, text, after); err != nil {
			b.Close()
			return nil, "", err
		}
	}
	if two && !symmetric {
		return b, "", nil
	}
	ancestor, err := gittree.MergeBase(ctx, o.Folder, before, after)
	switch {
	case errors.Is(err, gittree.ErrNoMergeBase):
		if symmetric {
			b.Text = before + ".." + after
		}
		return b, fmt.Sprintf("--base %s: %s and %s have no common ancestor here, as in a shallow clone; %s is compared as it is",
			text, before, after, before), nil
	case err != nil:
		b.Close()
		return nil, "", cli.FailWith(cli.ExitIO, &cli.GitError{Err: fmt.Errorf("--base %s: %w", text, err)})
	}
	if ancestor == b.Before.Revision {
		return b, "", nil
	}
	b.Before.Close()
	if b.Before, err = o.openRevision(ctx, text, ancestor); err != nil {
		b.Close()
		return nil, "", err
	}
	const short = 7
	b.Short = ancestor[:short]
	b.Text = b.Short + " (last common commit with " + before + ")"
	if two {
		b.Text = b.Short + " (last common commit of " + before + " and " + after + ")"
	}
	return b, "", nil
}

// openRevision opens one of the revisions that --base names.
func (o *Project) openRevision(ctx context.Context, base, revision string) (*gittree.Tree, error) {
	t, err := gittree.Open(ctx, o.Folder, revision)
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, &cli.GitError{Err: fmt.Errorf("--base %s: %w", base, err)})
	}
	return t, nil
}
