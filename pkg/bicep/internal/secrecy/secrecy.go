// Package secrecy tells which expressions of a program have values that must not be
// shown, and takes such values out of diagnostics.
//
// A value is secret for one of three reasons:
//
//   - It is given to a parameter that is decorated with @secure(), or flows into one: the
//     variable, the environment variable or the file that the value comes from is as secret
//     as the parameter. So is whatever is computed from it.
//   - It goes to another place that a type calls a secret, such as a property of a resource. It is in the template,
//     but in no message.
//   - It comes from the environment, or is computed from what does. It may be in the
//     output, since the program says so, but in no message.
//
// The package follows the program's names, accesses and calls. It never looks at the values
// themselves, so the answer does not depend on them. Both questions are about a part of a value
// where a program takes one: of { host: h, password: p }, only the password is secret if only that
// flows into a secure parameter.
//
// Begin with Analyze. flow.go says how secrets are followed, typed.go from which places, mark.go answers for an expression, and
// hide.go takes secrets out of diagnostics and lines of source.
package secrecy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/secret"
)

// Program knows the secrets of a program.
type Program struct {
	program  *check.Program
	files    []*file             // by graph.File.Index; nil for files that are not Bicep
	sources  map[string][]route  // what is read from outside and flows into a secure parameter, by the call that reads it
	names    map[nameKey][]route // what is imported from files that are not Bicep, likewise
	params   map[*check.Model]map[string]*syntax.Param
	defines  map[*armjson.Object]bool  // whether an ARM template defines secure types
	also     map[string]bool           // the parameters that are secure beyond those that templates declare so
	visited  map[visit]bool            // what flow has looked at
	marks    map[visit]secret.Mark     // what mark has found for parts of values
	routes   map[nodeKey]int           // how many routes into the value of a node were followed
	keys     map[string]bool           // the texts in quotes that are names of properties in secure objects
	none     memo.Value[bool]          // see hasNone
	callers  map[*check.Model][]caller // who gives a template its parameters; nil until parameters are followed
	assigned map[*syntax.ParamAssign]secret.Mark
	texts    memo.Value[map[string]bool] // see knownTexts
	declared memo.Value[map[string]bool] // see isName
}

// file is what is known of a Bicep or parameter file.
type file struct {
	model    *check.Model
	secure   map[syntax.ID]bool // the nodes whose whole value flows into a secure parameter
	given    map[syntax.ID]bool // the statements that give a secure parameter its value
	unsure   map[syntax.ID]bool // those that give a value to one of which it is not known whether it is secure
	marks    []knownMark        // what mark has found for whole values, by the nodes' IDs
	masks    []source.Span      // the text that a secret is written in
	nodes    []syntax.Node      // by where they begin, if the tree's are not; made when needed
	masked   bool               // masks is sorted
	declared map[string]bool    // the names that the file declares; made when needed
}

// knownMark is the mark of an expression, once it is known.
type knownMark struct {
	mark  secret.Mark
	known bool
}

type nodeKey struct {
	f  *graph.File
	id syntax.ID
}

type visit struct {
	nodeKey
	route route
}

type nameKey struct {
	f    *graph.File
	name string
}

// Analyze returns the secrets of a program. also names parameters that are secure, whatever
// the template says that a parameter file uses.
func Analyze(p *check.Program, also []string) *Program {
	s := &Program{
		program: p, files: make([]*file, len(p.Graph.Files)),
		sources: map[string][]route{}, names: map[nameKey][]route{},
		params: map[*check.Model]map[string]*syntax.Param{}, defines: map[*armjson.Object]bool{},
		also: map[string]bool{}, keys: map[string]bool{}, assigned: map[*syntax.ParamAssign]secret.Mark{},
	}
	for _, name := range also {
		s.also[name] = true
	}
	for _, f := range p.Graph.Files {
		if m := p.Model(f); m != nil {
			s.files[f.Index] = &file{model: m, secure: map[syntax.ID]bool{}, given: map[syntax.ID]bool{}, unsure: map[syntax.ID]bool{}}
		}
	}
	if p.Entry().IsParams() {
		s.follow()
		s.noteAssigned()
	}
	s.findCallers()
	s.follow()
	for _, f := range s.files {
		if f != nil {
			f.hideBroken()
		}
	}
	return s
}

// follow follows all secrets. It is done once for the marks of a parameter file's values, which say what is written, and
// once more for messages: these do not show, besides, what goes to a place that a type calls a secret.
func (s *Program) follow() {
	s.visited, s.marks, s.routes = map[visit]bool{}, map[visit]secret.Mark{}, map[nodeKey]int{}
	for _, f := range s.files {
		if f == nil {
			continue
		}
		f.marks = nil
		if f.model.IsParams() {
			s.paramsFile(f)
		} else {
			s.template(f)
		}
		if s.callers != nil {
			s.typed(f)
		}
	}
}

// noteAssigned notes what makes the values secret that parameter files give.
func (s *Program) noteAssigned() {
	for _, f := range s.files {
		if f == nil || !f.model.IsParams() {
			continue
		}
		for _, p := range f.model.Tree().Stmts {
			if p, ok := p.(*syntax.ParamAssign); ok {
				s.assigned[p] = s.mark(f.model, p.Value, "")
				if f.given[p.ID()] {
					s.assigned[p] |= secret.Secure
				}
			}
		}
	}
}

func (s *Program) of(m *check.Model) *file { return s.files[m.File().Index] }

// hasNone reports whether no value of the program can have a mark: nothing flows into a
// secure parameter, and nothing reads the environment.
func (s *Program) hasNone() bool {
	return s.none.Get(func() bool {
		if len(s.sources) > 0 || len(s.names) > 0 {
			return false
		}
		for _, f := range s.files {
			if f == nil {
				continue
			}
			if len(f.secure) > 0 || len(f.given) > 0 || len(f.unsure) > 0 ||
				strings.Contains(f.model.Source().Text, readsEnvironment) {
				return false
			}
		}
		return true
	})
}

// readsEnvironment is the function that does so.
const readsEnvironment = "readEnvironmentVariable"

// Assigned returns what makes the value secret that a parameter file gives to a parameter.
func (s *Program) Assigned(p *bind.ParamAssign) secret.Mark { return s.assigned[p.Stmt] }

// paramsFile finds what the values of secure parameters come from.
func (s *Program) paramsFile(f *file) {
	m := f.model
	used, _ := m.Used()
	for _, p := range m.Binding().ParamAssigns {
		owner := m
		if p.Binding() != m.Binding() {
			if owner = s.program.Model(p.Binding().File); owner == nil {
				continue
			}
		}
		var t types.Type
		known := false
		if used != nil {
			if d := used.Parameter(p.Name()); d != nil {
				t, known = d.Type.Type(), true
				if s.declaredSecure(used, p.Name()) {
					t = nil
				}
			}
		}
		if used != nil && used.File() == nil && !s.also[p.Name()] {
			continue // `using none`: those that use the file say what is secure
		}
		if known && s.ofResource(used, p.Name()) {
			s.of(owner).unsure[p.Stmt.ID()] = true
			s.of(owner).hide(p.Stmt.Value)
			s.noteKeys(owner, p.Stmt.Value)
			continue
		}
		if !known || t == nil || unsure(t) || s.also[p.Name()] {
			s.given(owner, p.Stmt)
			s.flow(owner, p.Stmt.Value, "")
			continue
		}
		if types.HasSecrets(t) {
			s.given(owner, p.Stmt)
			s.give(owner, p.Stmt.Value, t, 0)
		}
	}
	for _, stmt := range m.Tree().Stmts {
		if skipped, ok := stmt.(*syntax.Skipped); ok {
			f.masks = append(f.masks, toLineEnd(m.Source(), skipped.Span()))
		}
	}
}

// given notes that a statement gives a secure parameter its value. Text that could not
// be parsed may be a part of the value, so it is hidden to the end of the line.
func (s *Program) given(m *check.Model, stmt *syntax.ParamAssign) {
	f := s.of(m)
	f.given[stmt.ID()] = true
	whole := source.Span{Start: stmt.Name.Span().End, End: stmt.Span().End}
	if m.Source().Slice(stmt.Assign) == "=" { // or it is what stands in its place
		whole.Start = stmt.Assign.End
	}
	for text := m.Source().Text; whole.Start < whole.End && text[whole.Start] == ' '; {
		whole.Start++
	}
	whole = toLineEnd(m.Source(), whole)
	for _, d := range m.File().Diagnostics {
		if d.Span.Start >= whole.Start && d.Span.Start <= whole.End {
			f.masks = append(f.masks, whole)
			return
		}
	}
}

// hideBroken hides the lines on which a statement that holds a secret could not be parsed: what
// was left out is in no node, and may be a part of the secret.
func (f *file) hideBroken() {
	m := f.model
	for _, d := range m.File().Diagnostics {
		var stmt syntax.Stmt
		for _, next := range m.Tree().Stmts {
			if next.Span().Start > d.Span.Start {
				break
			}
			stmt = next
		}
		if stmt == nil || f.given[stmt.ID()] || !f.holdsSecret(stmt) {
			continue
		}
		text := m.Source().Text
		at := source.Span{Start: int32(strings.LastIndexByte(text[:d.Span.Start], '\n') + 1), End: d.Span.End}
		if v, ok := stmt.(*syntax.Var); ok {
			at.Start = max(at.Start, v.Name.Span().End)
		}
		for at.Start < at.End && (text[at.Start] == ' ' || text[at.Start] == '\t') {
			at.Start++
		}
		f.masks = append(f.masks, toLineEnd(m.Source(), at))
	}
}

// holdsSecret reports whether anything in a statement flows into a secure parameter.
func (f *file) holdsSecret(stmt syntax.Stmt) bool {
	found := false
	syntax.Walk(stmt, func(n syntax.Node) bool {
		found = found || f.secure[n.ID()]
		return !found
	})
	return found
}

// toLineEnd returns a span that goes on to the end of its last line.
func toLineEnd(f *source.File, at source.Span) source.Span {
	if i := strings.IndexAny(f.Text[at.End:], "\r\n"); i >= 0 {
		at.End += int32(i)
	} else {
		at.End = int32(len(f.Text))
	}
	return at
}

// template finds what the secure parameters of a template, and of the modules that it
// deploys, get.
func (s *Program) template(f *file) {
	m := f.model
	for _, p := range m.Binding().Params {
		if p.Stmt.Default == nil {
			continue
		}
		switch t := m.DeclaredType(p.Stmt); {
		case decorated(p.Stmt.Decorators):
			s.flow(m, p.Stmt.Default.Value, "")
		case t != nil && types.HasSecrets(t):
			s.give(m, p.Stmt.Default.Value, t, 0)
		}
	}
	for _, module := range m.Binding().Modules {
		body := syntax.Body(module.Stmt.Value)
		if body == nil {
			continue
		}
		given, ok := body.PropertyValue("params").(*syntax.Object)
		template := m.Referenced(module.Stmt)
		if !ok || template == nil {
			continue
		}
		for _, item := range given.Items {
			p, ok := item.(*syntax.Property)
			if !ok {
				continue
			}
			name, _ := p.KeyName()
			d := template.Parameter(name)
			switch {
			case d == nil:
			case s.declaredSecure(template, name):
				s.flow(m, p.Value, "")
			case types.HasSecrets(d.Type.Type()):
				s.give(m, p.Value, d.Type.Type(), 0)
			}
		}
	}
}

// unsure reports whether nothing is known of a type.
func unsure(t types.Type) bool { return t.Kind() == types.KindAny || t.Kind() == types.KindError }

// declaredSecure reports whether a template declares a parameter, or a part of it, as
// secure, whatever its type says: a decorator does not reach a type where it does not
// belong, and that of an ARM template is lost where the values are listed.
func (s *Program) declaredSecure(t check.Signature, name string) bool {
	m, ok := t.(*check.Model)
	if !ok {
		return t.File() != nil && s.secureInARM(t.File().Template, name)
	}
	p := s.param(m, name)
	return p != nil && decorated(p.Decorators)
}

// secureInARM reports whether an ARM template declares a parameter as secure, or by a
// definition that may be. ARM does not look at the case of names.
func (s *Program) secureInARM(template *armjson.Object, name string) bool {
	member := func(o *armjson.Object, name string) armjson.Value {
		if o != nil {
			if v, ok := o.Get(name); ok {
				return v
			}
			for key, v := range o.All() {
				if strings.EqualFold(key, name) {
					return v
				}
			}
		}
		return nil
	}
	parameters, _ := member(template, "parameters").(*armjson.Object)
	p, _ := member(parameters, name).(*armjson.Object)
	if p == nil {
		return false
	}
	t, _ := member(p, "type").(armjson.String)
	if strings.HasPrefix(strings.ToLower(string(t)), "secure") {
		return true
	}
	if member(p, "$ref") == nil {
		return false
	}
	secure, known := s.defines[template]
	if !known {
		definitions := member(template, "definitions")
		secure = definitions != nil && strings.Contains(strings.ToLower(armjson.Text(definitions)), `"secure`)
		s.defines[template] = secure
	}
	return secure
}

// param returns the declaration of a parameter, or nil.
func (s *Program) param(m *check.Model, name string) *syntax.Param {
	byName := s.params[m]
	if byName == nil {
		byName = map[string]*syntax.Param{}
		for _, p := range m.Binding().Params {
			byName[p.Name()] = p.Stmt
		}
		s.params[m] = byName
	}
	return byName[name]
}

// ofResource reports whether a Bicep template takes the type of a parameter from a
// resource type, which does not always say what is a secret.
func (s *Program) ofResource(t check.Signature, name string) bool {
	m, ok := t.(*check.Model)
	if !ok {
		return false
	}
	seen := map[bind.Declared]bool{}
	var derived func(syntax.Node) bool
	derived = func(n syntax.Node) bool {
		found := false
		syntax.Walk(n, func(n syntax.Node) bool {
			_, isCall := n.(*syntax.TypeCall)
			found = found || isCall
			return !found
		})
		for _, d := range m.Binding().References(n) {
			if alias, ok := d.(*bind.TypeAlias); ok && !found && !seen[d] {
				seen[d] = true
				found = derived(alias.Stmt.Value)
			}
		}
		return found
	}
	p := s.param(m, name)
	return p != nil && p.Type != nil && derived(p.Type)
}

// decorated reports whether @secure() is among decorators.
func decorated(list []*syntax.Decorator) bool {
	return slices.ContainsFunc(list, func(d *syntax.Decorator) bool {
		name, _, ok := syntax.CallName(d.Expr)
		return ok && name != nil && name.Name == "secure"
	})
}

// maxParts bounds how deep the parts of a value are followed.
const maxParts = 16

// flowItem follows an item of an object. Its key is a name, but a key in quotes is a text, which may
// be computed from a secret. Items of other kinds are resources, of which no value
// is made.
func (s *Program) flowItem(m *check.Model, item syntax.ObjectItem) {
	f := s.of(m)
	switch item := item.(type) {
	case *syntax.Property:
		switch key := item.Key.(type) {
		case *syntax.Ident:
			f.secure[key.ID()] = true // the property's: its place is one in a secret
		case syntax.Expr:
			s.flow(m, key, "")
			constants(m, key, func(text string) { s.keys[text] = true })
		}
		s.flow(m, item.Value, "")
	case *syntax.Spread:
		s.flow(m, item.X, "")
	}
}

// noteKeys notes the keys below a node that are texts.
func (s *Program) noteKeys(m *check.Model, n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.Property); ok {
			if key, ok := p.Key.(syntax.Expr); ok {
				constants(m, key, func(text string) { s.keys[text] = true })
			}
		}
		return true
	})
}

func (f *file) hide(n syntax.Node) { f.masks = append(f.masks, n.Span()) }

// A route leads into a value: the names of members and the numbers of elements on the
// way, each after a separator. "" is the value itself.
type route string

const (
	separator = "\x00"
	each      = "\x01" // any element or member
	maxRoutes = 64     // into one node's value: more are taken together
)

func (r route) then(next route) route { return r + next }

func step(name string) route { return route(separator + name) }

// cut returns the first step of a route and the rest.
func (r route) cut() (first string, rest route) {
	s := string(r[1:])
	if i := strings.IndexByte(s, separator[0]); i >= 0 {
		return s[:i], route(s[i:])
	}
	return s, ""
}

// meets reports whether one of the two leads to a part of what the other leads to.
func (r route) meets(other route) bool {
	for r != "" && other != "" {
		var a, b string
		a, r = r.cut()
		b, other = other.cut()
		if a != each && b != each && a != b {
			return false
		}
	}
	return true
}

// accessed returns the step that an access makes.
func accessed(x syntax.Expr) (base syntax.Expr, next route, ok bool) {
	switch x := x.(type) {
	case *syntax.PropertyAccess:
		return x.X, step(x.Name.Name), true
	case *syntax.Index:
		switch i := syntax.Unparen(x.Index).(type) {
		case *syntax.String:
			if name, ok := i.Literal(); ok {
				return x.X, step(name), true
			}
		case *syntax.Int:
			if !x.FromEnd {
				return x.X, step(strconv.FormatUint(i.Value, 10)), true
			}
		}
		return x.X, step(each), true
	}
	return nil, "", false
}

// bound cuts routes that are long or many, so that the work is linear in the program.
func (s *Program) bound(k nodeKey, r route) route {
	if r == "" {
		return ""
	}
	if strings.Count(string(r), separator) > maxParts || s.routes[k] > maxRoutes {
		return ""
	}
	return r
}
