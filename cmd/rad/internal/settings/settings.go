// Package settings reads the settings of a run: from flags, the environment, the user's file and
// the file of a repository.
//
// All facts about a setting are one line of the table in table.go. Begin with For, which finds the
// files and merges the values. trust.go decides what the file of a repository may set. The package
// does not use the values: package project does.
package settings

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/pkg/spell"
)

// Settings are the settings of one run, merged: flag, environment, the project's file, the
// user's file, default.
type Settings struct {
	Values
	Flags *pflag.FlagSet
	File  *File   // of the project, or else of the user; never nil
	files []*File // that were read; the first one counts most
}

// AddFlags gives the command a flag for each setting of a set, and completes its values.
func AddFlags(a *cli.App, c *cobra.Command, set Set) {
	flags := c.Flags()
	for _, s := range set.All() {
		help := s.HelpIn(set)
		switch def := s.Default.(type) {
		case string:
			flags.StringP(s.Flag(), s.Short, def, help)
		case bool:
			flags.Bool(s.Flag(), def, help)
		case time.Duration:
			flags.Duration(s.Flag(), def, help)
		case []string:
			flags.StringSlice(s.Flag(), def, help)
		default:
			panic(fmt.Sprintf("setting %s: %T", s.Key, def))
		}
		if len(s.Enum) > 0 {
			a.CompleteFlag(c, s.Flag(), cobra.FixedCompletions(s.Enum, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	a.CompleteFlag(c, KeyCompiler, cobra.FixedCompletions([]string{"auto", "embedded", "bicep", "rad"}, cobra.ShellCompDirectiveDefault))
	_ = c.MarkFlagDirname(KeyRoot)
}

// Load merges the settings of a command, which has those of a set. user and project are the
// settings files, which may be nil.
func Load(flags *pflag.FlagSet, set Set, user, project *File) (*Settings, error) {
	if err := unknownVariables(os.Environ()); err != nil {
		return nil, err
	}
	s := &Settings{Flags: flags, File: &File{}}
	for _, f := range []*File{user, project} {
		if f == nil {
			continue
		}
		if len(s.files) > 0 {
			f.Labels = MergeMaps(user.Labels, f.Labels)
			f.Annots = MergeMaps(user.Annots, f.Annots)
		}
		s.File, s.files = f, append([]*File{f}, s.files...)
	}
	merged, err := s.merge(set)
	if err != nil {
		return nil, err
	}
	for i := range table {
		one := &table[i]
		value, given := merged[one.Key]
		if !given {
			value = one.Default
		}
		if err := s.set(one, value); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// merge returns the values of the settings of a set that anything but the default gives.
func (s *Settings) merge(set Set) (map[string]any, error) {
	var given []*Setting // most runs have few
	for i := range table {
		if one := &table[i]; one.Sets&set != 0 && s.Given(one.Key) {
			given = append(given, one)
		}
	}
	if len(given) == 0 {
		return nil, nil
	}
	v := viper.NewWithOptions(viper.KeyDelimiter("::"))
	for _, f := range slices.Backward(s.files) {
		if err := v.MergeConfigMap(maps.Clone(f.Values)); err != nil { // viper changes the keys of what it is given
			return nil, err
		}
	}
	merged := make(map[string]any, len(given))
	for _, one := range given {
		if err := v.BindEnv(one.Key, one.Env()); err != nil {
			return nil, err
		}
		if f := s.Flags.Lookup(one.Flag()); f != nil {
			if err := v.BindPFlag(one.Key, f); err != nil {
				return nil, err
			}
		}
		merged[one.Key] = v.Get(one.Key)
	}
	return merged, nil
}

// set gives a setting a value, in one of the forms in which flags, variables and files give it.
func (s *Settings) set(one *Setting, value any) error {
	text, _ := value.(string)
	switch to := one.field(&s.Values).(type) {
	case *string:
		if *to = text; one.Key == KeyDiagnosticsFormat { // as upstream: in any letter case, and "default"
			if *to = strings.ToLower(*to); *to == "default" {
				*to = "text"
			}
		}
		if len(one.Enum) > 0 && !slices.Contains(one.Enum, *to) {
			return cli.Fail(cli.ExitUsage, "%s: want %s, not %q%s", s.Where(one.Key), cli.OrList(one.Enum), *to, cli.DidYouMean(*to, one.Enum))
		}
	case *bool:
		if v, ok := value.(bool); ok {
			*to = v
			break
		}
		if text != "true" && text != "false" && text != "1" && text != "0" {
			return cli.Fail(cli.ExitUsage, "%s: want true or false, not %q", s.Where(one.Key), text)
		}
		*to, _ = strconv.ParseBool(text)
	case *time.Duration:
		d, ok := value.(time.Duration)
		if !ok {
			var err error
			if d, err = time.ParseDuration(text); err != nil {
				return cli.Fail(cli.ExitUsage, "%s: want a duration such as 30s or 2m, not %q", s.Where(one.Key), value)
			}
		}
		if *to = d; d < 0 || d == 0 && !one.Zero {
			want := "a duration above zero"
			if one.Zero {
				want = "a duration, or 0 for no limit"
			}
			return cli.Fail(cli.ExitUsage, "%s: want %s", s.Where(one.Key), want)
		}
	case *[]string:
		*to = list(value)
	default:
		panic(fmt.Sprintf("setting %s: %T", one.Key, to))
	}
	return nil
}

// TimeLimit returns the limit of time that a flag or the environment gives a command, or the default.
// The settings files have a word in commands that read them.
func TimeLimit(flags *pflag.FlagSet) (time.Duration, error) {
	one := Of(KeyTimeLimit)
	s := &Settings{Flags: flags, File: &File{}}
	value := one.Default
	if f := flags.Lookup(one.Flag()); f != nil && f.Changed {
		value = f.Value.String()
	} else if text := os.Getenv(one.Env()); text != "" {
		value = text
	}
	err := s.set(one, value)
	return s.Values.TimeLimit, err
}

// list returns a value that holds several texts. A variable separates them with commas.
func list(value any) (out []string) {
	add := func(text string) {
		for one := range strings.SplitSeq(text, ",") {
			if one = strings.TrimSpace(one); one != "" {
				out = append(out, one)
			}
		}
	}
	switch value := value.(type) {
	case string:
		add(value)
	case []string:
		for _, one := range value {
			add(one)
		}
	case []any:
		for _, one := range value {
			add(fmt.Sprint(one))
		}
	}
	return out
}

// Text returns the value of a setting as a text. It is for those that walk through the table;
// others read the field.
func (s *Settings) Text(key string) string {
	switch v := Of(key).field(&s.Values).(type) {
	case *string:
		return *v
	case *bool:
		return strconv.FormatBool(*v)
	default:
		panic(fmt.Sprintf("setting %s: %T", key, v))
	}
}

// Changed reports whether the flag of a setting is given.
func (s *Settings) Changed(key string) bool { return s.Flags.Changed(Of(key).Flag()) }

// Given reports whether anything but the default says what a setting is.
func (s *Settings) Given(key string) bool {
	if s.Changed(key) || os.Getenv(Of(key).Env()) != "" {
		return true
	}
	return slices.ContainsFunc(s.files, func(f *File) bool { return f.Values[key] != nil })
}

// Where says where a setting was made, as messages name it.
func (s *Settings) Where(key string) string {
	one := Of(key)
	switch {
	case s.Changed(key):
		return "--" + one.Flag()
	case os.Getenv(one.Env()) != "":
		return "the environment's " + one.Env()
	}
	for _, f := range s.files {
		if f.Values[key] != nil {
			return f.where(key) + ": " + key
		}
	}
	return key
}

// MergeMaps lays b over a.
func MergeMaps(a, b map[string]string) map[string]string {
	out := make(map[string]string, len(a)+len(b))
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// CallerVariable marks the environment of the compilers that this program runs, so
// that it knows when one of them is a wrapper that calls it again.
const CallerVariable = "RAD_BICEP_CALLER"

// unknownVariables refuses a variable of the environment that looks like a setting but is not one.
func unknownVariables(environ []string) error {
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		rest, ours := strings.CutPrefix(name, envPrefix)
		if !ours || name == CallerVariable {
			continue
		}
		var known []string // without the prefix, which all have in common
		for i := range table {
			known = append(known, strings.TrimPrefix(table[i].Env(), envPrefix))
		}
		if slices.Contains(known, rest) {
			continue
		}
		hint := "; unset it ('rad bicep schema settings' lists the settings)"
		if near := spell.Near(rest, known); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", envPrefix+near)
		}
		return cli.Fail(cli.ExitUsage, "the environment's %s is not a setting%s", name, hint)
	}
	return nil
}

// Facts describes a flag, if it is a setting.
func Facts(flag string) cli.FlagFacts {
	for i := range table {
		if s := &table[i]; s.Flag() == flag {
			return cli.FlagFacts{Variable: s.Env(), Rare: s.Rare}
		}
	}
	return cli.FlagFacts{}
}
