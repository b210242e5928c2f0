package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// machine lists what below cmd/rad may ask the machine by itself, and why. Everything
// else reads files through a source.FS and gets the environment from its caller.
var machine = map[string]string{
	"pkg/bicep/source/":                         "source.Disk is the disk",
	"pkg/bicep/registrytest/":                   "for tests",
	"pkg/bicep/internal/casetest/":              "for tests",
	"pkg/bicep/internal/checktest/":             "for tests",
	"pkg/bicep/internal/cache/":                 "writes the cache of artifacts, which is outside of the project",
	"pkg/bicep/internal/registry/":              "writes the cache; reads docker's and Azure's credentials and proxies",
	"pkg/bicep/internal/diag/kinds_generate.go": "a command",
	"pkg/bicep/internal/aztypes/generate/":      "a command",
	"pkg/bicep/internal/recorded/":              "a command",
	"pkg/bicep/internal/aztypes/pack/":          "reads a folder that the user names",
	"pkg/bicep/internal/aztypes/store/":         "the user's cache of libraries",
	"pkg/bicep/internal/azlibrary/azlibrary.go": "a library that the user names, or that of the user's cache",
	"pkg/bicep/artifacts/aztypes_import.go":     "what the user names is put into the user's cache",
	"pkg/bicep/redact.go":                       "the environment that a child process inherits",
	"pkg/bicep/internal/process/run_linux.go":   "the processes that a child process started",
	"pkg/bicep/sourcearchive.go":                "the cache of artifacts",
	"pkg/bicep/artifacts/restore.go":            "looks for the Bicep files beside a lock file",
	"pkg/bicep/internal/config/load.go":         "the home folder, in which the cache lies",
}

var asksMachine = map[string][]string{
	"os":            {"Getenv", "LookupEnv", "Environ", "UserHomeDir", "UserCacheDir", "Getwd", "ReadFile", "Open", "OpenFile", "OpenRoot", "Stat", "Lstat", "ReadDir", "WriteFile", "Create"},
	"path/filepath": {"Glob", "Walk", "WalkDir", "EvalSymlinks"},
}

// Strings that contain a flag of another program.
var othersFlags = regexp.MustCompile(`^kubectl|use kubectl apply --|'az |printed no template`)

var otherPrograms = []string{"pkg/bicep/external.go", "pkg/bicep/internal/registry/azure.go"}

var aFlag = regexp.MustCompile(`(^|[\s'"(=])--[a-z]`)

// TestPackagesKnowNoFlags reads the packages below this command: none of them names a
// flag, and none asks the machine for files or variables but those that are listed.
func TestPackagesKnowNoFlags(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	asked := map[string]bool{}
	err := filepath.WalkDir(filepath.Join(root, "pkg"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		require.NoError(t, err)
		rel = filepath.ToSlash(rel)
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		names := map[string]string{} // of imported packages
		for _, i := range file.Imports {
			p, _ := strconv.Unquote(i.Path.Value)
			names[p[strings.LastIndexByte(p, '/')+1:]] = p
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if n.Kind == token.STRING && err == nil && file.Name.Name != "main" && aFlag.MatchString(text) && !othersFlags.MatchString(text) && !slices.Contains(otherPrograms, rel) {
					t.Errorf("%s: a package names a flag: %s", files.Position(n.Pos()), n.Value)
				}
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok || !slices.Contains(asksMachine[names[x.Name]], n.Sel.Name) {
					return true
				}
				for prefix := range machine {
					if strings.HasPrefix(rel, prefix) {
						asked[prefix] = true
						return true
					}
				}
				t.Errorf("%s: %s.%s asks the machine; use a source.FS, or have the caller say it", files.Position(n.Pos()), x.Name, n.Sel.Name)
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	for prefix, why := range machine {
		assert.False(t, !asked[prefix] && why != "for tests", "%s asks nothing; remove it from the list", prefix)
	}
}
