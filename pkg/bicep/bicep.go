// Package bicep compiles Bicep files, with the built-in compiler or the official one.
//
// A Compiler turns .bicep and .bicepparam files into the JSON that Azure Resource
// Manager and Radius read. Embedded is the compiler written in Go, which runs in this
// process. External runs the official compiler. Begin with Embedded{}.Build.
//
// The stages of the built-in compiler are packages below internal.
package bicep

import (
	"context"
	"errors"
	"fmt"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/azlibrary"
	"github.com/radbicep/rad/pkg/bicep/internal/emit"
	"github.com/radbicep/rad/pkg/bicep/internal/lint"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/secret"
)

// A Compiler builds templates and parameter files. Mistakes in the source are Findings
// of the result. An error means that nothing could be compiled: the entry file cannot
// be read, or the external compiler cannot be run.
type Compiler interface {
	// Build compiles a .bicep file into a template.
	Build(ctx context.Context, r Request) (*Result, error)
	// BuildParams compiles a .bicepparam file, and the template it uses.
	BuildParams(ctx context.Context, r Request) (*Result, error)
}

// DefaultGeneratorVersion is the version of the official compiler whose output is
// reproduced, as it is in the templates' metadata. It is a constant, so that
// a template does not change when the version of rad does.
const DefaultGeneratorVersion = release.DefaultStamp

// Releases returns the releases of Bicep that Request.BicepVersion may name, newest first.
func Releases() []string { return release.Names() }

// FindRelease returns the release that a version or a range asks for, and its stamp. Nothing asks for the
// default one.
func FindRelease(asked string) (name, stamp string, err error) {
	v, err := release.Parse(asked)
	if err != nil {
		return "", "", err
	}
	return v.String(), v.Stamp(), nil
}

// NoAzTypes is the value of Request.AzTypes that stands for no library at all.
const NoAzTypes = azlibrary.None

// Request says what to compile, and how. The zero value of every field but
// File and FS is what the official compiler does.
type Request struct {
	// File is the absolute path of the entry file.
	File string
	// FS is where files are read: Dir(root), a source.Memory, or another implementation. It is
	// required, so that no program reads the whole disk without saying so.
	FS source.FS
	// Root is the project's folder. The lock file of artifacts is looked for in it.
	Root string
	// Env is the environment that parameter files read; nil is an empty one. An external compiler reads its own,
	// External.Env.
	Env Environment
	// Config is the path of a configuration file for every file of the program, instead of the
	// nearest bicepconfig.json. An external compiler knows it from 0.49 on.
	Config string
	// NoRestore forbids fetching artifacts.
	NoRestore bool
	// Overrides is a JSON object of values that replace, or add to, the
	// assignments of a parameter file (BICEP_PARAMETERS_OVERRIDES).
	Overrides string
	// DiagnoseOnly asks for the findings only.
	DiagnoseOnly bool
	// Secure names parameters whose values must not be shown, beyond those that the
	// template of a parameter file declares to be secure.
	Secure []string
	// Options are what an external compiler cannot do: it refuses a request that has one, with an *UnsupportedError.
	Options
}

// Options are the part of a Request that only the embedded compiler takes.
type Options struct {
	// Partial accepts a parameter file that leaves required parameters out.
	Partial bool
	// ParametersOnly asks BuildParams for the parameters without the template.
	ParametersOnly bool
	// HideEnvironment makes the values of Env unknown: the compiler asks only whether a variable is
	// there. What readEnvironmentVariable returns has the type any, and what is computed from it is an expand.Unknown
	// in Result.Assigned. So no finding and no result depends on such a value. Result.Parameters is nil then.
	HideEnvironment bool
	// BicepVersion is the release of Bicep to behave as, such as 0.49.2,
	// or a range, of which the newest one is taken; "" is the default.
	BicepVersion string
	// RequiredVersion, such as 0.49, is what the version of that release must begin with, also where
	// a bicepconfig.json chooses it.
	RequiredVersion string
	// GeneratorVersion replaces the version that templates name, which is that of the release.
	GeneratorVersion string
	// AzTypes is the path of a library of Azure's types, or of an archive of them. If it is empty,
	// the built-in library is used, or else the one in the user's cache. NoAzTypes means none.
	AzTypes string
	// Artifacts says where artifacts of registries come from.
	Artifacts Artifacts
	// TrustedClouds is the text of BICEP_TRUSTED_CLOUDS: a JSON list of clouds that configurations
	// may name beside Azure's own, each with resourceManagerEndpoint and activeDirectoryAuthority.
	TrustedClouds string
	// Fixes asks for the fixes of findings, and for Result.Given.
	Fixes bool
	// LineEnds asks for Result.LineEnds.
	LineEnds bool
	// Symbolic asks for a template that names its resources and lists existing ones, as Expand needs it, and for
	// Result.Places.
	Symbolic bool
	// Lenient goes on without modules and loaded files that cannot be read: what depends on them is
	// unknown in an expansion.
	Lenient bool
	// Unfetched goes on without modules of registries that cannot be fetched: an expansion has one resource for
	// each of them (expand.Resource.Unfetched), and what depends on it is unknown.
	Unfetched bool
	// Advice asks for findings that the official compiler does not have, such as radius-deprecated-type.
	Advice Advice
	// Workspace is where the compiler keeps what it knows of the program, for the
	// next time that it is compiled; nil to keep nothing.
	Workspace *Workspace
}

// Advice says for whom findings are that the official compiler does not have.
type Advice uint8

// The values of Advice.
const (
	NoAdvice       = Advice(lint.NoAdvice)       // nobody
	AdviceToDeploy = Advice(lint.AdviceToDeploy) // somebody who deploys: what is wrong or soon will be
	AdviceToAuthor = Advice(lint.AdviceToAuthor) // somebody who works on the source: notes, too
)

// Dir returns the files of a folder and below it, and no others: links that lead out of the
// folder are not followed. Names of files are absolute paths.
func Dir(root string) source.FS { return source.Below(root) }

// ErrNoFS is the error about a request without an FS.
var ErrNoFS = errors.New("the request does not say where files are read: set its FS, to bicep.Dir(root) for the files of a folder")

// Environment is what parameter files read with readEnvironmentVariable.
type Environment interface {
	// Lookup returns the value of a variable.
	Lookup(name string) (value string, ok bool)
	// Hint returns a sentence about a variable that Lookup does not find, such as which
	// one may be meant; "" if there is nothing to say.
	Hint(name string) string
}

// Result is what a compiler made. Texts are as the compiler printed them.
type Result struct {
	// Template is the template's JSON text, which must not be changed. It is nil when the findings hold an
	// error, and when a parameter file uses no template.
	Template []byte
	// Parameters is the text of the ARM parameter file that a parameter file became.
	Parameters []byte
	// TemplateSpec is the ID of the template spec that a parameter file uses.
	TemplateSpec string
	// Using is the path of the template that a parameter file uses, if it is a file.
	Using string
	// Assigned are the parameters in Parameters, as values.
	Assigned []Assigned
	// Findings are the diagnostics of every file that was reached, in the order
	// in which they are shown.
	Findings []report.Finding
	// Missing are the findings about what could not be read, with Lenient or Unfetched.
	Missing []report.Finding
	// Notices are warnings that concern no place in a file.
	Notices []string
	// Replaced are the artifacts that built-in types stand in for, since they are neither in the cache nor in the lock
	// file, and that may have other types: those of a release that is not built in, or of a tag such as latest.
	Replaced []Replaced
	// Untyped says that the program has resources of Azure whose bodies were not checked, since there is no
	// library of Azure's types.
	Untyped bool
	// Places says where the template's resources are declared; nil unless Symbolic
	// was asked for.
	Places expand.Places
	// Given are the parameters that the modules and the parameter file of the program
	// give values to, with Fixes.
	Given []Given
	// LineEnds are findings on multi-line strings that hold the line ends of Windows,
	// with LineEnds asked for.
	LineEnds []report.Finding
	// Files are the paths of the files that were read.
	Files []string
	// Folders are the paths of the folders whose files were listed.
	Folders []string

	tree *armjson.Object // the value of Template; nil until it is parsed
	text *emit.Text      // what the embedded compiler knows of the value; nil if there is nothing
}

// TemplateTree returns the value of the template, which is parsed once. It must not be
// changed. The error is an *armjson.SyntaxError where the text is not JSON: an ARM template
// that a parameter file uses is passed on as it is.
func (r *Result) TemplateTree() (*armjson.Object, error) {
	if r.tree == nil && r.text != nil {
		if parsed := r.text.Parse(templateOptions); parsed != nil {
			r.tree, _ = parsed.Value.(*armjson.Object)
		}
	}
	if r.tree == nil {
		tree, err := ParseTemplate(r.Template)
		if err != nil {
			return nil, err
		}
		r.tree = tree
	}
	return r.tree, nil
}

var templateOptions = armjson.Options{Comments: true, MaxDepth: armjson.TemplateMaxDepth}

// ParseTemplate returns the value of the text of an ARM template. ARM reads comments in it.
func ParseTemplate(text []byte) (*armjson.Object, error) {
	v, err := armjson.ParseBytes(text, templateOptions)
	if err != nil {
		return nil, err
	}
	tree, ok := v.(*armjson.Object)
	if !ok {
		return nil, errors.New("the template is not a JSON object")
	}
	return tree, nil
}

// Assigned is what a parameter file gives for one parameter. One of Value, Reference and
// Expression is set.
type Assigned struct {
	Name       string
	Value      armjson.Value
	Reference  *armjson.Object // to a secret in a key vault
	Expression string          // what only a deployment can evaluate
	// Mark says whether the value may be written and shown.
	Mark secret.Mark
	// Path is the file that assigns the parameter: the parameter file, or one that it
	// extends. At is where its name is there. Both are empty if that is not known.
	Path string
	At   source.Position
}

// Given is a parameter of a file that another one gives a value to.
type Given struct{ Path, Parameter string }

// OK reports whether the source had no errors.
func (r *Result) OK() bool { return !report.AnyError(r.Findings) }

// InternalError is a fault of a compiler: not the user's, ours.
type InternalError struct {
	File  string // the entry file
	Fault any    // what panicked
	Stack []byte
}

// Error names the file that was compiled, and the fault.
func (e *InternalError) Error() string {
	return fmt.Sprintf("compiling %s: %v", e.File, e.Fault)
}
