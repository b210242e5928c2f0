package command

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// completeGenerate completes the flags that take files and names of parameters.
func completeGenerate(a *app, c *cobra.Command) {
	a.CompleteFlag(c, "parameters", completeParameters)
	_ = c.MarkFlagFilename("outfile", "yaml", "yml", "json")
	_ = c.MarkFlagFilename("destination-file", "yaml", "yml")
	_ = c.MarkFlagDirname(settings.KeyOutdir)
}

// completeParameters completes the names of the parameters of the template that is
// named on the command line, their values after =, and files after @.
func completeParameters(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if path, ok := strings.CutPrefix(word, "@"); ok {
		return completeParameterFiles(c.Flags(), path), cobra.ShellCompDirectiveNoSpace
	}
	if name, value, ok := strings.Cut(word, "="); ok {
		if out := completeValue(c.Flags(), args, name, value); len(out) > 0 {
			return out, cobra.ShellCompDirectiveNoFileComp
		}
	}
	if strings.ContainsAny(word, "=@/\\") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var out []string
	for _, arg := range args {
		for _, p := range declaredIn(c.Flags(), arg) {
			if strings.HasPrefix(p.Name, word) && isPlainWord(p.Name) {
				out = append(out, p.Name+"=")
			}
		}
	}
	return out, cobra.ShellCompDirectiveNoSpace
}

// completeValue completes the value of a parameter where its declaration lists what it takes.
func completeValue(flags *pflag.FlagSet, args []string, name, value string) (out []string) {
	for _, arg := range args {
		for _, p := range declaredIn(flags, arg) {
			for _, choice := range p.Choices {
				if p.Name == name && strings.HasPrefix(choice, value) && isPlainWord(choice) {
					out = append(out, name+"="+choice)
				}
			}
		}
	}
	return out
}

// isPlainWord reports whether a shell reads a name of the repository as it is, and a terminal
// shows it so. Others are not offered: a shell would put them on the command line.
func isPlainWord(name string) bool {
	return cli.ShellQuote(name) == name && report.Visible(name) == name
}

// completeParameterFiles completes the files that can follow @, and folders. A folder behind a link
// that leads out of the root is not listed: the command does not read it either.
func completeParameterFiles(flags *pflag.FlagSet, word string) []string {
	folder, prefix := filepath.Split(word)
	area, _, err := settings.Area(flags, filepath.Clean(folder))
	if err != nil {
		return nil
	}
	entries, err := area.Entries(filepath.Clean(folder))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		name := e.Name()
		ext := strings.ToLower(filepath.Ext(name))
		switch {
		case !strings.HasPrefix(name, prefix) || prefix == "" && name[0] == '.' || !isPlainWord(name):
		case e.IsDir():
			out = append(out, "@"+folder+name+"/")
		case ext == ".bicepparam" || ext == ".json":
			out = append(out, "@"+folder+name)
		}
	}
	return out
}

// declaredIn returns the parameters of a template, from the files that a command would read: below the root, or else
// below its folder.
func declaredIn(flags *pflag.FlagSet, path string) (list []bicep.DeclaredParameter) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil // completion has nowhere to tell it
	}
	if _, _, area, err := settings.For(flags, settings.Compiler, filepath.Dir(path), settings.Caller{}); err == nil {
		list, _ = bicep.DeclaredParameters(workdir.FilesBelow(area.Dir), path)
	}
	return list
}

// completeBase completes the flag --base with branches and tags.
func completeBase(a *app, c *cobra.Command) {
	a.CompleteFlag(c, "base", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		begin := ""
		if i := strings.LastIndex(word, ".."); i >= 0 { // A..B and A...B
			begin, word = word[:i+2], word[i+2:]
		}
		ctx := c.Context()
		if ctx == nil { // completion may be asked for without a run
			ctx = context.Background()
		}
		names, err := gittree.Branches(ctx, ".")
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp // completion has nowhere to tell it
		}
		var out []string
		for _, name := range names {
			if strings.HasPrefix(name, word) && isPlainWord(name) {
				out = append(out, begin+name)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	})
}

// addOnly gives the command --only, which chooses among the targets that are listed.
func addOnly(a *app, c *cobra.Command, only *[]string) {
	c.Flags().StringArrayVar(only, "only", nil, "of several targets, those whose name or outfile is `NAME|GLOB`, repeatable")
	a.CompleteFlag(c, "only", func(c *cobra.Command, args []string, word string) (out []string, _ cobra.ShellCompDirective) {
		d, s, err := a.begin(c, settings.Generate&^settings.Compiler|settings.Checker, args, nil)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp // completion has nowhere to tell it
		}
		for _, name := range targets.Names(d.Disk(), s) {
			if strings.HasPrefix(name, word) && isPlainWord(name) {
				out = append(out, name)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	})
}

// addParameters gives the command --parameters, as generate-kubernetes-manifest has it.
func addParameters(a *app, c *cobra.Command, parameters *[]string) {
	c.Flags().StringArrayVarP(parameters, "parameters", "p", nil,
		"values of parameters, repeatable; `FORMS` as of generate-kubernetes-manifest")
	a.CompleteFlag(c, "parameters", completeParameters)
}
