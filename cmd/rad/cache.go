package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
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

// cacheFolder returns the cache of the current folder.
func cacheFolder() (string, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return "", cli.FailWith(cli.ExitIO, err)
	}
	dir, err := bicep.CacheFolder(cwd)
	return dir, cli.FailWith(cli.ExitUsage, err)
}

func newCachePath(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "path",
		Short:   "Print the folder of the cache",
		Example: "  rad bicep cache path",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := cacheFolder()
			if err != nil {
				return err
			}
			if a.WantsJSON() {
				a.Result = cachePath{dir}
				return nil
			}
			_, err = fmt.Fprintln(a.Stdout, dir)
			return cli.FailWith(cli.ExitIO, err)
		},
	}
	a.TakesFormat(c, "text", "json")
	return c
}

// cachePath is the result of cache path.
type cachePath struct {
	Path string `json:"path"`
}

// cacheContent is the result of cache list, and what cache clean removed.
type cacheContent struct {
	Path      string                 `json:"path" doc:"the folder of the cache"`
	Artifacts []bicep.CachedArtifact `json:"artifacts"`
}

func newCacheList(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "list",
		Short:   "List what the cache holds",
		Example: "  rad bicep cache list\n  rad bicep cache list --format json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := cacheFolder()
			if err != nil {
				return err
			}
			list, err := bicep.CachedArtifacts(dir)
			if err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
			if a.WantsJSON() {
				a.Result = cacheContent{dir, append([]bicep.CachedArtifact{}, list...)}
				return nil
			}
			return cli.FailWith(cli.ExitIO, a.printCache(list))
		},
	}
	a.TakesFormat(c, "text", "json")
	return c
}

func (a *app) printCache(list []bicep.CachedArtifact) error {
	for _, one := range list {
		if _, err := fmt.Fprintf(a.Stdout, "%s\t%s\t%s\n", one.Reference, one.Kind, cli.ByteCount(one.Size)); err != nil {
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
Azure's types were converted to, but not the library that 'rad bicep types import az' made.`,
		Example: "  rad bicep cache clean --all\n  rad bicep cache clean 'br:ghcr.io/acme/*'",
		RunE: func(_ *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return cli.Fail(cli.ExitUsage, "name artifacts as 'rad bicep cache list' prints them, or give --all")
			}
			dir, err := cacheFolder()
			if err != nil {
				return err
			}
			list, err := bicep.CachedArtifacts(dir)
			if err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
			var remove []bicep.CachedArtifact
			for _, one := range list {
				if all || matchesAny(one.Reference, args) {
					remove = append(remove, one)
				}
			}
			if err := bicep.RemoveCached(dir, remove); err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
			converted := 0
			if all {
				if converted, err = bicep.RemoveConvertedAzTypes(); err != nil {
					return cli.FailWith(cli.ExitIO, err)
				}
			}
			if a.WantsJSON() {
				a.Result = cacheContent{dir, append([]bicep.CachedArtifact{}, remove...)}
				return nil
			}
			removed := cli.Plural(len(remove), "artifact")
			if converted > 0 {
				removed += " and " + cli.Plural(converted, "converted archive") + " of Azure's types"
			}
			a.Say("Removed %s.", removed)
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "remove everything")
	a.TakesFormat(c, "text", "json")
	return c
}

func matchesAny(reference string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return source.Match(p, reference, 0) })
}
