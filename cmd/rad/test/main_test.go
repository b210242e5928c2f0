// Package test runs the program as its users do: by command lines, in this process or in one of their own.
package test

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/cmd/rad/internal/fakebicep"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // the command collects later than Go does, too
	// What the tests find does not depend on what the developer has imported.
	if _, set := os.LookupEnv("RAD_BICEP_AZ_TYPES"); !set {
		os.Setenv("RAD_BICEP_AZ_TYPES", "none")
	}
	if filepath.Base(os.Args[0]) != "rad" { // scripts set what they need
		os.Unsetenv("GITHUB_ACTIONS")
		os.Unsetenv("TF_BUILD")
	}
	if command.CalledAsBicep(os.Args[0]) { // by a link that a test has made
		command.Main()
	}
	testscript.Main(m, scriptPrograms)
}

// scriptPrograms are those that scripts can run.
var scriptPrograms = map[string]func(){"rad": command.Main, "fakebicep": fakebicep.Main}

// pattern compiles a pattern when it is first used: the many processes that tests start are this program, too.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// TestScripts runs the command lines of testdata/script, each in a process of its own.
func TestScripts(t *testing.T) {
	t.Parallel()
	fake := copyOfThisProgram(t, "fakebicep")
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		ContinueOnError:     true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("FAKEBICEP", fake)
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "home", ".config"))
			e.Setenv("GORACE", "atexit_sleep_ms=10") // otherwise each process of a race build waits a second at its end
			// A work tree of its own, so that the root does not depend on where tests run.
			return os.MkdirAll(filepath.Join(e.WorkDir, ".git"), 0o777)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":   status,
			"expand":   fillWork,
			"chomp":    chomp,
			"registry": startRegistry,
			"terminal": onTerminal,
		},
	})
}

// copyOfThisProgram returns the path of a copy of the test program, which TestMain knows by
// its name. The commands on the PATH of a script may be one file with several names, which
// rad would take for itself.
func copyOfThisProgram(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	from, err := os.Open(self)
	require.NoError(t, err)
	defer from.Close()
	path := filepath.Join(t.TempDir(), name)
	// A process that another test forks meanwhile has the file open for a moment, and a file open for writing is not executed.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	require.NoError(t, err)
	_, err = io.Copy(to, from)
	require.NoError(t, err)
	require.NoError(t, to.Close())
	return path
}

// onTerminal runs rad on a terminal, holds it to an exit status, and keeps what is shown in terminal.txt:
// terminal [CODE] rad args... What stdin names is typed. A command that has not ended after two minutes fails the script.
func onTerminal(ts *testscript.TestScript, neg bool, args []string) {
	want := "0"
	if len(args) > 0 && strings.Trim(args[0], "0123456789") == "" {
		want, args = args[0], args[1:]
	}
	status(ts, neg, append([]string{want, "onterminal", "2m", "env", "-u", "CI"}, args...))
	shown := strings.ReplaceAll(ts.ReadFile("stdout"), "\r\n", "\n")
	ts.Check(os.WriteFile(ts.MkAbs("terminal.txt"), []byte(shown), 0o600))
}

// status runs rad and holds it to an exit status: status 2 rad bicep build app.bicep.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: status CODE rad args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if code != args[0] {
		ts.Fatalf("exit status %s, want %s", code, args[0])
	}
}

// fillWork replaces $WORK in files.
func fillWork(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		path := ts.MkAbs(name)
		text := strings.ReplaceAll(ts.ReadFile(name), "$WORK", ts.Getenv("WORK"))
		ts.Check(os.WriteFile(path, []byte(text), 0o666))
	}
}

// chomp takes the last line end off files, which those of an archive always have.
func chomp(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		text := strings.TrimSuffix(ts.ReadFile(name), "\n")
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o666))
	}
}
