package main

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// Text that comes from elsewhere (names of files, messages of registries, compilers and git, parts of
// templates) can steer a terminal, or be a command for a CI job. So a command writes such text to a
// stream only as the result of a function that escapes it. checkStreams looks at each place that
// mentions a stream, and accepts
//
//   - a write of literals and of what the functions of escapes return, directly or by a variable,
//   - that the stream is given to a function of printers,
//   - a mention in the few functions of mayPrint.
//
// Anything else is a finding: a stream that is put into a variable could be written to anywhere.

// escapes are the functions whose results may be printed as they are, and why.
var escapes = map[string]string{
	"report.Visible":   "escapes",
	"cli.ShowControls": "escapes",
	"ShowControls":     "escapes",
	"cli.UnifiedDiff":  "escapes each line",
	"snapshot.Format":  "escapes each line",
	"plan.Markdown":    "escapes by the rules of Markdown",
	"graph.Text":       "escapes each line",
	"graph.Mermaid":    "escapes by the rules of Mermaid",
	"graph.Dot":        "escapes by the rules of DOT",
	"graph.SVG":        "escapes by the rules of XML",
	"r.text":           "the text of a bundle; escapes each line",
	"cli.ByteCount":    "a number",
	"ByteCount":        "a number",
	"strconv.Itoa":     "a number",
	"len":              "a number",
	"cli.WhichIsWhich": "a text of the program",
	"cli.BicepVersion": "a text of the program",
	"cli.Version":      "a text of the program",
	"runtime.Version":  "a text of the program",
}

// lines is a function whose result is escaped if what it gets is.
const lines = "report.Lines"

// printers are functions that get a stream, and escape what they print, print nothing, or print what is
// not to be escaped.
var printers = map[string]string{
	"Print":             "printers of findings, manifests and tallies escape by the rules of each format",
	"WriteText":         "plan.Plan and the results of bundles escape each line",
	"Page":              "prints a text of the program; its callers say that it is one",
	"cli.Page":          "prints a text of the program; its callers say that it is one",
	"IsTerminal":        "prints nothing",
	"cli.IsTerminal":    "prints nothing",
	"cli.Colors":        "prints nothing",
	"cli.FindingColors": "prints nothing",
	"Colors":            "prints nothing",
	"SetOut":            "cobra prints help, which is ours; the program handles its errors",
	"SetErr":            "cobra prints help, which is ours; the program handles its errors",
}

// mayPrint lists the functions that use streams in another way, by file and name, and why they may.
var mayPrint = map[string]string{
	"cmd/rad/internal/command/jsonrpc.go peer":       "hands the stream to package jsonrpc, which writes JSON for a program",
	"cmd/rad/internal/command/run.go runMain":        "gives the process's streams to the program",
	"cmd/rad/internal/cli/app.go Tell":               "this is where arguments are escaped",
	"cmd/rad/internal/cli/streams.go WriteResult":    "results are not escaped; its callers say that they print one",
	"cmd/rad/internal/cli/radiusrad_other.go become": "gives the process's streams to another program",
	"cmd/rad/internal/cli/report.go NewReporter":     "the printer of findings escapes by the rules of each format",
	"cmd/rad/internal/cli/report.go ToStdout":        "the printer of findings escapes by the rules of each format",
	"cmd/rad/internal/deliver/deliver.go showText":   "texts whose lines are escaped by those who make them",
	"cmd/rad/internal/gittree/gittree.go git":        "a buffer, which is no stream of the process",
}

// checkStreams reports what could write text to a stream that nothing has escaped, and formats that are
// not constant. It notes in used which entries of mayPrint the file needs.
func (s *source) checkStreams(used map[string]bool) {
	constants := map[string]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
			for _, spec := range d.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					constants[name.Name] = true
				}
			}
		}
		return true
	})
	for _, d := range s.file.Decls {
		own := knownTexts(d, constants)
		key, says := s.name, false
		if f, ok := d.(*ast.FuncDecl); ok {
			key += " " + f.Name.Name
			says = f.Name.Name == "Tell" || f.Name.Name == "Say" || f.Name.Name == "Fail" // gets its format from a caller
		}
		var parents []ast.Node
		ast.Inspect(d, func(n ast.Node) bool {
			if n == nil {
				parents = parents[:len(parents)-1]
				return true
			}
			if call, ok := n.(*ast.CallExpr); ok && !says {
				s.checkFormat(call, constants)
			}
			if x, ok := n.(ast.Expr); ok && isStream(x) && !accepted(x, parents, own) {
				if mayPrint[key] != "" {
					used[key] = true
				} else {
					s.report(x,
						"this may write text to a stream that nothing has escaped; use Tell or Say, or write what report.Visible returns")
				}
			}
			parents = append(parents, n)
			return true
		})
	}
}

// talks reports whether a file is of the command, so that people read what it prints: programs of this
// repository for tests and releases are not.
func talks(name string) bool {
	for _, programs := range []string{"fakebicep", "tools"} {
		if strings.HasPrefix(name, "cmd/rad/internal/"+programs+"/") {
			return false
		}
	}
	return strings.HasPrefix(name, "cmd/rad/") && !strings.HasSuffix(name, "_test.go") && !strings.Contains(name, "/testdata/")
}

// isStream reports whether an expression is a stream of the process.
func isStream(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name == "Stdout" || x.Sel.Name == "Stderr"
	case *ast.CallExpr:
		f, ok := x.Fun.(*ast.SelectorExpr)
		return ok && (f.Sel.Name == "OutOrStdout" || f.Sel.Name == "ErrOrStderr" || f.Sel.Name == "OutOrStderr")
	}
	return false
}

// accepted reports whether a mention of a stream is a write of what is escaped, or its use by a printer.
func accepted(stream ast.Expr, parents []ast.Node, known map[string]bool) bool {
	if len(parents) == 0 {
		return false
	}
	call, ok := parents[len(parents)-1].(*ast.CallExpr)
	if !ok || call.Fun == stream {
		return false
	}
	name := nameOf(call.Fun)
	_, method, isMethod := strings.Cut(name, ".")
	switch {
	case strings.HasPrefix(name, "fmt.Fprint") || name == "io.WriteString":
		return call.Args[0] == stream && !slices.ContainsFunc(call.Args[1:], func(a ast.Expr) bool { return !isEscaped(a, known) })
	case printers[name] != "":
		return true
	}
	return isMethod && printers[method[strings.LastIndexByte(method, '.')+1:]] != ""
}

// knownTexts returns the names that stand for nothing but escaped text in a declaration: the constants, and
// the variables that get no other value.
func knownTexts(d ast.Decl, constants map[string]bool) map[string]bool {
	known := maps.Clone(constants)
	values := map[string][]ast.Expr{}
	unknown := map[string]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				name, ok := left.(*ast.Ident)
				switch {
				case !ok:
				case len(n.Lhs) == len(n.Rhs):
					values[name.Name] = append(values[name.Name], n.Rhs[i])
				default:
					unknown[name.Name] = true
				}
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if name, ok := x.(*ast.Ident); ok {
					unknown[name.Name] = true
				}
			}
		case *ast.UnaryExpr: // its address may be given away
			if name, ok := n.X.(*ast.Ident); ok && n.Op == token.AND {
				unknown[name.Name] = true
			}
		case *ast.Field: // parameters and results
			for _, name := range n.Names {
				unknown[name.Name] = true
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) {
					values[name.Name] = append(values[name.Name], n.Values[i])
				}
			}
		}
		return true
	})
	for again := true; again; {
		again = false
		for name, list := range values {
			if !known[name] && !unknown[name] && !slices.ContainsFunc(list, func(x ast.Expr) bool { return !isEscaped(x, known) }) {
				known[name], again = true, true
			}
		}
	}
	for name := range unknown {
		delete(known, name)
	}
	return known
}

// isEscaped reports whether an expression is made of literals, known texts and of what the functions of escapes return.
func isEscaped(x ast.Expr, known map[string]bool) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return known[x.Name]
	case *ast.ParenExpr:
		return isEscaped(x.X, known)
	case *ast.BinaryExpr:
		return isEscaped(x.X, known) && isEscaped(x.Y, known)
	case *ast.CallExpr:
		name := nameOf(x.Fun)
		return escapes[name] != "" || name == lines && len(x.Args) == 1 && isEscaped(x.Args[0], known)
	}
	return false
}

// checkFormat reports a message whose format is not constant: the arguments are escaped, the format is not.
func (s *source) checkFormat(call *ast.CallExpr, constants map[string]bool) {
	name := nameOf(call.Fun)
	at := -1
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Tell", "Say":
		if name == "list.Tell" { // of a ResourceList, whose results are YAML
			return
		}
		at = 0
	case "Fail":
		at = 1
	}
	if at < 0 || at >= len(call.Args) || !strings.Contains(name, ".") && name != "Fail" {
		return
	}
	var isConstant func(x ast.Expr) bool
	isConstant = func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.BasicLit:
			return true
		case *ast.Ident:
			return constants[x.Name]
		case *ast.BinaryExpr:
			return isConstant(x.X) && isConstant(x.Y)
		}
		return false
	}
	if format := call.Args[at]; !isConstant(format) && len(call.Args) > 0 {
		s.report(format,
			"the format of a message is not constant, so a text from elsewhere could be in it unescaped; give it as an argument of %%s")
	}
}

// nameOf returns the name of a function as it is written: a.b.c.
func nameOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if before := nameOf(x.X); before != "" {
			return before + "." + x.Sel.Name
		}
		return "." + x.Sel.Name
	}
	return ""
}

// unusedPrinters reports entries of mayPrint that nothing needs any more.
func unusedPrinters(used map[string]bool) (findings []string) {
	for _, key := range slices.Sorted(maps.Keys(mayPrint)) {
		if !used[key] {
			findings = append(findings, key+": nothing there uses a stream; remove the entry from mayPrint in cmd/rad/internal/tools/lint")
		}
	}
	return findings
}
