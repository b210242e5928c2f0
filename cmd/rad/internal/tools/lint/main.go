// Lint checks rules of this repository that no other linter knows:
//
//	go run ./cmd/rad/internal/tools/lint
//
// It looks at the files that git tracks, and prints a line for each mistake. `make check` runs it.
// What a user would notice is no rule here, but a test.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	findings, err := lint(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(2)
	}
	for _, f := range findings {
		fmt.Println(f)
	}
	if len(findings) > 0 {
		os.Exit(1)
	}
}

// lint returns what is wrong in the work tree of a repository.
func lint(root string) (findings []string, err error) {
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	used := &exceptions{asks: map[string]bool{}, prints: map[string]bool{}}
	sizes := packageSizes{}
	for name := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		path := filepath.Join(root, filepath.FromSlash(name))
		info, err := os.Lstat(path)
		if err != nil {
			continue // the file was deleted, and that is not committed yet
		}
		findings = append(findings, checkSize(name, info.Size())...)
		if !strings.HasSuffix(name, ".go") || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(name, "_test.go") {
			sizes.add(name, text)
		}
		more, err := checkGo(name, text, used)
		if err != nil {
			return nil, err
		}
		findings = append(findings, more...)
	}
	if used.wide > maxWideLines {
		findings = append(findings, fmt.Sprintf("%d lines have more than %d columns, and at most %d may: "+
			"rows of tables, and raw strings", used.wide, maxColumns, maxWideLines))
	}
	return slices.Concat(findings, sizes.findings(), unusedExceptions(used.asks), unusedPrinters(used.prints)), nil
}

// exceptions are the entries of mayAskMachine and of mayPrint that files need, and the number of their wide lines.
type exceptions struct {
	asks, prints map[string]bool
	wide         int
}

// checkGo checks a file of Go. It notes in used which exceptions the file needs.
func checkGo(name string, text []byte, used *exceptions) ([]string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{name: name, files: files, file: file}
	isTest := strings.HasSuffix(name, "_test.go")
	if folder, _, _ := strings.Cut(name, "/"); !isTest && slices.Contains([]string{"cmd", "pkg", "controller"}, folder) {
		s.checkFunctions()
		used.wide += s.checkWidth(text)
	}
	if !isTest && strings.HasPrefix(name, "pkg/") {
		s.checkMachine(used.asks)
	}
	if talks(name) {
		s.checkStreams(used.prints)
	}
	return s.findings, nil
}

const maxFile = 1 << 20

// checkSize reports a tracked file that is large. Large files are most often programs that were built, and they
// stay in the history for ever.
func checkSize(name string, size int64) []string {
	if size <= maxFile {
		return nil
	}
	return []string{fmt.Sprintf("%s: the file has %d bytes, and at most %d are allowed", name, size, maxFile)}
}

// A source is a file of Go that is checked.
type source struct {
	name     string // from the repository's root
	files    *token.FileSet
	file     *ast.File
	findings []string
}

func (s *source) report(n ast.Node, format string, args ...any) {
	s.findings = append(s.findings, fmt.Sprintf("%s: %s", s.files.Position(n.Pos()), fmt.Sprintf(format, args...)))
}
