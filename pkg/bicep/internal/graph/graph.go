// Package graph finds and reads every file that a program is made of: from the entry file through
// modules, imports, `using`, `extends` and extensions. Begin with Load. again.go loads a program
// again after some of its files have changed.
//
// Each file is read and parsed once. A problem with a reference is kept beside it, for the code
// that reports on the statement. Artifacts of registries are looked for in the cache, and not
// fetched.
package graph

import (
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Kind tells the kinds of files apart.
type Kind uint8

const (
	Bicep Kind = iota
	Params
	ARMTemplate
	TemplateSpec
)

// Program is all that was read for one entry file.
type Program struct {
	Entry *File
	Files []*File // every file that could be read: the entry, then as they were first reached

	// Continues says that the archives of types are those of Options.Before. Files that
	// are the same as in that program are then the same objects.
	Continues bool

	fs       source.FS
	versions *versions
	archives map[string]*Archive // by path

	lenient bool

	Unfetched bool // as in Options

	mu      sync.Mutex
	aux     map[string]*Aux // files that were loaded, by path
	listed  []string        // folders
	missing []diag.Diagnostic
}

// File is one file of a program. Tree, Config and References are those of
// .bicep and .bicepparam files; Template is that of ARM templates.
type File struct {
	Kind   Kind
	Path   string // absolute
	Source *source.File
	Index  int // in Program.Files

	Tree   *syntax.File
	Config *config.Config

	// Diagnostics are the lexer's and the parser's.
	Diagnostics diag.List

	// References are the statements that name a file or an extension, in order.
	References []*Reference

	// Implicit are the extensions that the configuration adds to the file.
	Implicit []ImplicitExtension

	Template   *armjson.Object // the JSON of an ARM template; nil for other files
	StandIn    bool            // Template stands for a file that cannot be read
	TemplateID string          // the resource ID of a template spec

	version source.Version // of the source
	program *Program
	byNode  map[syntax.Node]*Reference
	reads   reads
}

// Features returns what the file's configuration enables.
func (f *File) Features() *config.Features { return &f.Config.Features }

// Has reports whether the release of Bicep that the program is compiled as has a fact.
func (f *File) Has(fact release.Fact) bool { return f.Config.Has(fact) }

// Reference returns what a statement refers to, or nil if the statement names no
// file: a built-in extension, `using none`.
func (f *File) Reference(stmt syntax.Node) *Reference { return f.byNode[stmt] }

// Reference is a statement's reference to another file or to an extension.
type Reference struct {
	Stmt     syntax.Stmt         // *Module, *Test, *Import, *Using, *Extends or *Extension
	Artifact *artifact.Reference // nil if the reference could not be understood
	External bool                // what was written is not a path

	// One of these is set.
	File    *File         // the file that is meant
	Archive *Archive      // the types of an extension
	BuiltIn string        // the extension whose types this program has, in place of Artifact
	Problem *diag.Problem // why there is none of these

	target string // the path of the file that is meant, while loading
}

// Text returns the reference as it is written, as far as it was understood.
func (r *Reference) Text() string {
	if r.Artifact == nil {
		return ""
	}
	return r.Artifact.String()
}

// Span returns where problems with the reference are reported: at the path, or
// at what is in its place.
func (r *Reference) Span() source.Span { return pathNode(r.Stmt).Span() }

// ImplicitExtension is an extension that needs no declaration.
type ImplicitExtension struct {
	Name    string
	Missing bool // the configuration does not say what the extension is

	// As in Reference.
	Artifact *artifact.Reference
	Archive  *Archive
	BuiltIn  string
	Problem  *diag.Problem
}
