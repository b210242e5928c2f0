package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/spell"
)

// CompleteFlag completes the values of a flag where the shell asks for that. Cobra keeps the function, and with it the
// command, for as long as the process lives, so other runs do without.
func (a *App) CompleteFlag(c *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if a.Completing {
		_ = c.RegisterFlagCompletionFunc(flag, complete) // fails for a flag that the command lacks, as some do
	}
}

// CompleteFiles completes files of the given extensions, and folders.
func CompleteFiles(extensions ...string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		if names, isPlain := filesFor(word, extensions); isPlain {
			return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// filesFor returns the files and folders that a word may become, without those that begin with a dot where
// it does not, and without the folders of git and of the settings. It is not isPlain if the shell has to
// quote one of them, which it does for the files that it completes itself.
func filesFor(word string, extensions []string) (names []string, isPlain bool) {
	folder, begin := filepath.Split(word)
	entries, err := os.ReadDir(filepath.Clean(folder))
	if err != nil || strings.HasPrefix(folder, "~") {
		return nil, false
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, begin) || name[0] == '.' && (begin == "" || name == ".git" || name == ".rad") {
			continue
		}
		info, err := os.Stat(filepath.Join(folder, name))
		switch {
		case err != nil:
			continue
		case info.IsDir():
			name += "/"
		case !slices.Contains(extensions, strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")):
			continue
		}
		if ShellQuote(name) != name || report.Visible(name) != name {
			return nil, false
		}
		names = append(names, folder+name)
	}
	return names, true
}

// otherFlags are names that flags have elsewhere, and theirs here.
var otherFlags = map[string]string{
	"dry-run": "diff", "what-if": "diff", "preview": "diff",
	"output": "outfile", "out": "outfile", "output-file": "outfile",
	"file": "outfile", "out-file": "outfile", "out-dir": "outdir", "output-dir": "outdir",
	"param": "parameters", "params": "parameters", "parameter": "parameters", "set": "parameters", "values": "parameters",
}

// FlagError says what is wrong with a flag, in the words of this program.
func FlagError(c *cobra.Command, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		near := spell.Nearest(name, names)
		longer := slices.IndexFunc(names, func(one string) bool { return len(name) > 2 && strings.HasPrefix(one, name) })
		if near == "" && longer >= 0 {
			near = names[longer]
		}
		if other := otherFlags[name]; c.Flags().Lookup(other) != nil {
			near = other
		}
		if near != "" {
			text += fmt.Sprintf("; did you mean --%s?", near)
		} else if c.Flags().Lookup("parameters") != nil {
			text += "; a value for a parameter is given by --parameters " + name + "=…"
		}
	}
	if strings.HasPrefix(text, "unknown shorthand flag: 'n' ") && c.Flags().Lookup("namespace") != nil {
		text += "; --namespace has no short form"
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := "--" + invalid.GetFlag().Name
		switch invalid.GetFlag().Value.Type() {
		case "duration":
			text = fmt.Sprintf("%s: want a duration such as 30s or 2m, not %q", flag, invalid.GetValue())
		case "int", "int64":
			text = fmt.Sprintf("%s: want a whole number, not %q", flag, invalid.GetValue())
		case "bool":
			text = fmt.Sprintf("%s: want true or false, not %q", flag, invalid.GetValue())
		}
	}
	if words, ok := mistake(err); ok {
		text = words
	}
	return Fail(ExitUsage, "%s", text)
}

func Help(c *cobra.Command, _ []string) error { return c.Help() }

// otherNames are names that commands have elsewhere, and what to write here.
var otherNames = map[string]string{
	"compile":  "'rad bicep build' compiles a template",
	"check":    "'rad bicep lint' reports what is wrong, and 'generate-kubernetes-manifest --check' what is not up to date",
	"validate": "'rad bicep lint' reports what is wrong with a file",
	"diff":     "'rad bicep plan --base REV' shows what a change deploys, and 'generate-kubernetes-manifest --diff' what it writes",
	"watch":    "'rad bicep generate-kubernetes-manifest --watch' writes a manifest again when a file changes",
	"template": "'rad bicep generate-kubernetes-manifest' writes the manifest of a template",
	"manifest": "'rad bicep generate-kubernetes-manifest' writes the manifest of a template",
	"generate": "'rad bicep generate-kubernetes-manifest' writes a manifest, and 'generate-params' a parameter file",
	"eval":     "'rad bicep plan' shows the resources of a template with their values",
	"fmt":      "'rad bicep format' lays out Bicep files",
}

// OtherName says what to write in place of a command that has another name elsewhere; "" for
// other words.
func OtherName(word string) string { return otherNames[word] }

// bicepPath returns the command line of a command under `rad bicep` that was written without
// bicep, or "".
func bicepPath(c *cobra.Command, name string) string {
	if c.HasParent() {
		return ""
	}
	for _, group := range c.Commands() {
		for _, sub := range group.Commands() {
			if group.Name() == "bicep" && !sub.Hidden && (sub.Name() == name || sub.HasAlias(name)) {
				return sub.CommandPath()
			}
		}
	}
	return ""
}

// Abbreviates reports whether a word is a command's name with parts or ends of parts left out: generate-manifest, gen-params.
func Abbreviates(word, name string) bool {
	parts := strings.Split(name, "-")
	for one := range strings.SplitSeq(word, "-") {
		if len(one) > 2 {
			one = strings.TrimSuffix(one, "s") // manifests
		}
		i := slices.IndexFunc(parts, func(part string) bool { return strings.HasPrefix(part, one) })
		if i < 0 || one == "" {
			return false
		}
		parts = parts[i+1:]
	}
	return true
}

// meant says which commands of a group a word may stand for, and returns the names of all. Each is shown after a prefix.
func meant(group *cobra.Command, word, prefix string) (hint string, names []string) {
	var longer []string
	for _, sub := range group.Commands() {
		if sub.Hidden {
			continue
		}
		names = append(append(names, sub.Name()), sub.Aliases...)
		if Abbreviates(word, sub.Name()) {
			longer = append(longer, strconv.Quote(prefix+sub.Name()))
		}
	}
	if len(longer) > 0 && len(longer) < 4 {
		return fmt.Sprintf("; did you mean %s?", OrList(longer)), names
	}
	if prefix != "" { // resource is a command of Radius, and not a misspelt restore
		return "", names
	}
	return DidYouMean(word, names), names
}

// IsSubcommand refuses the arguments of a command that only holds others: what
// gets here is the name of none of them.
func IsSubcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if other := OtherName(args[0]); other != "" {
		return Fail(ExitUsage, "%s has no command %q: %s", c.CommandPath(), args[0], other)
	}
	if path := bicepPath(c, args[0]); path != "" {
		return Fail(ExitUsage, "%s has no command %q; write '%s'", c.CommandPath(), args[0], path)
	}
	hint, names := meant(c, args[0], "")
	for _, group := range c.Commands() {
		if hint == "" && !c.HasParent() && group.Name() == "bicep" {
			hint, _ = meant(group, args[0], group.CommandPath()+" ")
		}
	}
	if path := c.CommandPath(); hint == "" && (path == "rad" || path == "rad bicep") {
		hint = radiusHas
	}
	if hint == "" {
		hint = "; want " + OrList(names)
	}
	return Fail(ExitUsage, "%s has no command %q%s", c.CommandPath(), args[0], hint)
}
