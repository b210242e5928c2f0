package plan_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/source"

	"github.com/stretchr/testify/require"
)

// edited is a file system in which one file has another text.
type edited struct {
	source.Disk
	path, text string
}

func (e edited) ReadFile(name string) ([]byte, error) {
	if name == e.path {
		return []byte(e.text), nil
	}
	return e.Disk.ReadFile(name)
}

func (e edited) ReadText(name string) (string, error) {
	b, err := e.ReadFile(name)
	return string(b), err
}

// withText compiles and expands a program with another text in its file; nil if it has errors.
func withText(t testing.TB, path, text string, place expand.Context) *expand.Result {
	t.Helper()
	r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{
		FS: edited{path: path, text: text}, File: path, Options: bicep.Options{Symbolic: true, AzTypes: os.Getenv("RAD_BICEP_AZ_TYPES")}, Env: variables{}})
	require.NoError(t, err)
	if !r.OK() {
		return nil
	}
	tree, err := r.TemplateTree()
	require.NoError(t, err)
	e, err := expand.Expand(tree, expand.Options{Tolerant: true, Graphs: true, Context: place})
	if err != nil {
		return nil
	}
	return e
}

// program is the source of a program, and places in it.
type program struct {
	path, text string
	tree       *syntax.File
	locals     map[string]bool // names of lambda parameters and loop variables
	values     []value         // of properties of resources and modules
}

// value is the value of a property.
type value struct {
	expr   syntax.Expr
	symbol string // of the resource or module
	inside bool   // it is somewhere in `properties`, of a resource that is no child
}

// replacement puts a text in place of a node.
type replacement struct {
	at   source.Span
	text string
}

func readProgram(t testing.TB, path string) *program {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	p := &program{path: path, text: string(b), locals: map[string]bool{}}
	p.tree, _ = syntax.Parse(source.NewFile(path, p.text))
	syntax.Walk(p.tree, func(n syntax.Node) bool {
		if l, ok := n.(*syntax.Local); ok && l.Name != nil {
			p.locals[l.Name.Name] = true
		}
		return true
	})
	for _, s := range p.tree.Stmts {
		switch s := s.(type) {
		case *syntax.Resource:
			p.collect(s.Value, s.Name.Name, true, false)
		case *syntax.Module:
			p.collect(s.Value, s.Name.Name, false, false)
		}
	}
	return p
}

func (p *program) collect(n syntax.Node, symbol string, resource, inside bool) {
	syntax.Children(n, func(c syntax.Node) {
		if _, ok := c.(*syntax.Resource); ok {
			resource = false
		}
		if x, ok := c.(*syntax.Property); ok {
			name, _ := x.KeyName()
			within := inside || resource && name == "properties"
			p.values = append(p.values, value{x.Value, symbol, within && name != "name"})
			p.collect(x, symbol, resource, within)
			return
		}
		p.collect(c, symbol, resource, inside)
	})
}

func (p *program) source(n syntax.Node) string { return p.text[n.Span().Start:n.Span().End] }

// free reports whether no local variable is in an expression.
func (p *program) free(n syntax.Node) bool {
	free := true
	syntax.Walk(n, func(n syntax.Node) bool {
		if v, ok := n.(*syntax.VarRef); ok && p.locals[v.Name.Name] {
			free = false
		}
		return free
	})
	return free
}

// literal returns a string of one line that begins with a letter.
func (p *program) literal(e syntax.Expr) (src string, ok bool) {
	s, ok := e.(*syntax.String)
	if !ok || s.Multiline {
		return "", false
	}
	src = p.source(s)
	return src, len(src) > 3 && src[0] == '\'' && (src[1] >= 'a' && src[1] <= 'z' || src[1] >= 'A' && src[1] <= 'Z')
}

func (p *program) with(list ...replacement) string {
	slices.SortFunc(list, func(a, b replacement) int { return int(a.at.Start) - int(b.at.Start) })
	var b strings.Builder
	at := int32(0)
	for _, r := range list {
		b.WriteString(p.text[at:r.at.Start] + r.text)
		at = r.at.End
	}
	return b.String() + p.text[at:]
}

// uses returns what puts a text in place of each use of a name.
func (p *program) uses(in syntax.Node, name, text string) (list []replacement) {
	syntax.Walk(in, func(n syntax.Node) bool {
		if v, ok := n.(*syntax.VarRef); ok && v.Name.Name == name {
			list = append(list, replacement{v.Span(), text})
		}
		return true
	})
	return list
}

// keeping are edits that keep the deployment. Each calls try with new texts.
var keeping = map[string]func(p *program, try func(text string)){
	"rename": func(p *program, try func(string)) {
		for _, s := range p.tree.Stmts {
			var name *syntax.Ident
			switch s := s.(type) {
			case *syntax.Var:
				name = s.Name
			case *syntax.Resource:
				name = s.Name
			case *syntax.Module:
				name = s.Name
			}
			if name != nil && !p.locals[name.Name] {
				try(p.with(append(p.uses(p.tree, name.Name, name.Name+"Renamed"), replacement{name.Span(), name.Name + "Renamed"})...))
			}
		}
	},
	"reorder": func(p *program, try func(string)) {
		var parts []string
		for _, s := range slices.Backward(p.tree.Stmts) {
			parts = append(parts, p.source(s))
		}
		try(strings.Join(parts, "\n\n") + "\n")
	},
	"extract a variable": func(p *program, try func(string)) {
		for _, v := range p.values {
			if _, isObject := v.expr.(*syntax.Object); !isObject && p.free(v.expr) {
				try(p.with(replacement{v.expr.Span(), "extractedValue"}) + "\nvar extractedValue = " + p.source(v.expr) + "\n")
			}
		}
	},
	"inline a variable": func(p *program, try func(string)) {
		for _, s := range p.tree.Stmts {
			if v, ok := s.(*syntax.Var); ok && !p.locals[v.Name.Name] && p.free(v.Value) {
				try(p.with(p.uses(p.tree, v.Name.Name, "("+p.source(v.Value)+")")...))
			}
		}
	},
	"split a text": func(p *program, try func(string)) {
		for _, v := range p.values {
			if src, ok := p.literal(v.expr); ok {
				try(p.with(replacement{v.expr.Span(), "'${'" + src[1:2] + "'}" + src[2:]}))
				try(p.with(replacement{v.expr.Span(), "format('{0}{1}', '" + src[1:2] + "', '" + src[2:] + ")"}))
				try(p.with(replacement{v.expr.Span(), "concat('" + src[1:2] + "', '" + src[2:] + ")"}))
			}
		}
	},
	"split into a module": func(p *program, try func(string)) {
		var kept, given []string
		for _, s := range p.tree.Stmts {
			switch s := s.(type) {
			case *syntax.Resource, *syntax.Module, *syntax.Output, *syntax.Test, *syntax.Assert:
				continue
			case *syntax.Param:
				given = append(given, s.Name.Name+": "+s.Name.Name)
			}
			kept = append(kept, p.source(s))
		}
		if len(kept) < len(p.tree.Stmts) && !strings.Contains(p.text, "deployment()") { // that of a module has another name
			try(strings.Join(kept, "\n\n") + "\n\nmodule wholeProgram '" + filepath.Base(p.path) + "' = {\n  name: 'whole'\n  params: {\n    " + strings.Join(given, "\n    ") + "\n  }\n}\n")
		}
	},
	"unroll a loop": unroll,
	"add a parameter": func(p *program, try func(string)) {
		for _, v := range p.values {
			if s, ok := v.expr.(*syntax.String); ok && len(s.Segments()) == 1 {
				try(p.with(replacement{v.expr.Span(), "addedParameter"}) + "\nparam addedParameter string = " + p.source(v.expr) + "\n")
			}
		}
	},
	"write a condition in another way": func(p *program, try func(string)) {
		syntax.Walk(p.tree, func(n syntax.Node) bool {
			if x, ok := n.(*syntax.If); ok {
				for _, form := range []string{"(!(!(%s)))", "((%s) && true)", "((%s) == true)", "((%s) ? true : false)"} {
					try(p.with(replacement{x.Cond.Span(), fmt.Sprintf(form, p.source(x.Cond))}))
				}
			}
			return true
		})
	},
}

// unroll writes a resource for each round of a loop over what is written there.
func unroll(p *program, try func(string)) {
	for _, s := range p.tree.Stmts {
		r, ok := s.(*syntax.Resource)
		if !ok || r.Span().Start != r.KeywordSpan().Start || len(p.uses(p.tree, r.Name.Name, "")) > 0 {
			continue
		}
		loop, ok := r.Value.(*syntax.For)
		if !ok {
			continue
		}
		items := p.items(loop.X)
		vars, ok := loop.Vars.(*syntax.ForVars)
		if _, isObject := loop.Body.(*syntax.Object); !ok || !isObject || len(items) == 0 {
			continue
		}
		var parts []string
		for i, item := range items {
			uses := p.uses(loop.Body, vars.Item.Name.Name, "("+item+")")
			if vars.Index != nil {
				uses = append(uses, p.uses(loop.Body, vars.Index.Name.Name, fmt.Sprint(i))...)
			}
			end := len(p.text) - int(loop.Body.Span().End)
			whole := p.with(uses...)
			parts = append(parts, fmt.Sprintf("resource %s%d %s = %s", r.Name.Name, i, p.source(r.Type), whole[loop.Body.Span().Start:len(whole)-end]))
		}
		try(p.with(replacement{r.Span(), strings.Join(parts, "\n\n")}))
	}
}

// items returns the sources of what a loop goes through, if they are written in the program.
func (p *program) items(x syntax.Expr) (list []string) {
	switch x := x.(type) {
	case *syntax.Array:
		for _, item := range x.Items {
			list = append(list, p.source(item))
		}
	case *syntax.VarRef:
		for _, s := range p.tree.Stmts {
			if v, ok := s.(*syntax.Var); ok && v.Name.Name == x.Name.Name {
				return p.items(v.Value)
			}
		}
	case *syntax.Call:
		if len(x.Args) != 2 || x.Name.Name != "range" {
			return nil
		}
		first, ok := x.Args[0].(*syntax.Int)
		n, ok2 := x.Args[1].(*syntax.Int)
		for i := uint64(0); ok && ok2 && i < min(n.Value, 5); i++ {
			list = append(list, fmt.Sprint(first.Value+i))
		}
		if ok2 && n.Value > 5 {
			return nil
		}
	}
	return list
}

// mostEdits is how many edits of a kind are made in a program.
const mostEdits = 4

// some calls f with a few of the texts that an edit makes, from all over the program.
func some(p *program, edit func(*program, func(string)), f func(text string)) {
	var all []string
	edit(p, func(text string) { all = append(all, text) })
	step := max(1, len(all)/mostEdits)
	for i := 0; i < len(all); i += step {
		if all[i] != p.text {
			f(all[i])
		}
	}
}

// TestEdits plans programs against themselves after edits that keep the deployment, and after edits that change
// one property of one resource. No parameter has a value; more or less is known of where the deployment goes. RAD_EDITS names a folder with more programs; RAD_EDITS_MOST is how
// many of them are taken, from all over it:
//
//	make plan-edits REPO=/path/to/bicep-registry-modules
func TestEdits(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../testdata/*/*.bicep")
	require.NoError(t, err)
	least := map[string]int{}
	for name := range keeping {
		least[name] = 5
	}
	least["unroll a loop"] = 0
	if dir := os.Getenv("RAD_EDITS"); dir != "" {
		files = nil
		require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".bicep" && d.Type().IsRegular() {
				files = append(files, path)
			}
			return err
		}))
	}
	most := len(files)
	if testing.Short() {
		most, least = 10, nil
	}
	if n := os.Getenv("RAD_EDITS_MOST"); n != "" {
		_, err := fmt.Sscan(n, &most)
		require.NoError(t, err)
	}
	places := []expand.Context{{}, {ResourceGroup: "group"}, {SubscriptionID: "00000000-0000-0000-0000-000000000001", ResourceGroup: "group"}}
	count, programs, resources := map[string]int{}, 0, 0
	for i := 0; i < len(files) && programs < most; i++ {
		path, err := filepath.Abs(files[i*7919%len(files)]) // 7919 is prime: any order, but the same each time
		require.NoError(t, err)
		p := readProgram(t, path)
		place := places[programs%len(places)]
		before := withText(t, path, p.text, place)
		if before == nil || len(before.Resources) == 0 {
			continue
		}
		programs++
		resources += len(before.Resources)
		for name, edit := range keeping {
			some(p, edit, func(text string) {
				var after *expand.Result
				if name == "split into a module" {
					after = withWrapper(t, path, text, place)
				} else {
					after = withText(t, path, text, place)
				}
				if after == nil {
					return
				}
				count[name]++
				c := plan.Compare(before, after)
				if c.Outputs = nil; !c.Empty() {
					t.Errorf("%s, %s: %s\n%s", path, name, clip(armjson.Text(c.JSON(nil)), 3000), difference(p.text, text))
				}
			})
		}
		count["change a property"] += changes(t, p, before, place)
	}
	t.Logf("%d programs with %d resources, edits: %v", programs, resources, count)
	if os.Getenv("RAD_EDITS") == "" {
		for name, n := range least {
			require.GreaterOrEqual(t, count[name], n, name)
		}
	}
	require.Greater(t, count["change a property"], 10)
}

// withWrapper is withText for a program that has another as its module.
func withWrapper(t testing.TB, path, text string, place expand.Context) *expand.Result {
	t.Helper()
	return withText(t, filepath.Join(filepath.Dir(path), "wrapper-of-the-program.bicep"), text, place)
}

// changes changes a text in a resource here and there. The plan names that resource and no other.
func changes(t testing.TB, p *program, before *expand.Result, place expand.Context) (count int) {
	t.Helper()
	var list []value
	for _, v := range p.values {
		if s, ok := v.expr.(*syntax.String); ok && v.inside && len(s.Segments()) == 1 && !s.Multiline {
			list = append(list, v)
		}
	}
	step := max(1, len(list)/mostEdits)
	for i := 0; i < len(list); i += step {
		v := list[i]
		src := p.source(v.expr)
		after := withText(t, p.path, p.with(replacement{v.expr.Span(), src[:len(src)-1] + "-changed'"}), place)
		if after == nil {
			continue
		}
		c := plan.Compare(before, after)
		named, others := 0, 0
		for _, i := range c.Items {
			symbol, _, _ := strings.Cut(i.Resource.Symbol, "[")
			switch {
			case i.Action == plan.Unchanged:
			case symbol == v.symbol && (i.Action == plan.Update || i.Action == plan.Unknown):
				named++
			default:
				others++
			}
		}
		deployed := slices.ContainsFunc(before.Resources, func(r *expand.Resource) bool {
			symbol, _, _ := strings.Cut(r.Symbol, "[")
			return symbol == v.symbol && !r.Existing && strings.Contains(armjson.Text(expand.Printable(r.Body)), src[1:len(src)-1])
		})
		if !deployed {
			continue
		}
		count++
		if others > 0 || named == 0 {
			t.Errorf("%s: %s of %s changes, and the plan says %s", p.path, src, v.symbol, clip(armjson.Text(c.JSON(nil)), 3000))
		}
	}
	return count
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}

// difference returns where two texts differ.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return "at: " + clip(b[max(0, i-40):], 300)
}
