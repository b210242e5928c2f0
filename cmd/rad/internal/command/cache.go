package command

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func newCache(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "cache",
		Short: "Manage the cache of modules and extensions",
		Long: `Manage the cache of modules and extensions that were restored. It is the one of the
official compiler: ~/.bicep, or the folder that bicepconfig.json names.`,
		Example: `  rad bicep cache list
  rad bicep cache path`,
		Args: cli.IsSubcommand,
		RunE: cli.Help,
	}
	c.AddCommand(newCacheList(a), newCachePath(a), newCacheClean(a))
	return c
}

// findCache returns the cache of the current folder.
func (a *app) findCache(c *cobra.Command) (*artifacts.Cache, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	s, root, _, err := settings.For(c.Flags(), settings.Cache, cwd, settings.Caller{})
	if err != nil {
		return nil, err
	}
	a.LimitTime(s.TimeLimit)
	found, err := artifacts.FindCache(workdir.FilesBelow(root), cwd, root, s.CacheRoot)
	return found, cli.FailWith(cli.ExitUsage, err)
}

func newCachePath(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "path",
		Short:   "Print the folder of the cache",
		Example: "  rad bicep cache path",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			found, err := a.findCache(c)
			if err != nil {
				return err
			}
			if a.WantsJSON() {
				a.Result = cachePath{found.Path}
				return nil
			}
			_, err = fmt.Fprintln(a.Stdout, report.Visible(found.Path))
			return cli.FailWith(cli.ExitIO, err)
		},
	}
	settings.AddFlags(a.App, c, settings.Cache)
	a.TakesFormat(c, "text", "json")
	return c
}

// cachePath is the result of cache path.
type cachePath struct {
	Path string `json:"path"`
}

// cacheContent is the result of cache list, and what cache clean removed.
type cacheContent struct {
	Path      string                     `json:"path" doc:"the folder of the cache"`
	Artifacts []artifacts.CachedArtifact `json:"artifacts"`
	Left      []artifacts.CacheRest      `json:"left,omitempty" doc:"what is no artifact, is reached by a link, or holds other files, too: it is left alone"`
}

func newCacheList(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "list",
		Short:   "List what the cache holds",
		Example: "  rad bicep cache list\n  rad bicep cache list --format json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			found, err := a.findCache(c)
			if err != nil {
				return err
			}
			list, left, err := found.List()
			if err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
			for _, one := range left {
				a.Say("Warning: %s is not listed: %s", workdir.Shown(one.Path), one.Reason)
			}
			if a.WantsJSON() {
				a.Result = cacheContent{found.Path, append([]artifacts.CachedArtifact{}, list...), left}
				return nil
			}
			return cli.FailWith(cli.ExitIO, a.printCache(list))
		},
	}
	settings.AddFlags(a.App, c, settings.Cache)
	a.TakesFormat(c, "text", "json")
	return c
}

func (a *app) printCache(list []artifacts.CachedArtifact) error {
	for _, one := range list {
		if _, err := fmt.Fprintf(a.Stdout, "%s\t%s\t%s\n",
			report.Visible(one.Reference), report.Visible(string(one.Kind)), cli.ByteCount(one.Size)); err != nil {
			return err
		}
	}
	return nil
}

func newCacheClean(a *app) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "clean [REFERENCE]...",
		Short: "Remove artifacts from the cache",
		Long: `Remove artifacts from the cache: those that are named, or all of them with --all. A reference
may end in *, and then stands for all that begin with it. --all also removes what archives of
Azure's types were converted to, but not the library that 'rad bicep types import az' made.

Only files that an artifact has are removed, from folders that hold nothing else. Links are not
followed. What is left for that reason is named.`,
		Example: "  rad bicep cache clean --all\n  rad bicep cache clean 'br:ghcr.io/acme/*'",
		RunE: func(c *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return cli.Fail(cli.ExitUsage, "name artifacts as 'rad bicep cache list' prints them, or give --all")
			}
			found, err := a.findCache(c)
			if err != nil {
				return err
			}
			return a.cleanCache(found, all, args)
		},
	}
	c.Flags().BoolVar(&all, "all", false, "remove everything")
	settings.AddFlags(a.App, c, settings.Cache)
	a.TakesFormat(c, "text", "json")
	return c
}

// cleanCache removes the artifacts that patterns stand for, or all.
func (a *app) cleanCache(from *artifacts.Cache, all bool, patterns []string) error {
	list, left, err := from.List()
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	list = slices.DeleteFunc(list, func(one artifacts.CachedArtifact) bool {
		return !all && !slices.ContainsFunc(patterns, func(p string) bool { return source.Match(p, one.Reference, 0) })
	})
	removed, more, err := from.Remove(list)
	left = append(left, more...)
	for _, one := range left {
		a.Say("Warning: %s is left: %s", workdir.Shown(one.Path), one.Reason)
	}
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	converted := 0
	if all {
		if converted, err = artifacts.RemoveConvertedAzTypes(); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	if a.WantsJSON() {
		a.Result = cacheContent{from.Path, append([]artifacts.CachedArtifact{}, removed...), left}
		return nil
	}
	count := cli.Plural(len(removed), "artifact")
	if converted > 0 {
		count += " and " + cli.Plural(converted, "converted archive") + " of Azure's types"
	}
	a.Say("Removed %s.", count)
	return nil
}
