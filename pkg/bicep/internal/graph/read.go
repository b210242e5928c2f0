package graph

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// read reads and parses one file, and finds out what it refers to. Several
// goroutines may be doing so at the same time.
func (l *loader) read(r *result) {
	old := l.before[r.path]
	src, version, invalid, err := l.source(r.path, old)
	if err != nil {
		r.err, r.problem = err, readProblem(err)
		return
	}
	f := &File{Path: r.path, Source: src, version: version}
	r.file = f
	switch ext := strings.ToLower(filepath.Ext(r.path)); {
	case f.readBefore(old, r.spec != nil, invalid != nil):
		if f.Tree == nil {
			return
		}
	case r.spec != nil:
		f.Kind = TemplateSpec
		f.readTemplateSpec()
		return
	case ext == ".json" || ext == ".jsonc" || ext == ".arm":
		f.Kind = ARMTemplate
		f.Template = parseTemplate(f.Source.Text)
		return
	case ext == ".bicepparam":
		f.Kind = Params
		f.Tree, f.Diagnostics = syntax.ParseParams(f.Source)
	default:
		// whatever else a module's path ends in is taken for Bicep
		f.Tree, f.Diagnostics = syntax.Parse(f.Source)
	}
	if invalid != nil && f.Tree != nil {
		f.reads.failed = true
		f.Diagnostics = append(diag.List{*invalid}, f.Diagnostics...)
	}
	f.Config = l.configs.For(r.path)
	l.resolve(f)
}

// source reads a file, unless the earlier load has read the same version, and tells where
// it is not UTF-8. Of two byte order marks at its start the second is text, and wrong.
func (l *loader) source(name string, old *File) (*source.File, source.Version, *diag.Diagnostic, error) {
	none := source.Version{}
	l.mu.Lock()
	restored := l.restored[name]
	l.mu.Unlock()
	var read string
	var version source.Version
	var err error
	if restored != nil {
		var b []byte
		b, err = restored.Read()
		read = string(b)
	} else {
		version = l.program.versions.of(name)
		if l.hasVersion(name, old) {
			return old.Source, version, nil, nil
		}
		read, err = source.ReadText(l.FS, name)
	}
	if err != nil {
		return nil, none, nil, err
	}
	text := source.DecodeText(read)
	if len(text) > math.MaxInt32 { // places in it could not be told
		return nil, none, nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("the file has more than 2 GiB")}
	}
	if text == read && !isUTF16(read) { // it is UTF-8
		return &source.File{Path: name, Text: text}, version, nil, nil
	}
	invalid := NotUTF8([]byte(read))
	if invalid != nil {
		version = none // the diagnostic is made again
	}
	return &source.File{Path: name, Text: text}, version, invalid, nil
}

// NotUTF8 returns the diagnostic of the first byte of a file that is not part of a
// character, or nil. A byte order mark says what the encoding is.
func NotUTF8(b []byte) *diag.Diagnostic {
	_, size := source.ByteOrderMark(b)
	wide := isUTF16(string(b[:min(len(b), 4)]))
	if size > 0 && b[0] != 0xef || utf8.Valid(b) && !wide {
		return nil
	}
	at := size
	for {
		r, n := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && n == 1 || r == 0 && wide {
			break
		}
		at += n
	}
	start := int32(at - size) // the text before it is what the file holds
	d := diag.NotUTF8.At(source.Span{Start: start, End: start + 1}, fmt.Sprintf("0x%02X", b[at]))
	return &d
}

// isUTF16 reports whether a file begins as text in UTF-16 does that has no byte order mark: every other byte is zero.
func isUTF16(text string) bool {
	zero := func(i int) bool { return text[i] == 0 }
	return len(text) >= 4 && zero(0) != zero(1) && zero(0) == zero(2) && zero(1) == zero(3)
}

// readProblem says why a file could not be read.
func readProblem(err error) *diag.Problem { return diag.BCP091.With(reason(err)) }

// reason is the argument of a message about an error. An error for which a caller may have a remedy
// stays an error.
func reason(err error) any {
	var pe *fs.PathError
	var outside *source.OutsideError
	switch {
	case errors.As(err, &outside):
		return outside
	case errors.As(err, &pe) && errors.Is(err, fs.ErrNotExist):
		return diag.Words{Text: "there is no file " + pe.Path, Files: []string{pe.Path}}
	case errors.As(err, &pe):
		return diag.Words{Text: pe.Path + ": " + pe.Err.Error(), Files: []string{pe.Path}}
	}
	return err.Error()
}

// parseTemplate reads the JSON of a template as Newtonsoft's reader does. It
// returns nil if there is no object in it.
func parseTemplate(text string) *armjson.Object {
	v, err := armjson.Parse(text, armjson.Options{Relaxed: true})
	if err != nil {
		return nil
	}
	o, _ := v.(*armjson.Object)
	return o
}

// readTemplateSpec takes the template out of the JSON of a template spec.
func (f *File) readTemplateSpec() {
	o := parseTemplate(f.Source.Text)
	if o == nil {
		return
	}
	id, _ := o.Get("id")
	properties, _ := o.Get("properties")
	s, ok := id.(armjson.String)
	p, isObject := properties.(*armjson.Object)
	if !ok || !isObject {
		return
	}
	main, _ := p.Get("mainTemplate")
	if t, ok := main.(*armjson.Object); ok {
		f.TemplateID, f.Template = string(s), t
	}
}

// pathNode returns the node at which problems with a reference are reported.
func pathNode(s syntax.Stmt) syntax.Node {
	switch s := s.(type) {
	case *syntax.Module:
		return s.Path
	case *syntax.Test:
		return s.Path
	case *syntax.Using:
		return s.Path
	case *syntax.Extends:
		return s.Path
	case *syntax.Extension:
		return s.Spec
	case *syntax.Import:
		if p := s.Path(); p != nil {
			return p
		}
		return s.From
	}
	return s
}

// noPath returns the rule for a statement that lacks its path.
func noPath(s syntax.Stmt) diag.Kind {
	switch s.(type) {
	case *syntax.Using:
		return diag.BCP256
	case *syntax.Extends:
		return diag.BCP404
	case *syntax.Import, *syntax.Test:
		return diag.BCP358
	}
	return diag.BCP090
}

// resolve finds out what the statements of a file refer to, as far as that can
// be told without reading the files that are meant.
func (l *loader) resolve(f *File) {
	f.byNode = map[syntax.Node]*Reference{}
	for _, name := range f.Config.Implicit {
		f.Implicit = append(f.Implicit, l.implicit(f, name))
	}
	for _, stmt := range f.Tree.Stmts {
		var ref *Reference
		switch s := stmt.(type) {
		case *syntax.Module, *syntax.Test, *syntax.Import, *syntax.Using, *syntax.Extends:
			node := pathNode(s)
			if _, none := node.(*syntax.None); none {
				continue
			}
			ref = &Reference{Stmt: stmt}
			str, ok := node.(*syntax.String)
			if !ok {
				ref.Problem = noPath(s).With()
				break
			}
			text, ok := str.Literal()
			if !ok {
				ref.Problem = diag.BCP092.With()
				break
			}
			l.module(f, ref, text)
		case *syntax.Extension:
			if ident, ok := s.Spec.(*syntax.Ident); ok && f.Config.IsBuiltIn(ident.Name) {
				continue
			}
			ref = &Reference{Stmt: stmt}
			l.extension(f, ref, s)
		default:
			continue
		}
		f.References = append(f.References, ref)
		f.byNode[stmt] = ref
	}
}

// module resolves a reference to something that is compiled or read as a template.
func (l *loader) module(f *File, ref *Reference, text string) {
	ref.External = strings.Contains(text, ":")
	if ref.Artifact, ref.Problem = artifact.Parse(text, artifact.Module, f.Config); ref.Problem != nil {
		return
	}
	switch ref.Artifact.Scheme {
	case artifact.Local:
		ref.target, ref.Problem = l.relative(f, ref.Artifact.Path)
	case artifact.Mocked:
		ref.target = ref.Artifact.Path
	default:
		found := l.Artifacts.Find(ref.Artifact, f.Config)
		if ref.Problem = found.Problem; ref.Problem != nil {
			return
		}
		ref.target = found.Path()
		l.mu.Lock()
		l.restored[ref.target] = found
		l.mu.Unlock()
	}
}

// relative resolves a path that is in a file.
func (l *loader) relative(f *File, name string) (string, *diag.Problem) {
	target := filepath.Join(filepath.Dir(f.Path), filepath.FromSlash(name))
	if l.program.versions.of(target).Known() {
		return target, nil // it is a file
	}
	if l.isFolder(target) {
		return "", diag.BCP275.With(diag.File(target))
	}
	if strings.HasSuffix(name, "/") {
		return "", diag.BCP091.With(path.Clean(name) + " is meant to be a directory")
	}
	return target, nil
}

// isFolder reports whether there is a folder of that name. A name is looked up once, since
// many modules can be of one file.
func (l *loader) isFolder(name string) bool {
	l.mu.Lock()
	is, known := l.folders[name]
	l.mu.Unlock()
	if !known {
		info, err := l.FS.Stat(name)
		is = err == nil && info.IsDir()
		l.mu.Lock()
		l.folders[name] = is
		l.mu.Unlock()
	}
	return is
}
