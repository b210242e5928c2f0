package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/crossplane"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/params"
)

// remedy returns what a user can do about an error, as the end of its message; "" if
// there is nothing to say. The packages below do not know the flags of the commands.
func remedy(err error) string {
	var outside *source.OutsideError
	var external *bicep.ExternalError
	var hinted *report.HintedError
	switch {
	case err == nil:
	case errors.As(err, &hinted):
		return hints[hinted.Hint]
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
	report.HintVendor:     "run 'rad bicep restore --vendor'",
	report.HintChangeLock: "--locked keeps it as it is; run 'rad bicep restore' without --locked and commit the file",
	report.HintNameCache:  "name it by --cache-root-directory, or in your own settings file",
	report.HintReplaceTag: "--force replaces it",

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
		return strings.TrimSuffix(message, ".") + sentence(words)
	}
	return sentence(message) + " " + sentence(words)
}

// explanations returns the compiler's catalogue, with the words for its hints.
func explanations() []bicep.Explanation {
	list := bicep.Explanations()
	for i := range list {
		e := &list[i]
		e.Text, e.Message = withHint(e.Text, hints[e.Hint]), withHint(e.Message, hints[e.Hint])
		e.Repair = withHint(e.Repair, repairHints[e.Hint])
	}
	return list
}

// example returns the example of an explanation, with findings as commands print them.
func example(ctx context.Context, e bicep.Explanation) (*bicep.Example, error) {
	x, err := e.Example(ctx)
	if x != nil {
		addRemedies(x.Findings)
	}
	return x, err
}

// withRemedy returns an error that says what a user can do about it, if that is known.
func withRemedy(err error) error {
	if text := remedy(err); text != "" {
		return fmt.Errorf("%w; %s", err, text)
	}
	return err
}

// addRemedies adds to findings what a user can do about them.
func addRemedies(findings []report.Finding) {
	for i := range findings {
		f := &findings[i]
		f.Message = withHint(withHint(f.Message, hints[f.Hint]), remedy(f.Cause))
		f.Summary = withHint(f.Summary, hints[f.Hint])
		f.Cause, f.Hint = nil, 0
	}
}

// parameterRemedy says what a user can do about a problem with a parameter; "" if the
// problem's message says it.
func parameterRemedy(p params.Problem) string {
	switch p.Remedy {
	case params.GiveValue:
		return "give it by --parameters " + p.Parameter + "=…"
	case params.GiveReference:
		return "refer to a key vault in a parameter file, or leave it out with --secure-parameters=omit"
	case params.ComputeInstead:
		return "compute it in the template, or leave it out with --secure-parameters=omit"
	}
	return ""
}

// targetRemedy says how the user sets the options that help with a problem of a target.
func targetRemedy(p objects.Problem) string {
	switch {
	case len(p.Missing) > 0 && p.Example != "":
		return "set --" + p.Missing[0] + " " + p.Example
	case len(p.Missing) > 0:
		return "set --" + strings.Join(p.Missing, " and --")
	case p.Option == crossplane.CapiPaused:
		return "--" + kebab(p.Option) + " pauses all of these controllers"
	case p.Option == objects.OptionNamespace:
		return "set --namespace if the objects are applied to another one"
	}
	return ""
}

// argumentError names the flag of an argument that is not understood.
func argumentError(err error) error {
	var e *params.ArgError
	if !errors.As(err, &e) {
		return err
	}
	if e.Arg == "" {
		return errors.New("--parameters: " + e.Problem)
	}
	return fmt.Errorf("--parameters %s: %s", e.Arg, e.Problem)
}

// targetError names the flag of a target to which nothing can be published.
func targetError(err error) error {
	var target *bicep.TargetError
	if errors.As(err, &target) {
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

// optionPlace says where an option of a manifest was set that is wrong: in the settings, or
// else for the template.
func (g *generator) optionPlace(t *task, err error) string {
	var e *manifest.OptionError
	if !errors.As(err, &e) || t.listed != "" {
		return t.place()
	}
	key := map[manifest.Option]string{
		manifest.OptionNamespace: keyNamespace, manifest.OptionGroup: keyGroup,
		manifest.OptionAzureScope: keyAzureScope, manifest.OptionAWSScope: keyAWSScope,
	}[e.Option]
	if key == "" || !g.compile.given(key) || g.compile.flags.Changed(kebab(key)) {
		return t.arg
	}
	return g.compile.place(settingOf(generateSettings, key))
}

// optionError names the flags in an error about the options of a manifest.
func optionError(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var list []error
		for _, e := range joined.Unwrap() {
			list = append(list, optionError(e))
		}
		return errors.Join(list...)
	}
	if err == manifest.ErrNoGroup {
		return errors.New("--target radius needs --group: the controllers of Radius 0.43 to 0.60 deploy nothing without a resource group")
	}
	e, ok := err.(*manifest.OptionError)
	if !ok {
		return err
	}
	flag := optionFlags[e.Option]
	switch {
	case e.Option == manifest.OptionTarget:
		return fmt.Errorf("%w, or use --target design", err)
	case e.Option == manifest.OptionCompact:
		return fmt.Errorf("%w; --compact makes it smaller", err)
	case e.Suggestion != "":
		return fmt.Errorf("%w; use %s %s", err, flag, e.Suggestion)
	case e.Option == manifest.OptionName:
		return fmt.Errorf("%w; use --name", err)
	case e.Option == manifest.OptionNamespace:
		return err
	}
	return fmt.Errorf("%s %w", flag, err)
}

// unknownRemedy says how something that a plan does not know can be given.
func unknownRemedy(c plan.Cause) string {
	switch {
	case c.Option != "":
		return "--" + c.Option + " says it"
	case c.Kind == bicep.ReasonNoValue:
		return "--parameters gives it"
	}
	return ""
}

// missingError is an error about a file that does not exist.
type missingError struct{ text string }

func (e *missingError) Error() string   { return e.text }
func (e *missingError) Is(o error) bool { return o == fs.ErrNotExist }

// missing returns an error about a file that does not exist, with its exit status.
func missing(format string, args ...any) error {
	return &failure{status: exitIO, err: &missingError{fmt.Sprintf(format, args...)}}
}

// advisor is a compiler whose errors and findings say what a user can do about them.
type advisor struct{ bicep.Compiler }

func (a advisor) Build(ctx context.Context, r bicep.Request) (*bicep.Result, error) {
	return advise(a.Compiler.Build(ctx, r))
}

func (a advisor) BuildParams(ctx context.Context, r bicep.Request) (*bicep.Result, error) {
	return advise(a.Compiler.BuildParams(ctx, r))
}

func advise(result *bicep.Result, err error) (*bicep.Result, error) {
	var path *fs.PathError
	if errors.As(err, &path) && errors.Is(path, fs.ErrNotExist) && err == error(path) {
		err = &missingError{path.Path + ": there is no such file"}
	}
	if result != nil {
		addRemedies(result.Findings)
	}
	return result, withRemedy(err)
}
