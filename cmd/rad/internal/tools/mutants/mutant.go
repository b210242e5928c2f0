package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mutant is a change of one place of a file.
type mutant struct {
	file     string
	text     string // of the file
	from, to int    // what is replaced
	with     string
	line     int
}

// String shows the line before and after the change.
func (m mutant) String() string {
	begin := strings.LastIndexByte(m.text[:m.from], '\n') + 1
	end := m.to
	if i := strings.IndexByte(m.text[m.to:], '\n'); i >= 0 {
		end += i
	}
	before, after := m.text[begin:end], m.text[begin:m.from]+m.with+m.text[m.to:end]
	return fmt.Sprintf("%s:%d\n  - %s\n  + %s", m.file, m.line, strings.TrimSpace(before), strings.TrimSpace(after))
}

// overlay writes the changed file and the description that -overlay takes, and returns where that is.
func (m mutant) overlay(dir string) (string, error) {
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, []byte(m.text[:m.from]+m.with+m.text[m.to:]), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// operators are what takes the place of an operator.
var operators = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*",
	token.INC: "--", token.DEC: "++", token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=",
	token.BREAK: "continue", token.CONTINUE: "break",
}

// mutantsOf returns all changes of a file.
func mutantsOf(path string) ([]mutant, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return mutantsIn(path, string(text))
}

func mutantsIn(path, text string) ([]mutant, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var list []mutant
	add := func(from, to token.Pos, with string) {
		p := set.Position(from)
		list = append(list, mutant{file: path, text: text, from: p.Offset, to: set.Position(to).Offset, with: with, line: p.Line})
	}
	of := func(n ast.Node) string { return text[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset] }
	operator := func(at token.Pos, t token.Token) {
		if with := operators[t]; with != "" {
			add(at, at+token.Pos(len(t.String())), with)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field: // names, types and tags
			return false
		case *ast.BinaryExpr:
			operator(n.OpPos, n.Op)
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.BranchStmt:
			if n.Label == nil {
				operator(n.TokPos, n.Tok)
			}
		case *ast.AssignStmt:
			if operator(n.TokPos, n.Tok); n.Tok == token.ASSIGN {
				add(n.Pos(), n.End(), strings.Repeat("_, ", len(n.Rhs)-1)+"_ = "+text[set.Position(n.Rhs[0].Pos()).Offset:set.Position(n.End()).Offset])
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add(n.OpPos, n.OpPos+1, "")
			}
		case *ast.IfStmt:
			add(n.Cond.Pos(), n.Cond.End(), "!("+of(n.Cond)+")")
		case *ast.ExprStmt: // a call
			add(n.Pos(), n.End(), "")
		case *ast.Ident:
			if n.Name == "true" {
				add(n.Pos(), n.End(), "false")
			} else if n.Name == "false" {
				add(n.Pos(), n.End(), "true")
			}
		case *ast.BasicLit:
			switch n.Kind {
			case token.INT:
				if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
					add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
				}
			case token.STRING:
				if len(n.Value) > 2 {
					add(n.Pos(), n.End(), `""`)
				}
			}
		}
		return true
	})
	return list, nil
}
