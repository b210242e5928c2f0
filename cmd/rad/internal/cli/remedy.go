package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/explain"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/recipes"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/aso"
	"github.com/radbicep/rad/pkg/manifest/crossplane"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/params"
)

// remedy returns what a user can do about an error, as the end of its message; "" if
// there is nothing to say. The packages below do not know the flags of the commands.
func remedy(err error) string {
	if err == nil {
		return "" // before there are variables: it is asked for each finding
	}
	var outside *source.OutsideError
	var external *bicep.ExternalError
	var hinted *report.HintedError
	var problem *objects.Problem
	switch {
	case errors.As(err, &hinted):
		words := hints[hinted.Hint]
		if fetch := hinted.Hint == report.HintFetch || hinted.Hint == report.HintRestore; fetch && errors.As(err, &problem) {
			words += ", or name a Bicep or JSON file with --recipe-source " + problem.Example
		}
		return words
	case errors.As(err, &problem):
		return targetRemedy(problem)
	case errors.As(err, &outside) && outside.Link:
		return "replace the link by the file, or name a wider root with --root"
	case errors.As(err, &outside):
		return "name a wider root with --root"
	case errors.As(err, &external) && errors.Is(err, bicep.ErrTimeout):
		return "--timeout allows more"
	case errors.As(err, &external) && errors.Is(err, fs.ErrNotExist):
		return "--compiler embedded needs none"
	}
	return ""
}

// hints are the words for the hints of the packages below.
var hints = map[report.Hint]string{
	report.HintRestore:    "--offline keeps it from being fetched; run 'rad bicep restore' where there is a network",
	report.HintUpdate:     "'rad bicep restore --update' asks for what its tag means now",
	report.HintVendor:     "run 'rad bicep restore --vendor DIR'",
	report.HintChangeLock: "--locked keeps it as it is; run 'rad bicep restore' without --locked and commit the file",
	report.HintNameCache:  "name it by --cache-root-directory, or in your own settings file",
	report.HintReplaceTag: "--force replaces it",

	report.HintLeaveOut:    "give it to generate-kubernetes-manifest, or leave it out with --secure-parameters omit",
	report.HintFetch:       ": fetch it with 'rad bicep restore'",
	report.HintFetchAgain:  "; 'rad bicep restore' fetches it",
	report.HintMerge:       "resolve it, then run 'rad bicep restore'",
	report.HintImportTypes: "Import one with 'rad bicep types import az', or write the type out.",
	report.HintPackTypes:   "`rad bicep types import az` takes folders",
	report.HintAskRegistry: "Run 'rad bicep outdated'.",
}

// repairHints are the words for the same hints where 'explain' says how to repair a finding.
var repairHints = map[report.Hint]string{
	report.HintFetch:          "Run 'rad bicep restore FILE'.",
	report.HintImportTypes:    "Import it once with 'rad bicep types import az', or write the properties out as a type of your own.",
	report.HintAskRegistry:    "Run 'rad bicep outdated', which asks it.",
	report.HintListProperties: "; rad bicep lint and editors list what the type has",
}

// withHint adds the words for a hint to a message. Words that begin with a colon or a
// semicolon go on with its last sentence.
func withHint(message, words string) string {
	switch {
	case words == "":
		return message
	case words[0] == ':' || words[0] == ';':
		return strings.TrimSuffix(message, ".") + report.Sentence(words)
	}
	return report.Sentence(message) + " " + report.Sentence(words)
}

// Explanations returns the compiler's catalogue, with the words for its hints.
func Explanations() []explain.Explanation {
	list := explain.All()
	for i := range list {
		e := &list[i]
		e.Text, e.Message = withHint(e.Text, hints[e.Hint]), withHint(e.Message, hints[e.Hint])
		e.Repair = withHint(e.Repair, repairHints[e.Hint])
	}
	return list
}

// Example returns the example of an explanation, with findings as commands print them.
func Example(ctx context.Context, e explain.Explanation) (*explain.Example, error) {
	x, err := e.Example(ctx)
	if x != nil {
		new(Reporter).Judge(x.Findings, "")
	}
	return x, err
}

// addRemedy adds to a finding what a user can do about it, once.
func addRemedy(f *report.Finding, target string) {
	switch cause := f.Cause.(type) {
	case *params.Problem:
		if text := parameterRemedy(cause, target); text != "" {
			f.Message = report.Sentence(cause.Message + "; " + text)
		}
	case *manifest.Warning:
		if flag := optionFlags[cause.Option]; flag != "" {
			f.Message = report.Sentence(cause.Text + "; give " + flag)
		}
	default:
		f.Message = withHint(withHint(f.Message, hints[f.Hint]), remedy(f.Cause))
	}
	f.Summary = withHint(f.Summary, hints[f.Hint])
	f.Cause, f.Hint = nil, 0
}

// parameterRemedy says what a user can do about a problem with a parameter; "" if the
// problem's message says it.
func parameterRemedy(p *params.Problem, target string) string {
	switch {
	case p.Remedy == params.GiveValue:
		return "give it by --parameters " + p.Parameter + "=…"
	case p.Remedy == params.GiveReference && generate.KindOf(target) != nil:
		return "give it none: the objects refer to a Secret of the cluster"
	case p.Remedy == params.GiveReference && target == string(manifest.Radius):
		return "a manifest for Radius 0.43 to 0.60 holds no secret and no reference to one: " +
			manifest.WithoutReference + ", or use --target design"
	case p.Remedy == params.GiveReference:
		return "refer to a key vault in a parameter file, or leave it out with --secure-parameters=omit"
	case p.Remedy == params.ComputeInstead:
		return "compute it in the template, or leave it out with --secure-parameters=omit"
	}
	return ""
}

// targetRemedy says how the user sets the options that help with a problem of a target.
func targetRemedy(p *objects.Problem) string {
	switch {
	case len(p.Missing) > 0 && p.Example != "":
		return "set --" + p.Missing[0] + " " + p.Example
	case len(p.Missing) > 0:
		return "set --" + strings.Join(p.Missing, " and --")
	case p.Option == crossplane.CapiPaused:
		return "--" + Kebab(p.Option) + " pauses all of these controllers"
	case p.Option == aso.Existing && p.Example == "":
		return "--existing skip makes an object of it that the operator only reads"
	case p.Option == aso.Existing:
		return "--existing " + p.Example + " refers to it by its ID"
	case p.Option == recipes.OptionAssume:
		return "say what it has with --assume " + p.Example
	case p.Option == recipes.OptionSource:
		return "name a Bicep or JSON file with --recipe-source " + p.Example
	case p.Option == recipes.OptionTypes:
		return "name its manifest in " + p.Option + " of .rad/bicep.yaml"
	case p.Option == objects.OptionCRDs:
		return "--crds names a file or a folder with their CRDs"
	case p.Option == objects.OptionNamespace:
		return "set --namespace if the objects are applied to another one"
	}
	return ""
}

// ArgumentError names the flag of an argument that is not understood.
func ArgumentError(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var list []error
		for _, e := range joined.Unwrap() {
			list = append(list, ArgumentError(e))
		}
		return errors.Join(list...)
	}
	var e *params.ArgError
	if !errors.As(err, &e) {
		return err
	}
	if e.Arg == "" {
		return errors.New("--parameters: " + e.Problem)
	}
	return fmt.Errorf("--parameters %s: %s", e.Arg, e.Problem)
}

// TargetError names the flag of a target to which nothing can be published.
func TargetError(err error) error {
	if _, ok := errors.AsType[*artifacts.TargetError](err); ok {
		return fmt.Errorf("--target %w", err)
	}
	return err
}

// optionFlags are the flags for the options of manifests.
var optionFlags = map[manifest.Option]string{
	manifest.OptionName:       "--name",
	manifest.OptionNamespace:  "--namespace",
	manifest.OptionGroup:      "--group",
	manifest.OptionAzureScope: "--azure-scope",
	manifest.OptionAWSScope:   "--aws-scope",
}

// OptionError names the flags in an error about the options of a manifest.
func OptionError(err error) error { return optionError(err, false) }

// ListedOptionError is OptionError for a target that a file lists: it names the keys of the target.
func ListedOptionError(err error) error { return optionError(err, true) }

func optionError(err error, keys bool) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var list []error
		for _, e := range joined.Unwrap() {
			list = append(list, optionError(e, keys))
		}
		return errors.Join(list...)
	}
	named := func(flag string) string {
		if keys {
			return strings.TrimPrefix(flag, "--") + ":"
		}
		return flag
	}
	if err == manifest.ErrNoGroup {
		return fmt.Errorf("%s radius needs %s: the controllers of Radius 0.43 to 0.60 deploy nothing without a resource group",
			named("--target"), strings.TrimSuffix(named("--group"), ":"))
	}
	e, ok := err.(*manifest.OptionError)
	if !ok {
		return err
	}
	switch {
	case e.Option == manifest.OptionTarget:
		return fmt.Errorf("%w, or use %s design", err, named("--target"))
	case e.Option == manifest.OptionCompact:
		return fmt.Errorf("%w; --compact makes it smaller", err)
	case e.Option == manifest.OptionNamespace && e.Suggestion == "":
		return err
	}
	flag := optionFlags[e.Option]
	if key := strings.TrimPrefix(flag, "--"); keys && key != "name" && key != "namespace" && key != "group" {
		keys = false // a key of the settings, and not of a target
	}
	switch {
	case e.Suggestion != "":
		return fmt.Errorf("%w; use %s %s", err, named(flag), e.Suggestion)
	case e.Option == manifest.OptionName && keys:
		return fmt.Errorf("%w; give the target a name", err)
	case e.Option == manifest.OptionName:
		return fmt.Errorf("%w; use --name", err)
	}
	return fmt.Errorf("%s %w", named(flag), err)
}

// UnknownRemedy names the option that gives something that a plan does not know.
func UnknownRemedy(c plan.Cause) string {
	switch {
	case c.Option != "":
		return "--" + c.Option
	case c.Kind == expand.NoValue:
		return "--parameters"
	}
	return ""
}

// missingError is an error about a file that does not exist.
type missingError struct{ text string }

func (e *missingError) Error() string { return e.text }

func (e *missingError) Is(o error) bool { return o == fs.ErrNotExist }

// Missing returns an error about a file that does not exist, with its exit status.
func Missing(format string, args ...any) error {
	return &Failure{Status: ExitIO, Err: &missingError{fmt.Sprintf(format, args...)}}
}

// NoFile is Missing for a template, a parameter file or a folder that a user named. It names the
// file that was meant, where one is like it.
func NoFile(path string, what string) error {
	return Missing("%s: there is no such %s%s", path, what, Near(path))
}

// SuchAs names a template of the current folder, where a command line names none.
func SuchAs() string {
	_, names, _ := workdir.Glob("*.bicep") // without a folder that can be read there is none
	if len(names) == 0 {
		return ""
	}
	return ", such as " + AsArgument(filepath.Base(names[0]))
}

// Near is how a message goes on about a path that names no file, or none of these extensions: where a link leads,
// or which file was probably meant.
func Near(path string, extensions ...string) string {
	if to, err := os.Readlink(path); err == nil {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return ": it is a link to " + to + ", which does not exist"
		}
	}
	if len(extensions) == 0 {
		extensions = []string{".bicep", ".bicepparam", ".json"}
	}
	near := ""
	if slashed := filepath.FromSlash(strings.ReplaceAll(path, `\`, "/")); slashed != path && workdir.Exists(slashed) {
		near = slashed
	} else {
		near = workdir.NearFile(slashed, extensions)
	}
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// Advisor is a compiler that shows what it works on, and whose results App knows.
type Advisor struct {
	bicep.Compiler
	App *App
}

func (a Advisor) Build(ctx context.Context, r bicep.Request) (*bicep.Result, error) {
	defer a.App.Working(r.File)()
	return a.App.Advise(a.Compiler.Build(ctx, r))
}

func (a Advisor) BuildParams(ctx context.Context, r bicep.Request) (*bicep.Result, error) {
	defer a.App.Working(r.File)()
	return a.App.Advise(a.Compiler.BuildParams(ctx, r))
}

// Advise names the file that was meant where a compiler finds none, and notes which types it replaced.
func (a *App) Advise(result *bicep.Result, err error) (*bicep.Result, error) {
	if path, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(path, fs.ErrNotExist) && err == error(path) {
		name := workdir.Shown(path.Path)
		err = &missingError{name + ": there is no such file" + Near(name)}
	}
	if result != nil {
		a.replaced.add(result)
	}
	return result, err
}
