// Package repair makes repairs of what the compiler and the linter report: edits of the source.
// Begin with New and File.Fix.
//
// A repair is made from a diagnostic and the tree that it was found in, and only when a caller asks
// for it, so a compile without repairs costs nothing more. The package writes no files.
package repair

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/lint"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// File repairs what was found in one file.
type File struct {
	m      *check.Model
	source *source.File
	text   string
	found  diag.List
	broken bool // one of what was found is an error

	places   map[source.Span][]syntax.Node // of the nodes that begin a repair
	comments []source.Span                 // and pragmas
	eol      string                        // how lines end

	declared          map[string]bool // made when a name is not declared
	values, functions names
}

// New returns what repairs a file in which these diagnostics were found.
func New(m *check.Model, found diag.List) *File {
	f := &File{m: m, source: m.Source(), text: m.Source().Text, found: found, broken: found.HasErrors(), eol: "\n"}
	wanted := map[source.Span]bool{}
	for i := range found {
		wanted[found[i].Span] = true
	}
	f.places = map[source.Span][]syntax.Node{}
	m.Tree().Walk(m.Tree(), func(n syntax.Node) bool {
		if wanted[n.Span()] {
			f.places[n.Span()] = append(f.places[n.Span()], n)
		}
		syntax.Names(n, func(name *syntax.Ident) {
			if wanted[name.Span()] {
				f.places[name.Span()] = append(f.places[name.Span()], name)
			}
		})
		if i, ok := n.(*syntax.Index); ok {
			if at := source.Between(i.Open, i.Close); wanted[at] {
				f.places[at] = append(f.places[at], n)
			}
		}
		return true
	})
	_, tokens, _ := syntax.ParseTokens(f.source, m.Tree().Params)
	end := int32(0)
	for _, t := range tokens {
		gap := f.text[end:t.Span.Start]
		if trimmed := strings.TrimSpace(gap); trimmed != "" && !strings.HasPrefix(trimmed, "\ufeff") {
			start := end + int32(strings.Index(gap, trimmed))
			f.comments = append(f.comments, source.Span{Start: start, End: start + int32(len(trimmed))})
		}
		end = t.Span.End
	}
	if i := strings.IndexAny(f.text, "\r\n"); i >= 0 {
		f.eol = f.text[i : i+1]
		if strings.HasPrefix(f.text[i:], "\r\n") {
			f.eol = "\r\n"
		}
	}
	return f
}

// on makes a repair of one that wants a node of some type at the place of the diagnostic.
func on[T syntax.Node](repair func(*File, diag.Diagnostic, T) *report.Fix) func(*File, diag.Diagnostic) *report.Fix {
	return func(f *File, d diag.Diagnostic) *report.Fix {
		if n, ok := at[T](f, d.Span); ok {
			return repair(f, d, n)
		}
		return nil
	}
}

// at returns the first node of a type that is at a place.
func at[T syntax.Node](f *File, span source.Span) (T, bool) {
	for _, n := range f.places[span] {
		if t, ok := n.(T); ok {
			return t, true
		}
	}
	var none T
	return none, false
}

// rules are the repairs, by the kind of what they repair.
var rules = map[diag.Kind]func(*File, diag.Diagnostic) *report.Fix{
	diag.BCP057:                    on((*File).undeclared),
	diag.BCP098:                    (*File).slashes,
	diag.LintUnusedParams:          on((*File).unused),
	diag.LintUnusedVars:            on((*File).unused),
	diag.LintUnusedTypes:           on((*File).unused),
	diag.LintUnusedExisting:        on((*File).unusedExisting),
	diag.LintUnusedImports:         on((*File).unusedImport),
	diag.LintUnnecessaryDependsOn:  (*File).dependency,
	diag.LintPreferInterpolation:   (*File).interpolate,
	diag.LintSimplifyInterpolation: on((*File).simplify),
	diag.LintSimplifyJSONNull:      (*File).jsonNull,
	diag.LintUnquotedNames:         (*File).unquote,
	diag.LintSecretParams:          (*File).secure,
	diag.LintModuleName:            on((*File).moduleName),
	diag.LintSafeAccess:            (*File).safeAccess,
}

// Fix returns what repairs a diagnostic, or nil.
func (f *File) Fix(d diag.Diagnostic) *report.Fix {
	var fix *report.Fix
	if rule := rules[d.Kind]; rule != nil {
		fix = rule(f, d)
	} else {
		fix = f.misspelt(d)
	}
	if fix == nil || len(fix.Edits) == 0 {
		return nil
	}
	for i := range fix.Edits {
		e := &fix.Edits[i]
		e.Start, e.End = f.source.Position(e.Span.Start), f.source.Position(e.Span.End)
	}
	return fix
}

// replace returns a fix that puts a text in one place.
func replace(title string, c report.Certainty, span source.Span, text string) *report.Fix {
	return &report.Fix{Title: title, Certainty: c, Edits: []report.Edit{{Span: span, Text: text}}}
}

// Comments returns the places of comments and pragmas.
func (f *File) Comments() []source.Span { return f.comments }

// holdsComment reports whether a comment is in a part of the text.
func (f *File) holdsComment(span source.Span) bool {
	i, _ := slices.BinarySearchFunc(f.comments, span.Start, func(c source.Span, at int32) int { return int(c.End - 1 - at) })
	return i < len(f.comments) && f.comments[i].Start < span.End
}

// plain returns how a node is written, if it can be written elsewhere in one line.
func (f *File) plain(n syntax.Node) (string, bool) {
	text := f.source.Slice(n.Span())
	return text, !strings.ContainsAny(text, "\r\n") && !f.holdsComment(n.Span())
}

// misspelt puts the name that is meant in place of a misspelt one.
func (f *File) misspelt(d diag.Diagnostic) *report.Fix {
	if len(d.Args) == 0 || d.Span.Len() == 0 {
		return nil
	}
	lazy, ok := d.Args[len(d.Args)-1].(interface{ Suggestion() diag.Suggestion })
	if !ok {
		return nil
	}
	written := f.source.Slice(d.Span)
	quoted := strings.HasPrefix(written, "'") && strings.HasSuffix(written, "'") && len(written) > 1
	isMisspelt := func(arg any) bool {
		s, ok := arg.(string)
		return ok && (s == written || quoted && s == written[1:len(written)-1])
	}
	// The place may be that of a name whose value is wrong.
	if !slices.ContainsFunc(d.Args[:len(d.Args)-1], isMisspelt) {
		return nil
	}
	s := lazy.Suggestion()
	text := s.Name
	switch {
	case text == "" || text == written:
		return nil
	case strings.HasPrefix(text, "'"):
	case quoted:
		if strings.ContainsAny(text, `'\$`) {
			return nil
		}
		text = "'" + text + "'"
	case !syntax.IsIdentifier(text):
		return nil
	}
	c := report.Likely
	if s.Only {
		c = report.Certain
	}
	return replace("Write "+text+" instead of "+written+".", c, d.Span, text)
}

// undeclared puts the name of a declaration in place of one that is near it.
func (f *File) undeclared(d diag.Diagnostic, n *syntax.Ident) *report.Fix {
	for x := f.m.Parent(n); x != nil; x = f.m.Parent(x) {
		if _, ok := x.(*syntax.Func); ok { // where other names can be used
			return nil
		}
	}
	if f.declared == nil {
		f.declare()
	}
	if f.declared[n.Name] { // which cannot be used here
		return nil
	}
	list := &f.values
	if _, isCall := f.m.Parent(n).(*syntax.Call); isCall {
		list = &f.functions
	}
	d.Args = []any{n.Name, list.guess(n.Name, d.Span)}
	return f.misspelt(d)
}

// declare lists the names that the file declares.
func (f *File) declare() {
	f.declared = map[string]bool{}
	for _, s := range f.m.Binding().Root.Locals {
		f.declared[s.Name()] = true
		if !s.NameValid() {
			continue
		}
		switch s.Kind() {
		case bind.KindFunction:
			f.functions.add(s.Name(), s.Decl().Span())
		case bind.KindParameter, bind.KindVariable, bind.KindResource, bind.KindModule:
			f.values.add(s.Name(), s.Decl().Span())
		}
	}
}

// names are names and the places of their declarations, in the order of the file.
type names struct {
	list  []string
	spans []source.Span
	folds map[string]string // by the name in lower case, if there are many
}

func (l *names) add(name string, span source.Span) {
	l.list, l.spans = append(l.list, name), append(l.spans, span)
}

// guess returns the name that a misspelt one at a place means. The declaration around
// no place can be meant.
func (l *names) guess(name string, at source.Span) diag.Suggestion {
	if len(l.list) > types.MaxCandidates {
		if l.folds == nil {
			l.folds = make(map[string]string, len(l.list))
			for _, n := range l.list {
				l.folds[strings.ToLower(n)] = n
			}
		}
		same := l.folds[strings.ToLower(name)]
		return diag.Suggestion{Name: same, Only: same != ""}
	}
	others := make([]string, 0, len(l.list))
	for i, n := range l.list {
		if !l.spans[i].Contains(at) {
			others = append(others, n)
		}
	}
	return types.Guess(name, others)
}

// slashes turns the backslashes of a path around.
func (f *File) slashes(d diag.Diagnostic) *report.Fix {
	text := f.source.Slice(d.Span)
	if !strings.HasPrefix(text, "'") || strings.HasPrefix(text, "'''") {
		return nil
	}
	return replace("Write / instead of the backslash.", report.Certain, d.Span, strings.ReplaceAll(text, `\\`, "/"))
}

// secure adds @secure() to a parameter.
func (f *File) secure(d diag.Diagnostic) *report.Fix {
	p := f.param(d)
	if p == nil {
		return nil
	}
	t, ok := p.Type.(*syntax.TypeName)
	if !ok || t.Name.Name != "string" && t.Name.Name != "object" {
		return nil // what the type's declaration says, counts
	}
	c := report.Certain // it takes a secret
	if lint.SoundsSecret(p.Name.Name) {
		c = report.Likely
	}
	at := p.Span().Start
	return replace("Add @secure().", c, source.Span{Start: at, End: at}, "@secure()"+f.eol)
}

// param returns the parameter whose name a diagnostic is about.
func (f *File) param(d diag.Diagnostic) *syntax.Param {
	name, ok := at[*syntax.Ident](f, d.Span)
	if !ok {
		return nil
	}
	p, _ := f.m.Parent(name).(*syntax.Param)
	return p
}

// quote returns a text as a string of the language, without the quotes.
func quote(text string) string {
	return strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "${", `\${`).Replace(text)
}

// name returns a name for a title, in quotes.
func name(s string) string { return strconv.Quote(s) }
