package test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPages walks through README.md, docs/ and examples/*/README.md, and runs what they show.
// Each page starts in a folder of its own with the files of workbench, in a git repository; the
// page of an example starts in a copy of its folder, and those of fromNothing in an empty folder. An HTML comment directly above a block
// says what to do with it:
//
//	<!-- not run: needs a cluster -->   the reason why it is not run
//	<!-- exits with 1 -->               the exit status that its last command has
//	<!-- file: app.bicep -->            the block is the content of this file
//	<!-- prints -->                     what the commands before have printed
//	<!-- go -->                         a Go program that compiles and runs
//
// Without a comment, a block of the language sh is run, and has to end with status 0. In an
// indented block the lines that begin with "rad " are run, one by one; those with --check or
// --diff may end with status 1. Other commands are in blocks of the language sh.
func TestPages(t *testing.T) {
	t.Parallel()
	if raceEnabled {
		t.Skip("starts programs only, which are slow with the race detector")
	}
	root := filepath.Join("..", "..", "..")
	pages := []string{"README.md", "examples/README.md"}
	for _, pattern := range []string{"docs/*.md", "examples/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		require.NoError(t, err)
		for _, path := range found {
			name, err := filepath.Rel(root, path)
			require.NoError(t, err)
			pages = append(pages, filepath.ToSlash(name))
		}
	}
	for _, page := range pages {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(root, page))
			require.NoError(t, err)
			links(t, page, string(text))
			walk(t, page, string(text))
		})
	}
}

var (
	link   = pattern(`\]\(([^)#:]+)(#[^)]*)?\)`)
	fenced = pattern("(?ms)^```.*?^```") // Go code holds what looks like a link
)

// links checks that what a page refers to in the repository is there.
func links(t *testing.T, page, text string) {
	for _, m := range link().FindAllStringSubmatch(fenced().ReplaceAllString(text, ""), -1) {
		if _, err := os.Stat(filepath.Join("..", "..", "..", filepath.Dir(page), m[1])); err != nil {
			t.Errorf("%s refers to %s, which is not there", page, m[1])
		}
	}
}

// runElsewhere are the comments above blocks that other tests run.
var runElsewhere = map[string]string{
	"sample":      ".ci/run runs it",
	"test":        ".ci/run runs it",
	"walkthrough": "the tests of the controller run it",
	"installs":    "make e2e in controller/ runs it, with the chart of released Radius",
	"examples":    "examples/test runs it, with kustomize, helm and oras",
}

// fromNothing are the pages that start in an empty folder.
var fromNothing = []string{"docs/radius-project.md", "docs/getting-started.md", "docs/ci.md", "docs/concepts.md", "docs/parameters.md", "docs/plan.md"}

func walk(t *testing.T, page, text string) {
	dir, sh := workbench(t)
	empty := slices.Contains(fromNothing, page)
	if empty {
		dir = t.TempDir()
	}
	if folder, ok := strings.CutPrefix(filepath.ToSlash(filepath.Dir(page)), "examples/"); ok {
		dir = filepath.Join(dir, "examples", folder)
		require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "..", "examples", folder))))
	}
	run := func(script string) (int, string) {
		return sh("cd '" + dir + "'\n" + script)
	}
	if !empty {
		status, out := run(`export GIT_CONFIG_NOSYSTEM=1; git init -q . && git config user.name t && git config user.email t@example.com && git add . && git commit -q -m start && git update-ref refs/remotes/origin/main HEAD`)
		require.Equal(t, 0, status, out)
	}
	printed, ran := "", 0
	for _, b := range blocks(text) {
		at := fmt.Sprintf("%s:%d", page, b.line)
		script := strings.Join(b.lines, "\n") + "\n"
		note, argument, _ := strings.Cut(b.note, ": ")
		want, exits := strings.CutPrefix(b.note, "exits with ")
		switch {
		case note == "not run":
			require.NotEmpty(t, strings.TrimSpace(argument), "%s: say why this block is not run", at)
		case runElsewhere[note] != "":
		case note == "file":
			write(t, filepath.Join(dir, argument), script)
		case note == "prints":
			require.Equal(t, strings.TrimSpace(script), strings.TrimSpace(printed), "%s: the commands before print something else", at)
		case note == "go":
			printed = runGo(t, at, dir, script)
		case note != "" && !exits:
			t.Errorf("%s: the comment <!-- %s --> above this block is not one that TestPages knows", at, b.note)
		case b.indented:
			for i, line := range b.lines {
				assert.False(t, otherCommand().MatchString(line), "%s:%d: %s\nThis command is not run. Write a block ```sh, or say above it why it is not run: <!-- not run: why -->", page, b.line+i, line)
				if !strings.HasPrefix(line, "rad ") {
					continue
				}
				status, out := run(line)
				mayDiffer := strings.Contains(line, "--check") || strings.Contains(line, "--diff")
				if ran++; status != 0 && (status != 1 || !mayDiffer) {
					t.Errorf("%s:%d: %s\nstatus %d. Mark the block with <!-- not run: why --> if it cannot work here:\n%s", page, b.line+i, line, status, out)
				}
			}
		case b.language == "sh":
			expected := 0
			if exits {
				var err error
				expected, err = strconv.Atoi(want)
				require.NoError(t, err, at)
			}
			if empty { // set -e passes over what fails before &&
				assert.NotContains(t, script, "&&", "%s: write a line for each command", at)
			}
			status, out := run("set -e\n" + script)
			assert.Equal(t, expected, status, "%s:\n%sstatus %d, want %d. Mark the block with <!-- not run: why --> if it cannot work here:\n%s", at, script, status, expected, out)
			printed, ran = out, ran+1
		case b.language == "" || b.language == "bash" || b.language == "shell" || b.language == "console":
			t.Errorf("%s: name the language of this block: sh for commands, text for output", at)
		}
	}
	t.Logf("%d blocks of commands were run", ran)
}

// mostLines is how long a Go program on a page may be.
const mostLines = 30

// runGo runs a Go program that a page shows in the folder of the page, with the packages of this
// module, and returns what it prints.
func runGo(t *testing.T, at, dir, program string) string {
	assert.LessOrEqual(t, strings.Count(program, "\n"), mostLines, "%s: lines of the program", at)
	if testing.Short() {
		t.Skip("builds Go programs")
	}
	made := t.TempDir()
	file, binary := filepath.Join(made, "main.go"), filepath.Join(made, "main.exe")
	write(t, file, program)
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", binary, file) // linked in half the time
	build.Dir = filepath.Join("..", "..", "..")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s: %s", at, out)
	run := exec.Command(binary)
	run.Dir = dir
	out, err = run.CombinedOutput()
	require.NoError(t, err, "%s: %s", at, out)
	assert.NotEmpty(t, out, "%s: the program prints nothing", at)
	return string(out)
}

// block is a block of code in a Markdown page.
type block struct {
	line     int    // of its first line of code
	note     string // the HTML comment directly above
	language string
	indented bool
	lines    []string
}

// otherCommand matches lines that are a command beside rad.
var otherCommand = pattern(`^(kubectl|make|helm|go|git|cd|curl|docker|bicep|oras|flux|brew|source|export|kustomize|argocd|npm|apt-get) `)

var commentLine = pattern(`^\s*<!-- (.*) -->$`)

// blocks finds the blocks of code of a page, fenced or indented by four blanks.
func blocks(text string) []block {
	var all []block
	var current *block
	fence, note, before := "", "", ""
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, "```") {
				all = append(all, *current)
				current, fence = nil, ""
				break
			}
			current.lines = append(current.lines, strings.TrimPrefix(line, fence[:len(fence)-3]))
		case strings.HasPrefix(trimmed, "```"):
			fence = line[:strings.Index(line, "```")] + "```"
			current = &block{line: i + 2, note: note, language: strings.TrimPrefix(trimmed, "```")}
			note = ""
		case strings.HasPrefix(line, "    ") && (current != nil || before == ""):
			if current == nil {
				current = &block{line: i + 1, note: note, indented: true}
				note = ""
			}
			current.lines = append(current.lines, line[4:])
		case current != nil && trimmed == "": // an empty line within an indented block, or after it
			current.lines = append(current.lines, "")
		default:
			if current != nil {
				all, current = append(all, *current), nil
			}
			if m := commentLine().FindStringSubmatch(line); m != nil {
				note = m[1]
			} else if trimmed != "" {
				note = ""
			}
		}
		before = trimmed
		if commentLine().MatchString(line) {
			before = ""
		}
	}
	if current != nil {
		all = append(all, *current)
	}
	return all
}

func TestBlocksOfAPage(t *testing.T) {
	t.Parallel()
	page := "Text\n\n<!-- not run: no -->\n```sh\na\n\nb\n```\n\n- item\n\n  ```sh\n  c\n  ```\n\ntext:\n\n    rad d\n\n    rad e\n\n<!-- exits with 1 -->\n\n    rad f\ntext\n    not code\n"
	var got []string
	for _, b := range blocks(page) {
		got = append(got, fmt.Sprintf("%d %q %s %v %q", b.line, b.note, b.language, b.indented, strings.TrimSpace(strings.Join(b.lines, "|"))))
	}
	require.Equal(t, []string{
		`5 "not run: no" sh false "a||b"`,
		`13 "" sh false "c"`,
		`18 ""  true "rad d||rad e|"`,
		`24 "exits with 1"  true "rad f"`,
	}, got)
}

// testsBelow returns the names of the tests of a folder and of those below it.
func testsBelow(t *testing.T, folder string) map[string]bool {
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	known := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			known[string(m[1])] = true
		}
		return err
	})
	require.NoError(t, err)
	return known
}

// TestPagesNameTests: a test that a page names, as the comparison in docs/controller.md does, is there.
func TestPagesNameTests(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	known := testsBelow(t, root)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	named := 0
	for _, page := range append(pages, filepath.Join(root, "ARCHITECTURE.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`\b(Test[A-Z]\w+)`).FindAllStringSubmatch(string(text), -1) {
			named++
			assert.True(t, known[m[1]], "%s names %s, and there is no such test", page, m[1])
		}
	}
	assert.Greater(t, named, 50)
}

// TestComparisonNamesTests: in the comparison of the controller with others, each "yes" of ours names a test, and that test is in controller/.
func TestComparisonNamesTests(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	known := testsBelow(t, filepath.Join(root, "controller"))
	text, err := os.ReadFile(filepath.Join(root, "docs", "controller.md"))
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n## Compared with others\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	named := regexp.MustCompile("`(Test\\w+)`")
	rows, yes := 0, 0
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) < 2 {
			continue
		}
		rows++
		if len(cells) != 5 {
			assert.Fail(t, "a row has not five cells", line)
			continue
		}
		ours := strings.TrimSpace(cells[1])
		if !strings.HasPrefix(ours, "yes") {
			continue
		}
		yes++
		tests := named.FindAllStringSubmatch(ours, -1)
		assert.NotEmpty(t, tests, "no test is named: %s", line)
		for _, m := range tests {
			assert.True(t, known[m[1]], "controller/ has no %s: %s", m[1], line)
		}
	}
	assert.Greater(t, yes, 25)
	assert.Greater(t, rows, yes)
}
