package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest/aso"
	"github.com/radbicep/rad/pkg/manifest/crossplane"
	"github.com/radbicep/rad/pkg/params"
)

// The files of a repository decide what is compiled, and cannot make a run disclose
// anything else. The
// settings that a repository may make are those of projectRules. The same settings in
// the user's file, in the environment and in flags are not judged.

// projectRule says whether a project's file may make a setting.
type projectRule struct {
	// may says it in the words of the README: yes, no, or what it is limited to.
	may string
	// refuse returns why a value is refused, or "". It is nil where every value is allowed.
	refuse func(p *projectJudge, value any) string
}

// neverSet begins why a setting is refused whatever its value is.
const neverSet = "cannot be set by a project"

var (
	mayAlways = projectRule{may: "yes"}
	mayNever  = func(why string) projectRule {
		return projectRule{"no", func(*projectJudge, any) string { return neverSet + ", since " + why }}
	}
	mayBelowRoot = projectRule{"below the root", func(p *projectJudge, value any) string {
		path, _ := value.(string)
		return p.outside(path)
	}}
	mayClose = projectRule{"not `false` against the user's `true`", func(p *projectJudge, value any) string {
		if value == false && p.userSays(p.key) == true {
			return "it would take back what the user's settings close"
		}
		return ""
	}}
)

// unclassed is the rule of a setting that has none.
var unclassed = mayNever("no rule says that it is safe")

// projectRules are the settings that a repository may make, by key.
var projectRules = map[string]projectRule{
	keyCompiler: {"`auto` or `embedded`", func(_ *projectJudge, value any) string {
		if value == "auto" || value == "embedded" {
			return ""
		}
		return "a project may choose auto or embedded only, since anything else runs a program of this machine"
	}},
	keyTimeout: {"to shorten it", func(p *projectJudge, value any) string {
		text, _ := value.(string)
		longest := 2 * time.Minute
		if mine, ok := p.userSays(keyTimeout).(string); ok {
			if d, err := time.ParseDuration(mine); err == nil {
				longest = d
			}
		}
		if d, err := time.ParseDuration(text); err == nil && d > longest {
			return fmt.Sprintf("a repository may only shorten it, and %s is longer than %s", text, longest)
		}
		return ""
	}},
	keyRequiredVersion:  mayAlways,
	keyGeneratorVersion: mayAlways,
	keyAzTypes: {"`none`, or below the root", func(p *projectJudge, value any) string {
		if value == bicep.NoAzTypes {
			return ""
		}
		path, _ := value.(string)
		return p.outside(path)
	}},
	keyRoot: {"to narrow it", func(p *projectJudge, value any) string {
		path, _ := value.(string)
		if why := p.outside(path); why != "" {
			return why + "; a repository may only narrow the root"
		}
		return ""
	}},
	keyHermetic:          mayClose,
	keyOffline:           mayClose,
	keyAllowEnv:          mayNever("it opens the environment of the user who runs the command"),
	keyDiagnosticsFormat: mayAlways,
	keyWarningsAsErrors:  mayAlways,
	keyColor:             mayAlways,
	keyTarget:            mayAlways,
	keyOutputFormat:      mayAlways,
	keyOutdir:            mayBelowRoot,
	keyNamespace:         mayAlways,
	keyGroup:             mayAlways,
	keyAzureScope:        mayAlways,
	keyAWSScope:          mayAlways,
	keyEnvironment:       mayAlways,
	keyApplication:       mayAlways,
	keyCompact:           mayAlways,
	keyGeneratorMetadata: mayAlways,
	keySecureParameters: {"`error` or `omit`", func(_ *projectJudge, value any) string {
		if value == "allow" {
			return "it would let values of secure parameters out"
		}
		return ""
	}},
	keyRadiusVersion:      mayAlways,
	keyBuiltinTypes:       mayAlways,
	aso.ReconcilePolicy:   mayAlways,
	aso.CredentialFrom:    mayAlways,
	crossplane.CapiPaused: mayAlways,
	"subscriptionId":      mayAlways,
	"resourceGroup":       mayAlways,
	"location":            mayAlways,
	"tenantId":            mayAlways,
	"managementGroupId":   mayAlways,
	"deploymentName":      mayAlways,
	keyVendor:             mayBelowRoot,
	keyCacheRoot:          mayBelowRoot,
	keyTrustedRegistries:  mayNever("it decides who gets credentials"),
	keyRegistryMirrors:    mayNever("it decides who gets credentials"),
	keyTokenServers:       mayNever("it decides who gets credentials"),
	keyTrustedFolders:     mayNever("a repository cannot make itself trusted"),
}

// ruleOf returns the rule of a setting. One that has no rule is refused.
func ruleOf(key string) projectRule {
	if r, ok := projectRules[key]; ok {
		return r
	}
	return unclassed
}

// projectJudge judges the settings file of a project.
type projectJudge struct {
	file   *settingsFile
	user   *settingsFile // may be nil
	bounds bounds
	key    string // that is judged
}

func (p *projectJudge) userSays(key string) any {
	if p.user == nil {
		return nil
	}
	return p.user.values[key]
}

// outside returns why a path of the project's file is refused: it leads out of the
// project's root, or into git's own folder.
func (p *projectJudge) outside(path string) string {
	if path == "" {
		return ""
	}
	_, err := p.bounds.own(p.file.resolve(path))
	var out *source.OutsideError
	switch {
	case errors.As(err, &out) && out.Link:
		return fmt.Sprintf("%s leads outside the project root %s through a link", path, p.bounds.dir)
	case errors.As(err, &out):
		return fmt.Sprintf("%s is outside the project root %s", path, p.bounds.dir)
	case errors.Is(err, source.ErrGit):
		return path + " is in git's own folder"
	case err != nil:
		return err.Error()
	}
	return ""
}

// judge refuses what a project's file may not set.
func (p *projectJudge) judge() error {
	if p.file.trusted {
		return nil
	}
	keys := make([]string, 0, len(p.file.values))
	for key := range p.file.values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		rule := ruleOf(key)
		if rule.refuse == nil {
			continue
		}
		p.key = key
		if why := rule.refuse(p, p.file.values[key]); why != "" {
			return p.refusal(why, "use --"+kebab(key), key)
		}
	}
	for i, t := range p.file.Targets {
		if err := p.judgeTarget(i, t); err != nil {
			return err
		}
	}
	return nil
}

// judgeTarget refuses a target that reads or writes outside the root.
func (p *projectJudge) judgeTarget(i int, t target) error {
	index := fmt.Sprint(i)
	base := p.file.targetBase(t, p.bounds.stat)
	at := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(base, filepath.FromSlash(path))
	}
	if why := p.outside(at(t.Template)); why != "" {
		return p.refusal(why, "name it on the command line", "targets", index, "template")
	}
	if why := p.outside(at(t.Outfile)); why != "" {
		return p.refusal(why, "use --outfile", "targets", index, "outfile")
	}
	for j, one := range t.Parameters {
		arg, err := params.ParseArg(one)
		if err != nil {
			continue // it is reported where arguments are parsed
		}
		switch arg.Kind {
		case params.ArgFile, params.ArgBicepFile, params.ArgJSONFile, params.ArgTextFile:
			if why := p.outside(at(arg.Value)); why != "" {
				return p.refusal(why, "use --parameters", "targets", index, "parameters", fmt.Sprint(j))
			}
		case params.ArgStdin:
			return p.refusal("a repository may not read standard input", "use --parameters", "targets", index, "parameters", fmt.Sprint(j))
		}
	}
	return nil
}

// refusal is the error for a setting that a project may not make: what, where, why, and
// where it is allowed.
func (p *projectJudge) refusal(why, instead string, path ...string) error {
	name, where := keyName(path), p.file.where(path...)
	separator := ": "
	if strings.HasPrefix(why, neverSet) {
		separator = " "
	}
	if path[0] == "targets" {
		return fail(exitUsage, "%s: %s%s%s; %s, or list the folder %s under %s in your own %s", where, name, separator, why, instead, p.file.base, keyTrustedFolders, userSettingsName())
	}
	return fail(exitUsage, "%s: %s%s%s; %s, or set it in your own %s", where, name, separator, why, instead, userSettingsName())
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
