package settings

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/params"
)

// The files of a repository decide what is compiled. They must not make a run read or send anything
// else, so a repository's settings file may not make every setting. The table says for each setting
// what such a file may set. The user's file, the environment and flags may set all.

// Rule says what the settings file of a repository may set. The zero Rule allows nothing.
type Rule struct {
	May   string // in the words of docs/settings.md: yes, no, or what it is limited to
	never string // why it may not be set at all
	// refuse returns why a value is refused, or "". It is nil if every value is allowed.
	refuse func(p *Judge, value any) string
}

// neverSet begins why a setting is refused whatever its value is.
const neverSet = "cannot be set by a project"

var (
	mayAlways    = Rule{May: "yes"}
	mayBelowRoot = Rule{May: "below the root", refuse: refuseOutside}
	mayClose     = Rule{May: "not `false` against the user's `true`", refuse: refuseOpening}
)

func never(why string) Rule { return Rule{May: "no", never: why} }

// check returns why a value is refused, or "".
func (r Rule) check(p *Judge, value any) string {
	switch {
	case r.May == "":
		return neverSet + ", since no rule says that it is safe"
	case r.never != "":
		return neverSet + ", since " + r.never
	case r.refuse != nil:
		return r.refuse(p, value)
	}
	return ""
}

func refuseOutside(p *Judge, value any) string {
	path, _ := value.(string)
	return p.outside(path, workdir.Shown(path))
}

func refuseOpening(p *Judge, value any) string {
	if value == false && p.userSays(p.key) == true {
		return "it would take back what the user's settings close"
	}
	return ""
}

func refuseCompiler(_ *Judge, value any) string {
	if value == "auto" || value == "embedded" {
		return ""
	}
	return "a project may choose auto or embedded only, since anything else runs a program of this machine"
}

func refuseLonger(p *Judge, value any) string {
	text, _ := value.(string)
	one := p.setting
	longest := one.Default.(time.Duration)
	if mine, ok := p.userSays(p.key).(string); ok {
		if d, err := time.ParseDuration(mine); err == nil {
			longest = d
		}
	}
	unlimited := func(d time.Duration) bool { return d == 0 && one.Zero }
	if d, err := time.ParseDuration(text); err == nil && !unlimited(longest) && (d > longest || unlimited(d)) {
		return fmt.Sprintf("a repository may only shorten it, and %s is longer than %s", text, longest)
	}
	return ""
}

func refuseTypes(p *Judge, value any) string {
	if value == bicep.NoAzTypes {
		return ""
	}
	return refuseOutside(p, value)
}

func refuseWiderRoot(p *Judge, value any) string {
	if why := refuseOutside(p, value); why != "" {
		return why + "; a repository may only narrow the root"
	}
	return ""
}

func refuseSecrets(_ *Judge, value any) string {
	if value == "allow" {
		return "it would let values of secure parameters out"
	}
	return ""
}

// Judge judges the settings file of a project.
type Judge struct {
	File   *File
	user   *File // may be nil
	Bounds workdir.Bounds
	key    string // that is judged

	setting *Setting // of the key
}

func (p *Judge) userSays(key string) any {
	if p.user == nil {
		return nil
	}
	return p.user.Values[key]
}

// outside returns why a path of the project's file is refused: it leads out of the
// project's root, or into git's own folder. The message calls it as the file does.
func (p *Judge) outside(path, called string) string {
	if path == "" {
		return ""
	}
	_, err := p.Bounds.Own(p.File.resolve(path))
	var out *source.OutsideError
	switch {
	case errors.As(err, &out) && out.Link:
		return fmt.Sprintf("%s leads outside the project root %s through a link", called, p.Bounds.Dir)
	case errors.As(err, &out):
		return fmt.Sprintf("%s is outside the project root %s", called, p.Bounds.Dir)
	case errors.Is(err, source.ErrGit):
		return called + " is in git's own folder"
	case err != nil:
		return err.Error()
	}
	return ""
}

// Judge refuses what a project's file may not set.
func (p *Judge) Judge() error {
	if p.File.Trusted {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(p.File.Values)) {
		p.key, p.setting = key, Of(key)
		if why := p.setting.Project.check(p, p.File.Values[key]); why != "" {
			return p.refusal(why, "use --"+cli.Kebab(key), key)
		}
	}
	if err := p.judgeRecipes(p.File.Recipes); err != nil {
		return err
	}
	for i, t := range p.File.Targets {
		if err := p.JudgeTarget(i, t); err != nil {
			return err
		}
	}
	return nil
}

// judgeRecipes refuses files of recipes outside of the root. above are the keys that lead to them.
func (p *Judge) judgeRecipes(r Recipes, above ...string) (err error) {
	r.each(func(path string, keys ...string) string {
		if why := p.outside(path, workdir.Shown(path)); why != "" && err == nil {
			err = p.refusal(why, "use --recipes or --recipe-source", slices.Concat(above, []string{KeyRecipes}, keys)...)
		}
		return path
	})
	return err
}

// JudgeTarget refuses a target that reads or writes outside the root.
func (p *Judge) JudgeTarget(i int, t Target) error {
	in := func(keys ...string) []string { return append(p.File.pathOf(i), keys...) }
	base := p.File.TargetBase(t, p.Bounds.Stat)
	at := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(base, filepath.FromSlash(path))
	}
	if why := p.outside(at(t.Template), t.Template); why != "" {
		return p.refusal(why, "name it on the command line", in("template")...)
	}
	if why := p.outside(at(t.Outfile), t.Outfile); why != "" {
		return p.refusal(why, "use --outfile", in("outfile")...)
	}
	for j, arg := range t.Parameters {
		if why := p.outside(at(arg.Path()), arg.Path()); why != "" {
			return p.refusal(why, "use --parameters", in("parameters", fmt.Sprint(j))...)
		}
		if arg.Kind == params.ArgStdin {
			return p.refusal("a repository may not read standard input", "use --parameters", in("parameters", fmt.Sprint(j))...)
		}
	}
	return p.judgeRecipes(t.Recipes.At(at), in()...)
}

// refusal is the error for a setting that a project may not make: what, where, why, and
// where it is allowed.
func (p *Judge) refusal(why, instead string, path ...string) error {
	name, where := keyName(path), p.File.where(path...)
	separator := ": "
	if strings.HasPrefix(why, neverSet) {
		separator = " "
	}
	if len(path) > 1 { // of a target, and not a setting
		return cli.Fail(cli.ExitUsage, "%s: %s%s%s; %s, or list the folder %s under %s in your own %s",
			where, name, separator, why, instead, p.File.Base, KeyTrustedFolders, userSettingsName())
	}
	return cli.Fail(cli.ExitUsage, "%s: %s%s%s; %s, or set it in your own %s", where, name, separator, why, instead, userSettingsName())
}

// lineOf returns the line of a value in a YAML text, by the keys and
// indexes that lead to it; 0 if it is not found.
func lineOf(text []byte, path []string) int {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil || len(document.Content) == 0 {
		return 0
	}
	line, at := 0, document.Content[0]
	for _, part := range path {
		for at.Kind == yaml.AliasNode {
			at = at.Alias
		}
		var next *yaml.Node
		switch at.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(at.Content); i += 2 {
				if at.Content[i].Value == part {
					line, next = at.Content[i].Line, at.Content[i+1]
				}
			}
		case yaml.SequenceNode:
			for i, one := range at.Content {
				if fmt.Sprint(i) == part {
					line, next = one.Line, one
				}
			}
		}
		if next == nil {
			break
		}
		at = next
	}
	return line
}
