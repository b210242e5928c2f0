package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/zip"
)

// TestModuleZip checks that `go install` can fetch the module on every platform: all file
// names are legal on Windows, no two names differ in case only, and no file is too large.
func TestModuleZip(t *testing.T) {
	t.Parallel()
	files, err := zip.CheckDir(filepath.Join("..", ".."))
	require.NoError(t, err)
	require.Empty(t, files.Invalid)
	require.NotEmpty(t, files.Valid)
}

// entries are the files and folders of the repository's root. A test or a build that leaves
// something behind there is noticed.
var entries = []string{
	".ci", ".editorconfig", ".gitattributes", ".github", ".gitignore", ".goreleaser.yaml", ".pre-commit-hooks.yaml",
	"ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "NOTICE", "README.md", "SECURITY.md", "action.yml",
	"cmd", "controller", "docs", "examples", "go.mod", "go.sum", "pkg", "testdata",
}

// largeFiles are the tracked files that may be larger than maxFile, with the reason.
var largeFiles = map[string]string{}

const maxFile = 1 << 20

// trackedFiles returns the files that git tracks.
func trackedFiles(t *testing.T, root string) []string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("not a git checkout")
	}
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	require.NoError(t, err)
	return strings.Split(strings.Trim(string(out), "\x00"), "\x00")
}

// TestTrackedFiles refuses large files in the repository, such as built programs, and files in
// its root that are not known.
func TestTrackedFiles(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	for _, name := range trackedFiles(t, root) {
		top, _, _ := strings.Cut(name, "/")
		assert.True(t, slices.Contains(entries, top), "%s is tracked: remove it, or name it in entries", name)
		info, err := os.Lstat(filepath.Join(root, name))
		if err != nil {
			continue // deleted, and not yet committed
		}
		if _, declared := largeFiles[name]; info.Size() > maxFile && !declared {
			t.Errorf("%s has %d bytes: remove it, or name it in largeFiles with the reason", name, info.Size())
		}
	}
}

// handsOn matches a line that gives rad the names of another command's output.
var handsOn = regexp.MustCompile(`\b(xargs|-exec)\b.*\brad bicep\b(.*)`)

// TestShownCommandsEndOptions holds pages, examples, scripts and help to what docs/ci.md says:
// where names come from elsewhere, -- is before them.
func TestShownCommandsEndOptions(t *testing.T) {
	t.Parallel()
	root, found := filepath.Join("..", ".."), 0
	for _, name := range trackedFiles(t, root) {
		if !prose.MatchString(name) || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // a link, or a deleted file
		}
		for _, m := range handsOn.FindAllSubmatch(text, -1) {
			found++
			assert.Regexp(t, ` --(\W|$)`, string(m[2]), "%s: %s", name, m[0])
		}
	}
	require.NotZero(t, found)
}

// odd are words and turns that readers stumble over. Comments, messages and pages use plain ones.
var odd = []string{
	"whoever", "anew", "lest", "mend", "mends", "mended", "hence", "whilst", "amongst", "albeit", "thereof", "herein", "wherein", "whence", "thence",
	"nought", "naught", "heed", "heeds", "of ours", "in one breath", "come by", "comes by", "came by", "at hand", "put up with", "puts up with",
	"parameters file", "parameters files",
}

// prose are the files whose words are looked at, but for this one.
var prose = regexp.MustCompile(`(\.(go|md|txtar|bicep|sh|ya?ml)|Makefile|run)$`)

// TestWords refuses odd words, and names in Go that hide built-in ones, such as min.
func TestWords(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	for _, name := range trackedFiles(t, root) {
		if !prose.MatchString(name) || strings.HasPrefix(name, "testdata/official/") || strings.HasSuffix(name, "/repository_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // a link, or a deleted file
		}
		lower := bytes.ToLower(text)
		for _, word := range odd {
			for at := indexWord(lower, word, 0); at >= 0; at = indexWord(lower, word, at+1) {
				t.Errorf("%s:%d: say this in plain words: %s", name, 1+bytes.Count(lower[:at], []byte("\n")), word)
			}
		}
		if strings.HasSuffix(name, ".go") {
			refuseHiding(t, name, text)
		}
	}
}

// indexWord returns where a word is in a text, from a place on; -1 if it is not there.
func indexWord(text []byte, word string, from int) int {
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] == '_' || 'a' <= text[i] && text[i] <= 'z')
	}
	for {
		i := bytes.Index(text[from:], []byte(word))
		if i < 0 {
			return -1
		}
		at := from + i
		if !letter(at-1) && !letter(at+len(word)) {
			return at
		}
		from = at + 1
	}
}

// refuseHiding refuses local names of a file that are those of built-in functions and types.
func refuseHiding(t *testing.T, name string, text []byte) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
	require.NoError(t, err)
	check := func(x ast.Node) {
		if id, ok := x.(*ast.Ident); ok && types.Universe.Lookup(id.Name) != nil {
			t.Errorf("%s: the name %s hides the built-in one", files.Position(id.Pos()), id.Name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil {
				check(n.Name)
			}
		case *ast.FuncType:
			for _, list := range []*ast.FieldList{n.Params, n.Results} {
				if list == nil {
					continue
				}
				for _, field := range list.List {
					for _, id := range field.Names {
						check(id)
					}
				}
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if n.Tok == token.DEFINE {
					check(x)
				}
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				check(n.Key)
				check(n.Value)
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				check(id)
			}
		}
		return true
	})
}
