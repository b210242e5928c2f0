// Package settings reads the settings of a run: from flags, the environment, the user's file and
// the file of a repository.
//
// All facts about a setting are one line of the table in table.go. Begin with For, which finds the
// files and merges the values. trust.go decides what the file of a repository may set. The package
// does not use the values: package project does.
package settings

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/spell"
)

// Settings are the settings of a run, or of one of its targets. What counts more wins:
//
//	caller > flag > RAD_BICEP_* > target > the project's file > the user's file > default
//
// Labels, annotations and recipes are merged by their keys in the same order.
type Settings struct {
	Values
	Labels, Annotations map[string]string
	Recipes             Recipes

	Flags *pflag.FlagSet
	File  *File // of the project, or else of the user; never nil

	above []Layer // what counts more than the environment: the caller, and labels and annotations of flags
	below []Layer // what counts less, the first one most: the target, what the caller closes, files, what the caller adds
}

// Layer is what one place says of settings.
type Layer struct {
	Values              map[string]any // by the keys of the settings
	Labels, Annotations map[string]string
	Recipes             Recipes

	where func(key string) string // what messages call the place of a value
}

// Caller is what a program says of settings that runs this one for somebody, as Argo CD does.
type Caller struct {
	Place  string         // what messages call it
	Asks   Layer          // counts more than flags
	Closes map[string]any // counts more than files
	Adds   map[string]any // counts less than files
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
			flags.Var(&texts{}, s.Flag(), help)
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

// texts is the value of a flag that holds several texts. That of pflag makes a writer of CSV for each flag of each run.
type texts []string

func (t *texts) String() string        { return strings.Join(*t, ",") }
func (t *texts) Set(text string) error { *t = append(*t, text); return nil }
func (*texts) Type() string            { return "strings" }

// Load merges the settings of a command, which has those of a set. user and project are the
// settings files, which may be nil.
func Load(flags *pflag.FlagSet, set Set, user, project *File, caller Caller) (*Settings, error) {
	if err := unknownVariables(os.Environ()); err != nil {
		return nil, err
	}
	flagged, err := flaggedMaps(flags)
	if err != nil {
		return nil, err
	}
	asks := caller.Asks
	asks.where = func(key string) string { return caller.Place + ": " + key }
	s := &Settings{Flags: flags, File: &File{}, above: []Layer{asks, flagged}, below: []Layer{{Values: caller.Closes}}}
	for _, f := range []*File{project, user} {
		if f == nil {
			continue
		}
		if len(s.below) == 1 {
			s.File = f
		}
		s.below = append(s.below, f.layer())
	}
	s.below = append(s.below, Layer{Values: caller.Adds})
	for i := range table {
		if err := s.set(&table[i], table[i].Default); err != nil {
			return nil, err
		}
	}
	return s, s.fill(set.All(), true)
}

// With returns the settings of a target that says something itself. place is what messages call the target.
func (s *Settings) With(own Layer, place string) (*Settings, error) {
	if len(own.Values)+len(own.Labels)+len(own.Annotations) == 0 && own.Recipes.IsZero() {
		return s, nil
	}
	out := *s
	own.where = func(string) string { return place }
	out.below = append([]Layer{own}, s.below...)
	list := slices.DeleteFunc(all.All(), func(one *Setting) bool { return own.Values[one.Key] == nil })
	return &out, out.fill(list, true)
}

// fill gives settings their values, and merges labels and annotations: as decide does.
func (s *Settings) fill(list []*Setting, run bool) error {
	layers := slices.Concat(s.above, s.below)
	s.Labels, s.Annotations = map[string]string{}, map[string]string{}
	s.Recipes = Recipes{Sources: map[string]string{}, Assume: map[string]armjson.Value{}}
	for _, l := range slices.Backward(layers) {
		maps.Copy(s.Labels, l.Labels)
		maps.Copy(s.Annotations, l.Annotations)
		s.Recipes.add(l.Recipes)
	}
	list = slices.DeleteFunc(slices.Clone(list), func(one *Setting) bool { return !s.Given(one.Key) }) // most runs have few
	if len(list) == 0 {
		return nil
	}
	values, err := s.decide(list, run)
	if err != nil {
		return err
	}
	for i, one := range list {
		if values[i] == nil {
			continue
		}
		if err := s.set(one, values[i]); err != nil {
			return err
		}
	}
	return nil
}

// decide returns the values of settings, or nil where nothing gives one. It is what says which place counts more.
// Without run, flags and environment do not count.
func (s *Settings) decide(list []*Setting, run bool) ([]any, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter("::"))
	for _, l := range slices.Backward(s.below) {
		if err := v.MergeConfigMap(maps.Clone(l.Values)); err != nil { // viper changes the keys of what it is given
			return nil, err
		}
	}
	values := make([]any, len(list))
	for i, one := range list {
		if run {
			if err := v.BindEnv(one.Key, one.Env()); err != nil {
				return nil, err
			}
			if f := s.Flags.Lookup(one.Flag()); f != nil {
				if err := v.BindPFlag(one.Key, f); err != nil {
					return nil, err
				}
			}
		}
		for _, l := range s.above {
			if value, ok := l.Values[one.Key]; ok {
				v.Set(one.Key, value)
			}
		}
		values[i] = v.Get(one.Key)
	}
	return values, nil
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
		if err := one.oneOf(*to); err != nil {
			return cli.Fail(cli.ExitUsage, "%s: %w", s.Where(one.Key), err)
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
		if err := one.oneOf(value); err != nil {
			return cli.Fail(cli.ExitUsage, "%s: %w", s.Where(one.Key), err)
		}
	default:
		panic(fmt.Sprintf("setting %s: %T", one.Key, to))
	}
	return nil
}

// oneOf holds a value to those of a setting, if they are few. An element of a list may begin with what it is for, and =.
func (s *Setting) oneOf(value any) error {
	if len(s.Enum) == 0 {
		return nil
	}
	_, isList := s.Default.([]string)
	texts := []string{fmt.Sprint(value)}
	if isList {
		texts = list(value)
	}
	for _, text := range texts {
		if isList {
			text = text[strings.LastIndexByte(text, '=')+1:]
		}
		if text != s.Default && !slices.Contains(s.Enum, text) {
			return fmt.Errorf("want %s, not %q%s", cli.OrList(s.Enum), text, cli.DidYouMean(text, s.Enum))
		}
	}
	return nil
}

// TimeLimit returns the limit of time that a flag or the environment gives a command, or the default.
// The settings files have a word in commands that read them.
func TimeLimit(flags *pflag.FlagSet) (time.Duration, error) {
	one := Of(KeyTimeLimit)
	s := &Settings{Flags: flags, File: &File{}, Values: Values{TimeLimit: one.Default.(time.Duration)}}
	err := s.fill([]*Setting{one}, true)
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
	case *[]string:
		return strings.Join(*v, ",")
	default:
		panic(fmt.Sprintf("setting %s: %T", key, v))
	}
}

// Changed reports whether the flag of a setting is given.
func (s *Settings) Changed(key string) bool { return s.Flags.Changed(Of(key).Flag()) }

// Asked reports whether somebody asks for a value of a setting: by its flag, or through the caller.
func (s *Settings) Asked(key string) bool {
	return s.Changed(key) || slices.ContainsFunc(s.above, says(key))
}

// Commanded reports whether a setting is said for this run, and not in a file.
func (s *Settings) Commanded(key string) bool {
	return s.Asked(key) || os.Getenv(Of(key).Env()) != ""
}

// Given reports whether anything but the default says what a setting is.
func (s *Settings) Given(key string) bool {
	return s.Commanded(key) || slices.ContainsFunc(s.below, says(key))
}

// says returns whether a layer has a value of a setting.
func says(key string) func(l Layer) bool {
	return func(l Layer) bool { return l.Values[key] != nil }
}

// InVain returns where settings are made that an external compiler does not take, and is an error if that is a flag. The
// command has those of a set; if it reads or writes registries itself, it needs what says how.
func (s *Settings) InVain(set Set) (places []string, err error) {
	for _, one := range set.All() {
		own := set&Registries != 0 && slices.Contains([]string{KeyTrustedRegistries, KeyRegistryMirrors, KeyTokenServers}, one.Key)
		switch {
		case !one.Embedded || own || !s.Given(one.Key):
		case s.Changed(one.Key):
			return nil, cli.Fail(cli.ExitUsage, "--%s: an external compiler does not take it; use --compiler embedded, or leave it out",
				one.Flag())
		default:
			places = append(places, s.Where(one.Key))
		}
	}
	return places, nil
}

// Where says where a setting was made, as messages name it.
func (s *Settings) Where(key string) string {
	one := Of(key)
	in := func(layers []Layer) string {
		if i := slices.IndexFunc(layers, says(key)); i >= 0 && layers[i].where != nil {
			return layers[i].where(key)
		}
		return ""
	}
	if place := in(s.above); place != "" {
		return place
	}
	switch {
	case s.Changed(key):
		return "--" + one.Flag()
	case os.Getenv(one.Env()) != "":
		return "the environment's " + one.Env()
	}
	return cmp.Or(in(s.below), key)
}

// Named returns a value of a setting as messages call it, with where it was made.
func (s *Settings) Named(key, value string) string {
	if s.Changed(key) {
		return s.Where(key) + " " + value
	}
	return s.Where(key) + ": " + workdir.Shown(value)
}

// Overrides returns where the run says something else of a set of settings than the target and the files do.
func (s *Settings) Overrides(set Set) (places []string) {
	plain := *s
	plain.above = nil
	list := slices.DeleteFunc(set.All(), func(one *Setting) bool { return !s.Commanded(one.Key) })
	for _, one := range list {
		_ = plain.set(one, one.Default)
	}
	_ = plain.fill(list, false) // what is wrong in a file is something else
	for _, one := range list {
		if !reflect.DeepEqual(one.field(&plain.Values), one.field(&s.Values)) {
			places = append(places, s.Where(one.Key))
		}
	}
	if !maps.Equal(plain.Labels, s.Labels) {
		places = append(places, "--label")
	}
	if !maps.Equal(plain.Annotations, s.Annotations) {
		places = append(places, "--annotation")
	}
	if !reflect.DeepEqual(plain.Recipes, s.Recipes) {
		for _, flag := range RecipeFlags {
			if s.Flags.Changed(flag) {
				places = append(places, "--"+flag)
			}
		}
	}
	return places
}

// flaggedMaps returns the labels and annotations that flags give, and what they say of recipes.
func flaggedMaps(flags *pflag.FlagSet) (l Layer, err error) {
	for _, one := range []struct {
		flag string
		to   *map[string]string
	}{{"label", &l.Labels}, {"annotation", &l.Annotations}} {
		*one.to = map[string]string{}
		err := pairs(flags, one.flag, "KEY=VALUE", func(key, value string) error {
			(*one.to)[key] = value
			return nil
		})
		if err != nil {
			return l, err
		}
	}
	l.Recipes, err = flaggedRecipes(flags)
	return l, err
}

// pairs calls take with the name and the value of each NAME=VALUE of a flag, if there is one. want is what messages ask for.
func pairs(flags *pflag.FlagSet, flag, want string, take func(name, value string) error) error {
	if flags.Lookup(flag) == nil {
		return nil
	}
	list, err := flags.GetStringArray(flag)
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return cli.Fail(cli.ExitUsage, "--%s %s: want %s", flag, text, want)
		}
		if err := take(name, value); err != nil {
			return cli.Fail(cli.ExitUsage, "--%s %s: %w", flag, text, err)
		}
	}
	return err
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
