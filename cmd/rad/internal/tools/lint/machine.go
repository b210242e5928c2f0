package main

import (
	"go/ast"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// mayAskMachine lists which files and folders below pkg may use the functions of asksMachine, and why.
// All others read files through a source.FS and get the environment from their callers.
var mayAskMachine = map[string]string{
	"pkg/bicep/source/":                         "source.Disk is the disk",
	"pkg/bicep/internal/casetest/":              "for tests",
	"pkg/bicep/internal/cache/":                 "writes the cache of artifacts, which is outside of the project",
	"pkg/bicep/internal/registry/":              "writes the cache; reads docker's and Azure's credentials and proxies",
	"pkg/bicep/internal/diag/kinds_generate.go": "a command",
	"pkg/bicep/internal/aztypes/generate/":      "a command",
	"pkg/bicep/internal/recorded/":              "a command",
	"pkg/bicep/internal/aztypes/pack/":          "reads a folder that the user names",
	"pkg/bicep/internal/aztypes/store/":         "the user's cache of libraries",
	"pkg/bicep/internal/azlibrary/":             "a library that the user names, or that of the user's cache",
	"pkg/bicep/artifacts/aztypes_import.go":     "what the user names is put into the user's cache",
	"pkg/bicep/redact.go":                       "the environment that a child process inherits",
	"pkg/bicep/internal/process/":               "the processes that a child process started",
	"pkg/bicep/sourcearchive.go":                "the cache of artifacts",
	"pkg/bicep/artifacts/restore.go":            "looks for the Bicep files beside a lock file",
	"pkg/bicep/internal/config/load.go":         "the home folder, in which the cache lies",
}

// asksMachine lists functions that read files or the environment, by their packages.
var asksMachine = map[string][]string{
	"os": {"Getenv", "LookupEnv", "Environ", "UserHomeDir",
		"UserCacheDir", "Getwd", "ReadFile", "Open", "OpenFile", "OpenRoot", "Stat", "Lstat", "ReadDir", "WriteFile", "Create"},
	"path/filepath": {"Glob", "Walk", "WalkDir", "EvalSymlinks"},
}

// checkMachine reports calls of the functions of asksMachine, but where mayAskMachine allows them.
func (s *source) checkMachine(asks map[string]bool) {
	imported := map[string]string{} // paths of packages, by the names that they have in the file
	for _, i := range s.file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		imported[name] = path
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := selector.X.(*ast.Ident)
		if !ok || !slices.Contains(asksMachine[imported[x.Name]], selector.Sel.Name) {
			return true
		}
		for prefix := range mayAskMachine {
			if strings.HasPrefix(s.name, prefix) {
				asks[prefix] = true
				return true
			}
		}
		s.report(selector, "a library asks the machine by %s.%s; use a source.FS, or let the caller give the value",
			x.Name, selector.Sel.Name)
		return true
	})
}

// unusedExceptions reports entries of mayAskMachine that nothing needs any more.
func unusedExceptions(asks map[string]bool) (findings []string) {
	for _, prefix := range slices.Sorted(maps.Keys(mayAskMachine)) {
		if !asks[prefix] {
			findings = append(findings,
				prefix+": nothing here asks the machine; remove the entry from mayAskMachine in cmd/rad/internal/tools/lint")
		}
	}
	return findings
}
