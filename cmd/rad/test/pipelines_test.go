package test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// These tests run what examples/ and action.yml show for CI systems, as the systems run it. The
// program is downloaded from a server of the test.

// release is an archive as releases have them. Its program starts the one of this test, which is
// too large to be unpacked for each step.
var release = sync.OnceValues(func() (archive []byte, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	program := []byte("#!/usr/bin/env bash\nexec -a rad '" + self + "' \"$@\"\n")
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "rad", Mode: 0o755, Size: int64(len(program))}); err != nil {
		return nil, err
	}
	if _, err := w.Write(program); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
})

// newReleases serves the archive as every one of release 0.1.0, and their checksums.
func newReleases(t *testing.T) (url, sum string) {
	t.Helper()
	archive, err := release()
	require.NoError(t, err)
	sum = fmt.Sprintf("%x", sha256.Sum256(archive))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Base(r.URL.Path)
		switch {
		case path.Dir(r.URL.Path) != "/v0.1.0":
			http.NotFound(w, r)
		case name == "checksums.txt":
			for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"} {
				fmt.Fprintf(w, "%s  rad_0.1.0_%s.tar.gz\n", sum, platform)
			}
		default:
			w.Write(archive)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, sum
}

// pipeline is a checkout with a branch, of a repository whose main branch has a manifest.
type pipeline struct {
	*testing.T
	dir string
	bin string // has the program under its name
	env map[string]string
}

func newPipeline(t *testing.T) *pipeline {
	t.Helper()
	if testing.Short() || raceEnabled {
		t.Skip("takes seconds, and starts programs only")
	}
	for _, name := range []string{"bash", "curl", "git", "jq", "awk", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed, so the pipeline is not run", name)
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("needs bash of a CI system")
	}
	url, _ := newReleases(t)
	p := &pipeline{T: t, dir: filepath.Join(t.TempDir(), "checkout"), env: map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": t.TempDir(), "RAD_DOWNLOAD_URL": url, "RAD_BICEP_AZ_TYPES": "none", "GIT_CONFIG_NOSYSTEM": "1", "TMPDIR": t.TempDir(),
	}}
	write(t, filepath.Join(p.dir, "app.bicep"), `param tag string

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'app-${tag}'
  properties: { environment: 'e' }
}
extension radius
`)
	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), "targets:\n  - {template: app.bicep, parameters: [tag=v1], outfile: manifests/app.yaml}\n")
	p.bin = t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(p.bin, "rad")))
	p.must("PATH='" + p.bin + "':$PATH rad bicep generate-kubernetes-manifest")
	p.must(`git init -q -b main . && git config user.name t && git config user.email t@example.com && git add . && git commit -q -m start
git clone -q --bare . ../origin.git && git remote add origin ../origin.git && git checkout -q -b topic`)
	return p
}

// bash runs a script and returns its status and what it prints.
func (p *pipeline) bash(script string, env map[string]string) (int, string) {
	p.Helper()
	c := exec.Command("bash", "-c", script)
	c.Dir = p.dir
	for _, m := range []map[string]string{p.env, env} {
		for k, v := range m {
			c.Env = append(c.Env, k+"="+v)
		}
	}
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		p.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(out)
}

func (p *pipeline) must(script string) string {
	p.Helper()
	status, out := p.bash("set -e\n"+script, nil)
	require.Equal(p, 0, status, "%s\n%s", script, out)
	return out
}

// action runs the steps of action.yml, as a runner of GitHub does.
func (p *pipeline) action(inputs map[string]string) (status int, log string) {
	p.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(p, err)
	text, err := os.ReadFile(filepath.Join(root, "action.yml"))
	require.NoError(p, err)
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Using string
			Steps []struct {
				If, Shell, Run string
				Env            map[string]string
			}
		}
	}
	require.NoError(p, yaml.Unmarshal(text, &action))
	require.Equal(p, "composite", action.Runs.Using)
	values := map[string]string{}
	for name, in := range action.Inputs {
		values[name] = in.Default
	}
	for name, value := range inputs {
		require.Contains(p, action.Inputs, name)
		values[name] = value
	}
	expression := regexp.MustCompile(`\$\{\{ inputs\.([a-z-]+) \}\}`)
	conditions := map[string]bool{
		"": true, "${{ inputs.comment == 'true' }}": values["comment"] == "true", "${{ inputs.command != '' }}": values["command"] != "",
	}
	temp := p.TempDir()
	base := map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": root, "GITHUB_PATH": filepath.Join(temp, "path"), "GITHUB_OUTPUT": filepath.Join(temp, "output"),
		"GITHUB_STEP_SUMMARY": filepath.Join(temp, "summary"), "RUNNER_TEMP": temp, "RUNNER_OS": map[string]string{"linux": "Linux", "darwin": "macOS"}[runtime.GOOS], "RUNNER_ARCH": "X64",
	}
	for _, step := range action.Runs.Steps {
		run, known := conditions[step.If]
		require.True(p, known, "a condition that this test does not know: %s", step.If)
		require.Equal(p, "bash", step.Shell)
		require.NotContains(p, step.Run, "inputs.", "an input in a script is code")
		if !run {
			continue
		}
		env := map[string]string{}
		maps.Copy(env, base)
		for k, v := range step.Env {
			env[k] = expression.ReplaceAllStringFunc(v, func(e string) string { return values[expression.FindStringSubmatch(e)[1]] })
		}
		if added, err := os.ReadFile(base["GITHUB_PATH"]); err == nil {
			env["PATH"] = strings.TrimSpace(string(added)) + ":" + p.env["PATH"]
		}
		var out string
		status, out = p.bash("set -eo pipefail\n"+step.Run, env)
		if log += out; status != 0 {
			break
		}
	}
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		if text, err := os.ReadFile(base[name]); err == nil {
			log += name + ":\n" + string(text)
		}
	}
	return status, log
}

func TestGitHubAction(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	status, log := p.action(nil)
	require.Equal(t, 0, status, log)
	require.Contains(t, log, "exit-code=0")
	require.Contains(t, log, "version=0.1.0")

	// A change without its manifest fails, and says so; a mistake is an annotation.
	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), "targets:\n  - {template: app.bicep, parameters: [tag=v2], outfile: manifests/app.yaml}\n")
	status, log = p.action(nil)
	require.Equal(t, 1, status, log)
	require.Contains(t, log, "::error file=manifests/app.yaml,title=stale-manifest::This manifest is not up to date")
	require.Contains(t, log, "exit-code=1")
	write(t, filepath.Join(p.dir, "wrong.bicep"), "param p int = 'x'\noutput o int = p\n")
	status, log = p.action(map[string]string{"arguments": "wrong.bicep --hermetic -o -"})
	require.Equal(t, 2, status, log)
	require.Contains(t, log, "::error file=wrong.bicep,line=1,")

	// Arguments are words: nothing of them is run, and quotes hold blanks together.
	write(t, filepath.Join(p.dir, "words.bicep"), "param text string\noutput o string = text\n")
	status, log = p.action(map[string]string{"working-directory": ".", "arguments": "words.bicep\n  -p \"text=a  $(touch pwned) `touch pwned`; touch pwned\" -o -"})
	require.Equal(t, 0, status, log)
	require.Contains(t, log, "a  $(touch pwned) `touch pwned`; touch pwned")
	require.NoFileExists(t, filepath.Join(p.dir, "pwned"))
	// A quote that is not closed loses no argument: nothing is run, and the job fails.
	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), "targets:\n  - {template: words.bicep, parameters: [text=x], outfile: out.yaml}\n")
	for _, arguments := range []string{"--check --hermetic --name it's", "--name 'it's' --check", `--check "--hermetic`} {
		status, log = p.action(map[string]string{"arguments": arguments})
		require.Equal(t, 3, status, log)
		require.Contains(t, log, "::error::The input arguments has a ")
		require.NotContains(t, log, "exit-code")
		require.NoFileExists(t, filepath.Join(p.dir, "out.yaml"))
	}
	status, log = p.action(map[string]string{"arguments": `words.bicep -p "text=it's" -o -`})
	require.Equal(t, 0, status, log)
	require.Contains(t, log, `"it's"`)
	write(t, filepath.Join(p.dir, "-", "in.bicep"), "output o string = 'in a folder'\n")
	status, log = p.action(map[string]string{"working-directory": "./-", "arguments": "in.bicep -o -"})
	require.Equal(t, 0, status, log)
	require.Contains(t, log, "in a folder")
	// Folders and files may be called anything.
	odd := "-it's \"odd\"\n$(touch pwned)"
	write(t, filepath.Join(p.dir, odd, ".rad", "bicep.yaml"), oddTargets(t, filepath.Join(p.dir, odd)))
	status, log = p.action(map[string]string{"working-directory": odd})
	require.Equal(t, 1, status, log)
	require.Equal(t, len(oddNames), strings.Count(log, "title=stale-manifest::"), log)
	status, log = p.action(map[string]string{"working-directory": odd, "arguments": "--hermetic"})
	require.Equal(t, 0, status, log)
	status, log = p.action(map[string]string{"working-directory": odd})
	require.Equal(t, 0, status, log)
	status, log = p.action(map[string]string{"working-directory": odd, "arguments": "--check -- 'two\nlines.bicep' '-o.bicep' \"it's.bicep\" 'say \"no\".bicep'"})
	require.Equal(t, 0, status, log)
	require.NoFileExists(t, filepath.Join(p.dir, "pwned"))
	status, log = p.action(map[string]string{"command": "version", "arguments": ""})
	require.Equal(t, 0, status, log)
	require.Contains(t, log, "Bicep CLI version")
	_, log = p.action(map[string]string{"command": ""})
	require.NotContains(t, log, "exit-code")

	// The program is pinned.
	_, sum := newReleases(t)
	status, log = p.action(map[string]string{"command": "", "checksum": sum})
	require.Equal(t, 0, status, log)
	status, log = p.action(map[string]string{"command": "", "checksum": " " + strings.ToUpper(sum) + "\n"})
	require.Equal(t, 0, status, log)
	for _, wrong := range []string{"sha256:" + sum, sum[1:], strings.Repeat("z", 64)} {
		status, log = p.action(map[string]string{"command": "", "checksum": wrong})
		require.Equal(t, 1, status, log)
		require.Contains(t, log, "::error::checksum: want a SHA-256 sum, which has 64 hexadecimal digits")
	}
	for _, wrong := range []string{"latest", "", "v", "../x", "1 2"} {
		status, log = p.action(map[string]string{"version": wrong})
		require.Equal(t, 1, status, log)
		require.Contains(t, log, "::error::version: ")
	}
	status, log = p.action(map[string]string{"command": "", "version": "v0.1.0"})
	require.Equal(t, 0, status, log)
	status, log = p.action(map[string]string{"command": "", "checksum": strings.Repeat("0", 64)})
	require.Equal(t, 1, status, log)
	require.Contains(t, log, "::error::rad_0.1.0_")
	require.Contains(t, log, "has the checksum "+sum+", and not 0000")
	status, log = p.action(map[string]string{"version": "9.9.9"})
	require.Equal(t, 1, status, log)
	require.Contains(t, log, "is there a release 9.9.9?")
}

// TestWordsOfArguments holds the action to the rules that words.sh states.
func TestWordsOfArguments(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash")
	}
	const script = `set -euo pipefail
. ../../../.github/action/words.sh
words arguments "$1"
for word in ${list[@]+"${list[@]}"}; do printf '%s\0' "$word"; done`
	split := func(text string) (words []string, failed string) {
		out, err := exec.Command("bash", "-c", script, "bash", text).Output()
		if err != nil {
			return nil, string(out)
		}
		words = strings.Split(string(out), "\x00")
		return words[:len(words)-1], ""
	}
	for text, want := range map[string][]string{
		"":                          {},
		" \t\r\n":                   {},
		"--check --diff":            {"--check", "--diff"},
		"\n  a\r\n\tb\n":            {"a", "b"},
		`"it's" 'say "no"'`:         {"it's", `say "no"`},
		`-p "text=a  b" x'y z'"w"v`: {"-p", "text=a  b", "xy zwv"},
		`'' a="" ""`:                {"", "a=", ""},
		"'a\nb'":                    {"a\nb"},
		`C:\x\ "a\" \'`:             nil,
		`C:\x\ "a\"`:                {`C:\x\`, `a\`},
		"$HOME `id` * ~ # {a,b} !x": {"$HOME", "`id`", "*", "~", "#", "{a,b}", "!x"},
		"[a-z]* %s -n -e":           {"[a-z]*", "%s", "-n", "-e"},
		"é'ü ñ'":                    {"éü ñ"},
		"it's":                      nil,
		`a "b c`:                    nil,
		`'a' 'b" "c`:                nil,
	} {
		words, failed := split(text)
		if want == nil {
			assert.Contains(t, failed, "::error::The input arguments has a ", "%q gives %q", text, words)
			continue
		}
		assert.Empty(t, failed, "%q", text)
		assert.Equal(t, want, words, "%q", text)
	}
}

// comments is GitHub's API, as far as comments of pull request 7 go. The token is one of a job,
// or of the user.
type comments struct {
	sync.Mutex
	list     []map[string]any
	readOnly bool
	user     map[string]any
}

var actionsBot = map[string]any{"login": "github-actions[bot]", "id": 41898282, "type": "Bot"}

func (c *comments) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.Lock()
	defer c.Unlock()
	if r.Header.Get("Authorization") != "Bearer token" {
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	read := func() string {
		var request struct{ Body string }
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || len([]rune(request.Body)) > 65536 {
			http.Error(w, "unprocessable", http.StatusUnprocessableEntity)
		}
		return request.Body
	}
	switch {
	case r.URL.Path == "/user" && c.user != nil:
		json.NewEncoder(w).Encode(c.user)
	case r.URL.Path == "/user", r.Method != http.MethodGet && c.readOnly:
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, `{"message": "Resource not accessible by integration", "status": "403"}`)
	case r.Method == http.MethodGet && r.URL.Path == "/repos/o/r/issues/7/comments":
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		from := min((page-1)*100, len(c.list))
		json.NewEncoder(w).Encode(c.list[from:min(from+100, len(c.list))])
	case r.Method == http.MethodPost && r.URL.Path == "/repos/o/r/issues/7/comments":
		author := c.user
		if author == nil {
			author = actionsBot
		}
		c.list = append(c.list, map[string]any{"id": len(c.list) + 1, "body": read(), "user": author})
		io.WriteString(w, "{}")
	case r.Method == http.MethodPatch && strings.HasPrefix(r.URL.Path, "/repos/o/r/issues/comments/"):
		id, _ := strconv.Atoi(path.Base(r.URL.Path))
		c.list[id-1]["body"] = read()
		io.WriteString(w, "{}")
	default:
		http.NotFound(w, r)
	}
}

func TestGitHubComment(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	const marker = "<!-- rad-bicep-plan . -->"
	stranger := map[string]any{"login": "stranger", "id": 7, "type": "User"}
	api := &comments{}
	for i := range 150 { // more than a page of other comments
		api.list = append(api.list, map[string]any{"id": i + 1, "body": "a comment", "user": stranger})
	}
	// Comments of others that begin as the action's do, also of a user who is gone.
	for i, author := range map[int]any{3: stranger, 5: nil, 110: stranger} {
		api.list[i]["body"], api.list[i]["user"] = marker+"\nkeep this", author
	}
	api.list[7]["body"] = nil
	untouched := func() {
		t.Helper()
		for _, i := range []int{3, 5, 110} {
			require.Equal(t, marker+"\nkeep this", api.list[i]["body"], "the comment of another was edited")
		}
	}
	server := httptest.NewServer(api)
	defer server.Close()
	event := filepath.Join(t.TempDir(), "event.json")
	write(t, event, `{"pull_request": {"number": 7}}`)
	p.env["GITHUB_EVENT_PATH"], p.env["GITHUB_BASE_REF"], p.env["GITHUB_API_URL"], p.env["GITHUB_REPOSITORY"] = event, "main", server.URL, "o/r"
	inputs := map[string]string{"command": "", "comment": "true", "token": "token"}

	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), "targets:\n  - {template: app.bicep, parameters: [tag=v2], outfile: manifests/app.yaml}\n")
	status, log := p.action(inputs)
	require.Equal(t, 0, status, log)
	require.Equal(t, 151, len(api.list), log)
	require.Contains(t, api.list[150]["body"], "app-v2")
	require.Contains(t, log, "GITHUB_STEP_SUMMARY:\n"+marker)
	untouched()

	// The next push updates this comment.
	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), "targets:\n  - {template: app.bicep, parameters: [tag=v3], outfile: manifests/app.yaml}\n")
	status, log = p.action(inputs)
	require.Equal(t, 0, status, log)
	require.Equal(t, 151, len(api.list), log)
	require.Contains(t, api.list[150]["body"], "app-v3")
	require.NotContains(t, api.list[150]["body"], "app-v2")

	// With a personal token, the comment is its user's: neither the bot's nor a stranger's is edited.
	api.user = map[string]any{"login": "me", "id": 70, "type": "User"}
	bots := api.list[150]["body"]
	for range 2 {
		status, log = p.action(inputs)
		require.Equal(t, 0, status, log)
		require.Equal(t, 152, len(api.list), log)
		require.Equal(t, api.user, api.list[151]["user"])
		require.Contains(t, api.list[151]["body"], "app-v3")
	}
	require.Equal(t, bots, api.list[150]["body"])
	untouched()
	api.user, api.list = nil, api.list[:151]
	inputs["comment-arguments"] = "--hermetic it's"
	status, log = p.action(inputs)
	require.Equal(t, 3, status, log)
	require.Contains(t, log, "::error::The input comment-arguments has a ' that is not closed")
	delete(inputs, "comment-arguments")

	// Whatever the arguments are, a parameter file of the pull request reads no variable, and the token is in none.
	for name, arguments := range map[string]string{"GITHUB_REPOSITORY": "app.bicepparam", "TOKEN": "app.bicepparam --allow-env TOKEN"} {
		write(t, filepath.Join(p.dir, "app.bicepparam"), "using 'app.bicep'\nparam tag = readEnvironmentVariable('"+name+"')\n")
		inputs["comment-arguments"] = arguments
		_, log = p.action(inputs)
		require.Contains(t, log, `The environment variable "`+name+`" is not set`, arguments)
	}
	delete(inputs, "comment-arguments")

	// What does not compile is said in the comment, without the words of the repository.
	write(t, filepath.Join(p.dir, "app.bicep"), "param tag string\noutput o int = tag\n")
	status, log = p.action(inputs)
	require.Equal(t, 0, status, log)
	require.Contains(t, api.list[150]["body"], "The plan cannot be made: the source or the parameters have errors.")
	// A setting or a flag that is wrong is told as what it is.
	inputs["comment-arguments"] = "--no-such-flag"
	_, log = p.action(inputs)
	require.Contains(t, log, "unknown flag: --no-such-flag")
	require.Contains(t, api.list[150]["body"], "The plan cannot be made: a setting in `.rad/bicep.yaml` or a flag in `comment-arguments` is wrong.")
	delete(inputs, "comment-arguments")
	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), "target: [\n")
	_, _ = p.action(inputs)
	require.Contains(t, api.list[150]["body"], "a setting in `.rad/bicep.yaml` or a flag in")
	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), "targets:\n  - {template: none.bicep}\n")
	_, _ = p.action(inputs)
	require.Contains(t, api.list[150]["body"], "The plan cannot be made: a file, the revision to compare with, or a registry cannot be read.")

	// The token of a fork may only read: the plan is in the summary.
	api.readOnly = true
	status, log = p.action(inputs)
	require.Equal(t, 0, status, log)
	require.Contains(t, log, "::warning::The plan cannot be written as a comment")

	// A run that is not for a pull request.
	write(t, event, `{}`)
	status, log = p.action(inputs)
	require.Equal(t, 0, status, log)
	require.Contains(t, log, "nothing to comment on")
}

func TestGitLab(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	text, err := os.ReadFile("../../../examples/gitlab/rad-bicep.gitlab-ci.yml")
	require.NoError(t, err)
	type job struct {
		Extends      string
		Script       []string
		BeforeScript []string `json:"before_script"`
	}
	var file struct {
		Variables map[string]string
		Base      job `json:".rad-bicep"`
		Check     job `json:"rad-bicep-check"`
		Plan      job `json:"rad-bicep-plan"`
	}
	require.NoError(t, yaml.Unmarshal(text, &file))
	p.env["GITLAB_CI"], p.env["CI_MERGE_REQUEST_TARGET_BRANCH_NAME"] = "true", "main"
	run := func(j job, variables map[string]string) (int, string) {
		t.Helper()
		require.Equal(t, ".rad-bicep", j.Extends)
		lines := []string{"set -eo pipefail"}
		for _, line := range append(append([]string{}, file.Base.BeforeScript...), j.Script...) {
			if !strings.HasPrefix(line, "apt-get ") { // here, all of it is installed
				lines = append(lines, line)
			}
		}
		env := map[string]string{}
		for _, m := range []map[string]string{file.Variables, variables} {
			maps.Copy(env, m)
		}
		return p.bash(strings.Join(lines, "\n"), env)
	}
	report := func() string {
		text, err := os.ReadFile(filepath.Join(p.dir, "gl-code-quality-report.json"))
		require.NoError(t, err)
		return string(text)
	}

	status, log := run(file.Check, nil)
	require.Equal(t, 0, status, log)
	require.Contains(t, log, "All manifests are up to date.")
	require.JSONEq(t, "[]", report())

	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), "targets:\n  - {template: app.bicep, parameters: [tag=v2], outfile: manifests/app.yaml}\n")
	status, log = run(file.Check, nil)
	require.Equal(t, 1, status, log)
	require.Contains(t, log, "not up to date")
	status, log = run(file.Plan, nil)
	require.Equal(t, 0, status, log)
	require.Contains(t, log, "app-v2")

	write(t, filepath.Join(p.dir, "app.bicep"), "param tag string\noutput o int = tag\n")
	status, log = run(file.Check, nil)
	require.Equal(t, 2, status, log)
	require.Contains(t, log, "app.bicep(2,16) : Error BCP033", "the log is not empty")
	require.Contains(t, report(), `"check_name"`)

	// Files may be called anything.
	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), oddTargets(t, p.dir))
	status, log = run(file.Check, nil)
	require.Equal(t, 1, status, log)
	require.Equal(t, len(oddNames), strings.Count(report(), `"check_name": "stale-manifest"`), report())
	status, log = run(file.Plan, nil)
	require.Equal(t, 0, status, log)
	require.Equal(t, 1, strings.Count(log, `say "no"`), log)
	p.must("PATH='" + p.bin + "':$PATH rad bicep generate-kubernetes-manifest")
	status, log = run(file.Check, nil)
	require.Equal(t, 0, status, log)
	require.JSONEq(t, "[]", report())

	status, log = run(file.Check, map[string]string{"RAD_SHA256": strings.Repeat("0", 64)})
	require.NotEqual(t, 0, status, log)
	require.NotContains(t, log, "up to date")
}

func TestAzurePipelines(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	text, err := os.ReadFile("../../../examples/azure-pipelines/azure-pipelines.yml")
	require.NoError(t, err)
	var file struct {
		Variables map[string]string
		Steps     []struct{ Bash string }
	}
	require.NoError(t, yaml.Unmarshal(text, &file))
	run := func() (status int, log string) {
		env := map[string]string{"TF_BUILD": "True", "AGENT_TOOLSDIRECTORY": t.TempDir(), "SYSTEM_PULLREQUEST_TARGETBRANCH": "refs/heads/main"}
		maps.Copy(env, file.Variables)
		p.must("git fetch -q origin")
		for _, step := range file.Steps {
			if step.Bash == "" {
				continue
			}
			var out string
			if status, out = p.bash(step.Bash, env); status != 0 {
				return status, log + out
			}
			log += out
			if _, added, ok := strings.Cut(out, "##vso[task.prependpath]"); ok {
				env["PATH"] = strings.TrimSpace(added) + ":" + p.env["PATH"]
			}
		}
		return status, log
	}
	status, log := run()
	require.Equal(t, 0, status, log)
	require.Contains(t, log, "no changes", "the plan")
	// Files may be called anything.
	listed, err := os.ReadFile(filepath.Join(p.dir, ".rad", "bicep.yaml"))
	require.NoError(t, err)
	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), oddTargets(t, p.dir))
	status, log = run()
	require.Equal(t, 1, status, log)
	require.Equal(t, len(oddNames), strings.Count(log, "code=stale-manifest;]"), log)
	p.must("PATH='" + p.bin + "':$PATH rad bicep generate-kubernetes-manifest")
	status, log = run()
	require.Equal(t, 0, status, log)
	require.Equal(t, 1, strings.Count(log, `say "no"`), log)
	write(t, filepath.Join(p.dir, ".rad", "bicep.yaml"), string(listed))

	write(t, filepath.Join(p.dir, "app.bicep"), "param tag string\noutput o int = tag\n")
	status, log = run()
	require.Equal(t, 2, status, log)
	require.Contains(t, log, "##vso[task.logissue type=error;sourcepath=app.bicep;linenumber=2;")
}

// TestProblemMatcher runs the tasks of VS Code, and matches what they print as it does.
func TestProblemMatcher(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../examples/devcontainer/.vscode/tasks.json")
	require.NoError(t, err)
	var file struct {
		Tasks []struct {
			Label, Command string
			ProblemMatcher struct {
				Pattern struct {
					Regexp                                      string
					File, Line, Column, Severity, Code, Message int
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &file))
	require.Len(t, file.Tasks, 2)
	dir, sh := workbench(t)
	write(t, filepath.Join(dir, "a (b)", "bad.bicep"), "param port int = 'http'\noutput o int = port\n")
	write(t, filepath.Join(dir, ".rad", "bicep.yaml"), "targets:\n  - template: a (b)/bad.bicep\n")
	for _, task := range file.Tasks {
		_, out := sh(task.Command)
		pattern := task.ProblemMatcher.Pattern
		matched := regexp.MustCompile("(?m)" + pattern.Regexp).FindStringSubmatch(out)
		require.NotNil(t, matched, "%s: %s", task.Label, out)
		name := matched[pattern.File]
		if filepath.IsAbs(name) {
			name, err = filepath.Rel(dir, name)
			require.NoError(t, err)
		}
		require.Equal(t, "a (b)/bad.bicep", filepath.ToSlash(name))
		require.Equal(t, []string{"1", "18", "Error", "BCP033"}, []string{matched[pattern.Line], matched[pattern.Column], matched[pattern.Severity], matched[pattern.Code]})
		require.Contains(t, matched[pattern.Message], "Expected a value of type")
	}
}
