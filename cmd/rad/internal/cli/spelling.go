package cli

import (
	"bufio"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// This file turns the spellings that the official command line accepts into those
// of pflag: --name:value, a switch with true or false after it, -?, and response
// files. The flags of a command are the table of its options.

// UpstreamArgs respells the arguments of a command that stands in for one of the
// official compiler's.
func UpstreamArgs(c *cobra.Command, args []string) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(out, args[i:]...)
		}
		if isHelp(arg) {
			out = append(out, "--help")
			continue
		}
		name, ok := strings.CutPrefix(arg, "--")
		if !ok {
			out = append(out, arg)
			continue
		}
		if j := strings.IndexAny(name, "=:"); j >= 0 {
			if name[j] == ':' && c.Flags().Lookup(name[:j]) != nil {
				arg = "--" + name[:j] + "=" + name[j+1:]
			}
			out = append(out, arg)
			continue
		}
		f := c.Flags().Lookup(name)
		switch {
		case f == nil || i+1 == len(args):
			out = append(out, arg)
		case isSwitch(f):
			if v := strings.ToLower(args[i+1]); v == "true" || v == "false" {
				arg += "=" + v
				i++
			}
			out = append(out, arg)
		default: // the value is what follows, whatever it looks like
			out = append(out, arg, args[i+1])
			i++
		}
	}
	return out
}

// AsArgument returns the name of a file as a command line can hold it: no program takes it
// for an option, this one not for a response file, and git not for a pattern.
func AsArgument(name string) string {
	if name != "" && strings.Contains("-@:", name[:1]) {
		return "./" + name
	}
	return name
}

// beforeNames returns the arguments before --, those that may be options.
func beforeNames(args []string) []string {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i]
	}
	return args
}

func isSwitch(f *pflag.Flag) bool { return f.Value.Type() == "bool" }

// isHelp reports whether an argument asks for help in a spelling that pflag does
// not know.
func isHelp(arg string) bool {
	return arg == "-?" || runtime.GOOS == "windows" && (arg == "/?" || arg == "/h")
}

// maxResponseFiles bounds how many response files one command line may lead to:
// they may name each other.
const maxResponseFiles = 100

// ExpandResponseFiles puts in place of each @file the arguments that the file
// holds. A line that begins with # is a comment. After -- an argument is a name, also where
// the -- is in a response file.
func ExpandResponseFiles(args []string) ([]string, error) {
	files, ended := 0, false
	var expand func(args []string) ([]string, error)
	expand = func(args []string) ([]string, error) {
		var out []string
		for i, arg := range args {
			if ended = ended || arg == "--"; ended {
				return append(out, args[i:]...), nil
			}
			name, ok := strings.CutPrefix(arg, "@")
			if !ok || name == "" {
				out = append(out, arg)
				continue
			}
			if files++; files > maxResponseFiles {
				return nil, Fail(ExitUsage, "%s: more than %d response files; does one name itself?", arg, maxResponseFiles)
			}
			text, err := workdir.ReadFile(name)
			if err != nil {
				return nil, Fail(ExitIO, "response file %s: %w", name, err)
			}
			var words []string
			lines := bufio.NewScanner(strings.NewReader(string(text)))
			lines.Buffer(nil, workdir.MaxText+1)
			for lines.Scan() {
				words = append(words, splitLine(lines.Text())...)
			}
			if words, err = expand(words); err != nil {
				return nil, err
			}
			out = append(out, words...)
		}
		return out, nil
	}
	for _, arg := range args {
		if strings.HasPrefix(arg, "@") {
			return expand(args)
		}
	}
	return args, nil
}

// splitLine returns the words of a line of a response file. Double quotes hold
// blanks together.
func splitLine(line string) []string {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return nil
	}
	var words []string
	var word strings.Builder
	quoted, begun := false, false
	for _, r := range line {
		switch {
		case r == '"':
			quoted, begun = !quoted, true
		case (r == ' ' || r == '\t') && !quoted:
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

// Respell respells a command line if its command stands in for an official one:
// `bicep COMMAND …`, or `rad bicep COMMAND …`.
func Respell(a *App, root *cobra.Command, args []string) ([]string, error) {
	n := 2 // the words of the command's name
	if a.AsBicep {
		n = 1
	} else if len(args) < 3 || args[0] != "bicep" {
		return args, nil
	}
	if len(args) < n {
		return args, nil
	}
	c, rest, err := root.Find(args[:n])
	if err != nil || !IsDropIn(c) || c.DisableFlagParsing {
		return args, nil
	}
	if len(rest) > 0 { // no command's name: these are options of the program
		return UpstreamArgs(c, args), nil
	}
	if rest, err = ExpandResponseFiles(args[n:]); err != nil {
		return nil, err
	}
	return append(slices.Clone(args[:n]), UpstreamArgs(c, rest)...), nil
}
