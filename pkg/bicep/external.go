package bicep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// External is the official compiler, run as a child process.
type External struct {
	// Path is its executable.
	Path string
	// Env is the environment that it gets, as in exec.Cmd: nil is that of this process.
	Env []string
	// Timeout bounds one run; 0 means no bound.
	Timeout time.Duration
	// RequiredVersion, such as 0.46 or 0.46.1, is what its version must begin with.
	RequiredVersion string
}

var _ Compiler = (*External)(nil)

// ExternalError says that the external compiler could not do its work: it could
// not be started, took too long, or did not behave like a Bicep compiler.
type ExternalError struct {
	Path    string
	Problem string
	Err     error // ErrTimeout, fs.ErrNotExist where the program is missing, or another cause
}

// ErrTimeout is the Err of an ExternalError for a run that took longer than Timeout.
var ErrTimeout = errors.New("the time is up")

func (e *ExternalError) Error() string {
	if e.Err != nil && e.Err != ErrTimeout && !errors.Is(e.Err, fs.ErrNotExist) {
		return fmt.Sprintf("external compiler %s: %s: %v", e.Path, e.Problem, e.Err)
	}
	return fmt.Sprintf("external compiler %s: %s", e.Path, e.Problem)
}

func (e *ExternalError) Unwrap() error { return e.Err }

// What an external compiler may print. More is a fault, not a template.
const (
	maxOutput      = 16 << 20
	maxDiagnostics = 8 << 20
)

// Build compiles a .bicep file.
func (x *External) Build(ctx context.Context, r Request) (*Result, error) {
	out, result, err := x.run(ctx, r, "build", r.File, nil)
	if err != nil || !result.OK() || r.DiagnoseOnly {
		return result, err
	}
	template, err := x.template(out, "build")
	if err != nil {
		return nil, err
	}
	result.Template = out
	return result, x.judgeVersion(ctx, template, result)
}

// BuildParams compiles a .bicepparam file.
func (x *External) BuildParams(ctx context.Context, r Request) (*Result, error) {
	r.FS = r.files()
	// The request says what is overridden, not the environment that rad runs in.
	env := []string{"BICEP_PARAMETERS_OVERRIDES=" + r.Overrides}
	out, result, err := x.run(ctx, r, "build-params", r.File, env)
	if result != nil {
		result.Using, _ = Using(r.FS, r.File)
		result.hideSecrets(r.FS, result.Using, func(path string) *syntax.File {
			if r.Overrides != "" { // the compiler reads another text than the file's
				return nil
			}
			tree, _ := parseFile(r.FS, path)
			return tree
		})
	}
	if err != nil || !result.OK() || r.DiagnoseOnly {
		return result, err
	}
	value, err := armjson.ParseBytes(out, armjson.Options{})
	if err != nil {
		return nil, x.junk("build-params", out, err)
	}
	answer, ok := value.(*armjson.Object)
	if !ok {
		return nil, x.junk("build-params", out, errors.New("not an object"))
	}
	text := func(name string) string {
		v, _ := answer.Get(name)
		s, _ := v.(armjson.String)
		return string(s)
	}
	if text("parametersJson") == "" {
		return nil, x.junk("build-params", out, errors.New("no parametersJson"))
	}
	result.Parameters = []byte(text("parametersJson"))
	if c := analyze(ctx, r); c != nil {
		result.Secret = c.secretParameters()
	}
	result.TemplateSpec = text("templateSpecId")
	if t := text("templateJson"); t != "" {
		template, err := x.template([]byte(t), "build-params")
		if err != nil {
			return nil, err
		}
		result.Template = []byte(t)
		return result, x.judgeVersion(ctx, template, result)
	}
	return result, x.judgeVersion(ctx, nil, result)
}

// parametersIn returns the parameters in what build-params printed, or nil.
func parametersIn(out []byte) []byte {
	v, err := armjson.ParseBytes(out, armjson.Options{})
	answer, ok := v.(*armjson.Object)
	if err != nil || !ok {
		return nil
	}
	text, _ := answer.Get("parametersJson")
	s, _ := text.(armjson.String)
	return []byte(s)
}

func (x *External) template(text []byte, command string) (*armjson.Object, error) {
	value, err := armjson.ParseBytes(text, armjson.Options{})
	if err != nil {
		return nil, x.junk(command, text, err)
	}
	template, ok := value.(*armjson.Object)
	if !ok || template.Find("resources") < 0 && template.Find("$schema") < 0 {
		return nil, x.junk(command, text, errors.New("not an ARM template"))
	}
	return template, nil
}

// junk is the error for output that no Bicep compiler gives. It tells where the
// output went wrong, not what it holds.
func (x *External) junk(command string, out []byte, err error) error {
	if len(bytes.TrimSpace(out)) == 0 {
		err = errors.New("nothing on its standard output")
	}
	return &ExternalError{x.Path, "does not behave like a Bicep compiler: `" + command + " --stdout` printed no template", err}
}

// run runs one command of the compiler on a file. Its diagnostics are in the result.
func (x *External) run(ctx context.Context, r Request, command, file string, env []string) ([]byte, *Result, error) {
	args := []string{command, "--stdout"}
	if r.NoRestore {
		args = append(args, "--no-restore")
	}
	// A file name must not be taken for an option.
	if strings.HasPrefix(file, "-") {
		file = "." + string(filepath.Separator) + file
	}
	out, errs, code, err := x.exec(ctx, append(args, file), env)
	if err != nil {
		return nil, nil, err
	}
	result := &Result{Files: []string{file}}
	rest := result.readDiagnostics(r.files(), errs)
	if len(errs) > 0 {
		var parameters []byte
		if command == "build-params" {
			parameters = parametersIn(out)
		}
		words := analyze(ctx, r).redactor(parameters)
		words.hide(result)
		rest = words.text(rest)
	}
	if code != 0 && result.OK() {
		problem := fmt.Sprintf("ended with status %d", code)
		if rest != "" {
			return nil, nil, &ExternalError{x.Path, problem, errors.New(rest)}
		}
		return nil, nil, &ExternalError{x.Path, problem + " and said nothing", nil}
	}
	return out, result, nil
}

// exec runs the program and collects what it prints.
func (x *External) exec(ctx context.Context, args, env []string) (stdout, stderr []byte, code int, err error) {
	if x.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, x.Timeout, ErrTimeout)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, x.Path, args...)
	cmd.Env = x.Env
	if len(env) > 0 {
		cmd.Env = append(cmd.Environ(), env...)
	}
	cmd.WaitDelay = 2 * time.Second // for pipes that outlive the program
	out := &capped{limit: maxOutput, over: func() { _ = cmd.Cancel() }}
	errs := &capped{limit: maxDiagnostics, over: out.over}
	cmd.Stdout, cmd.Stderr = out, errs
	err = runWithChildren(cmd)
	switch cause := context.Cause(ctx); {
	case out.full():
		return nil, nil, 0, &ExternalError{x.Path, fmt.Sprintf("stopped, since it printed more than %d MiB", maxOutput>>20), nil}
	case errs.full():
		return nil, nil, 0, &ExternalError{x.Path, fmt.Sprintf("stopped, since it printed more than %d MiB on its standard error", maxDiagnostics>>20), nil}
	case cause == ErrTimeout:
		return nil, nil, 0, &ExternalError{x.Path, fmt.Sprintf("stopped, since it took longer than %s", x.Timeout), ErrTimeout}
	case cause != nil:
		return nil, nil, 0, cause
	}
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return out.Bytes(), errs.Bytes(), cmd.ProcessState.ExitCode(), nil
	case errors.As(err, &exit):
		if exit.ExitCode() < 0 { // by a signal
			return nil, nil, 0, &ExternalError{x.Path, exit.String(), nil}
		}
		return out.Bytes(), errs.Bytes(), exit.ExitCode(), nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, 0, &ExternalError{x.Path, "not found", err}
	}
	return nil, nil, 0, &ExternalError{x.Path, "cannot be run", err}
}

// capped keeps what is written to it, up to a limit.
type capped struct {
	mu     sync.Mutex
	buffer bytes.Buffer
	limit  int
	over   func()
	isFull bool
}

func (c *capped) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buffer.Len()+len(b) > c.limit {
		if !c.isFull {
			c.isFull = true
			c.over()
		}
		return 0, io.ErrShortWrite
	}
	return c.buffer.Write(b)
}

func (c *capped) full() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.isFull
}

func (c *capped) Bytes() []byte { return c.buffer.Bytes() }

// readDiagnostics reads what the compiler wrote on its standard error. Lines that
// are not diagnostics and no warnings are returned.
func (r *Result) readDiagnostics(fsys source.FS, stderr []byte) string {
	files := map[string]*source.File{}
	var rest []string
	for line := range strings.Lines(string(stderr)) {
		line = strings.TrimSpace(stripEscapes(line))
		if line == "" {
			continue
		}
		if f, ok := parseDiagnostic(line); ok {
			f.Line = sourceLine(fsys, files, f.Path, f.Start.Line)
			r.Findings = append(r.Findings, f)
			continue
		}
		if strings.HasPrefix(strings.ToLower(line), "warning") {
			r.Notices = append(r.Notices, line)
			continue
		}
		rest = append(rest, line)
	}
	if len(rest) > 20 {
		rest = append(rest[:20], "...")
	}
	return strings.Join(rest, "\n")
}

// parseDiagnostic reads a line of the form
//
//	<path>(<line>,<column>) : <Error|Warning|Info> <code>: <message>[ [<url>]]
func parseDiagnostic(s string) (report.Finding, bool) {
	var f report.Finding
	for from := 0; ; {
		i := strings.Index(s[from:], ") : ")
		if i < 0 {
			return f, false
		}
		i += from
		from = i + 4
		open := strings.LastIndexByte(s[:i], '(')
		if open < 0 {
			continue
		}
		line, column, ok := strings.Cut(s[open+1:i], ",")
		n, err1 := strconv.Atoi(line)
		c, err2 := strconv.Atoi(column)
		if !ok || err1 != nil || err2 != nil || n < 1 || c < 1 {
			continue
		}
		level, rest, _ := strings.Cut(s[from:], " ")
		code, message, ok := strings.Cut(rest, ": ")
		if !ok || code == "" || strings.ContainsAny(code, " \t") {
			continue
		}
		switch level {
		case "Error":
			f.Severity = diag.Error
		case "Warning":
			f.Severity = diag.Warning
		case "Info":
			f.Severity = diag.Info
		default:
			continue
		}
		if j := strings.LastIndex(message, " [http"); j >= 0 && strings.HasSuffix(message, "]") {
			f.URL = message[j+2 : len(message)-1]
			message = message[:j]
		}
		f.Path, f.Code, f.Message = s[:open], code, message
		f.Start = source.Position{Line: n, Column: c}
		return f, true
	}
}

// sourceLine returns a line of a file that a diagnostic names, or "".
func sourceLine(fsys source.FS, files map[string]*source.File, path string, line int) string {
	f, ok := files[path]
	if !ok && len(files) < maxQuoted {
		info, err := fsys.Stat(path)
		if err == nil && info.Mode().IsRegular() && info.Size() < 8<<20 {
			var text []byte
			if text, err = fsys.ReadFile(path); err != nil {
				text = nil
			}
			f = &source.File{Path: path, Text: source.Decode(text, "")}
		}
		files[path] = f
	}
	if f == nil {
		return ""
	}
	return f.Line(line)
}

// maxQuoted bounds the files that are read to show the lines of diagnostics.
const maxQuoted = 100

// stripEscapes removes the terminal sequences that the compiler colours its
// output with.
func stripEscapes(s string) string {
	if !strings.Contains(s, "\x1b[") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '[' {
			i += 2
			for i < len(s) && (s[i] < 0x40 || s[i] > 0x7e) {
				i++
			}
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// judgeVersion looks at the version that made the template, as the template names
// it, and asks the program itself only where there is none to be read.
func (x *External) judgeVersion(ctx context.Context, template *armjson.Object, result *Result) error {
	found := ""
	if template != nil {
		if generator := template.Object("metadata").Object("_generator"); generator != nil {
			v, _ := generator.Get("version")
			s, _ := v.(armjson.String)
			found = string(s)
		}
	}
	if found == "" && x.RequiredVersion != "" {
		out, _, _, err := x.exec(ctx, []string{"--version"}, nil)
		if err != nil {
			return err
		}
		// Bicep CLI version 0.46.1 (…)
		if _, rest, ok := strings.Cut(string(out), "version "); ok {
			if fields := strings.Fields(rest); len(fields) > 0 {
				found = fields[0]
			}
		}
		if found == "" {
			return &ExternalError{x.Path, "does not tell its version, and requiredVersion is " + x.RequiredVersion, nil}
		}
	}
	if x.RequiredVersion != "" && !VersionMatches(found, x.RequiredVersion) {
		return &ExternalError{x.Path, fmt.Sprintf("its version is %s, and requiredVersion is %s", found, x.RequiredVersion), nil}
	}
	if x.RequiredVersion == "" && found != "" && found != "dev" && !VersionMatches(found, "0.46") {
		result.Notices = append(result.Notices, fmt.Sprintf("Warning: the external compiler %s is Bicep %s, not 0.46: other compilers may give another template", x.Path, found))
	}
	return nil
}

// VersionMatches reports whether a version is the required one, or refines it: 0.46.1
// matches 0.46.
func VersionMatches(version, prefix string) bool {
	prefix = strings.TrimPrefix(prefix, "v")
	return version == prefix || strings.HasPrefix(version, prefix+".")
}
