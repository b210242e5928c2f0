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
	Now   Side   // the files on the disk, or those of a revision
	Was   Side   // what it is compared with; it has no Tree without --base
	Text  string // what is compared with, for titles: as it was given, or a common commit
	Short string // the revision before, without more words
}

// Close ends the reading of the revisions.
func (b *Base) Close() {
	for _, t := range []*gittree.Tree{b.Was.tree, b.Now.tree} {
		if t != nil {
			t.Close()
		}
	}
}

// OpenBase opens what --base names; "" is nothing. say tells the user what to know of it.
func (o *Project) OpenBase(ctx context.Context, text string, say func(notice string)) (b *Base, err error) {
	b = &Base{Now: o.Disk(), Was: o.Disk(), Text: text}
	if text == "" {
		return b, nil
	}
	defer func() {
		if err != nil {
			b.Close()
		}
	}()
	before, after, two := strings.Cut(text, "..")
	symmetric := two && strings.HasPrefix(after, ".")
	after = strings.TrimPrefix(after, ".")
	if two {
		before = cmp.Or(before, "HEAD")
	}
	after = cmp.Or(after, "HEAD")
	b.Short = before
	open := func(tree **gittree.Tree, revision string) error {
		if *tree, err = gittree.Open(ctx, o.Folder, revision); err != nil {
			err = cli.FailWith(cli.ExitIO, &cli.GitError{Err: fmt.Errorf("--base %s: %w", text, err)})
		}
		return err
	}
	if err := open(&b.Was.tree, before); err != nil {
		return b, err
	}
	if two {
		if err := open(&b.Now.tree, after); err != nil {
			return b, err
		}
	}
	if !two || symmetric {
		ancestor, err := gittree.MergeBase(ctx, o.Folder, before, after)
		switch {
		case errors.Is(err, gittree.ErrNoMergeBase):
			if symmetric {
				b.Text = before + ".." + after
			}
			say(fmt.Sprintf("--base %s: %s and %s have no common ancestor here, as in a shallow clone; %s is compared as it is",
				text, before, after, before))
		case err != nil:
			return b, cli.FailWith(cli.ExitIO, &cli.GitError{Err: fmt.Errorf("--base %s: %w", text, err)})
		case ancestor != b.Was.tree.Revision:
			b.Was.tree.Close()
			if err := open(&b.Was.tree, ancestor); err != nil {
				return b, err
			}
			const short = 7
			b.Short = ancestor[:short]
			b.Text = b.Short + " (last common commit with " + before + ")"
			if two {
				b.Text = b.Short + " (last common commit of " + before + " and " + after + ")"
			}
		}
	}
	for _, side := range []*Side{&b.Was, &b.Now} {
		if *side, err = o.At(side.tree, say); err != nil {
			return b, err
		}
	}
	return b, nil
}
