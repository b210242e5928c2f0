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
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/process"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// External is the official compiler, run as a child process. It refuses a request with Options.
type External struct {
	// Path is its executable.
	Path string
	// Env is the environment that it gets, as in exec.Cmd: nil is that of this process. Where Request.Env is nil, it
	// gets what Env names, and of this process only what programs need to run, such as PATH and HOME.
	Env []string
	// Timeout bounds one run; 0 means no bound.
	Timeout time.Duration
	// RequiredVersion, such as 0.46 or 0.46.1, is what its version must begin with.
	RequiredVersion string
	// BicepVersion is the release that it must be, such as 0.49.2; "" is any. It is what the user asked
	// for as bicepVersion.
	BicepVersion string
	// EndOrphans ends what the compiler has left running even if it has left the
	// compiler's process group (on Linux). It is for programs that start no process
	// groups of their own, since it cannot tell them apart.
	EndOrphans bool

	warned atomic.Bool // that its version is another one
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

// Error names the compiler and the problem.
func (e *ExternalError) Error() string {
	if e.Err != nil && e.Err != ErrTimeout && !errors.Is(e.Err, fs.ErrNotExist) {
		return fmt.Sprintf("external compiler %s: %s: %v", e.Path, e.Problem, e.Err)
	}
	return fmt.Sprintf("external compiler %s: %s", e.Path, e.Problem)
}

// Unwrap returns what caused the error, or nil.
func (e *ExternalError) Unwrap() error { return e.Err }

// UnsupportedError says that an external compiler cannot do what a request asks for.
type UnsupportedError struct{ Field string } // of Options

// Error names the field.
func (e *UnsupportedError) Error() string {
	return "Request." + e.Field + ": an external compiler cannot do that; use Embedded, or leave it out"
}

// forExternal refuses a request that an external compiler cannot fulfil.
func (r *Request) forExternal() error {
	if r.FS == nil {
		return ErrNoFS
	}
	for field, value := range reflect.ValueOf(r.Options).Fields() {
		if !value.IsZero() {
			return &UnsupportedError{Field: field.Name}
		}
	}
	return nil
}

// Limits of what an external compiler may print. More is a fault, not a template.
const (
	maxOutput      = 16 << 20
	maxDiagnostics = 8 << 20
)

// Build compiles a .bicep file.
func (x *External) Build(ctx context.Context, r Request) (*Result, error) {
	if err := r.forExternal(); err != nil {
		return nil, err
	}
	env := x.environment(r)
	out, result, err := x.run(ctx, r, "build", env, func() *compilation { return analyze(ctx, r, env) }, nil)
	if err != nil || !result.OK() || r.DiagnoseOnly {
		return result, err
	}
	return result, x.takeTemplate(ctx, result, out, "build", env)
}

// BuildParams compiles a .bicepparam file.
func (x *External) BuildParams(ctx context.Context, r Request) (*Result, error) {
	if err := r.forExternal(); err != nil {
		return nil, err
	}
	// The request says what is overridden, not the environment that rad runs in.
	env := append(x.environment(r), "BICEP_PARAMETERS_OVERRIDES="+r.Overrides)
	program := sync.OnceValue(func() *compilation { return analyze(ctx, r, env) })
	var answer paramsAnswer
	var invalid error
	out, result, err := x.run(ctx, r, "build-params", env, program, func(out []byte) []Assigned {
		answer, invalid = readParams(out)
		return answer.assigned
	})
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
	if invalid != nil {
		return nil, x.noTemplate("build-params", out, invalid)
	}
	result.Parameters, result.Assigned, result.TemplateSpec = answer.parameters, answer.assigned, answer.templateSpec
	if c := program(); c != nil {
		c.locateAll(result.Assigned)
	}
	if len(answer.template) == 0 {
		return result, x.judgeVersion(ctx, result, env)
	}
	return result, x.takeTemplate(ctx, result, answer.template, "build-params", env)
}

// takeTemplate makes a text that a command printed the template of a result.
func (x *External) takeTemplate(ctx context.Context, result *Result, text []byte, command string, env []string) error {
	tree, err := ParseTemplate(text)
	if err == nil && tree.Find("resources") < 0 && tree.Find("$schema") < 0 {
		err = errors.New("not an ARM template")
	}
	if err != nil {
		return x.noTemplate(command, text, err)
	}
	result.Template, result.tree = text, tree
	return x.judgeVersion(ctx, result, env)
}

// paramsAnswer is what build-params prints.
type paramsAnswer struct {
	parameters   []byte
	assigned     []Assigned
	template     []byte
	templateSpec string
}

func readParams(out []byte) (a paramsAnswer, err error) {
	value, err := armjson.ParseBytes(out, armjson.Options{})
	if err != nil {
		return a, err
	}
	answer, ok := value.(*armjson.Object)
	if !ok {
		return a, errors.New("not an object")
	}
	if answer.Str("parametersJson") == "" {
		return a, errors.New("no parametersJson")
	}
	a.parameters, a.template = []byte(answer.Str("parametersJson")), []byte(answer.Str("templateJson"))
	a.templateSpec = answer.Str("templateSpecId")
	a.assigned, err = readAssigned(a.parameters)
	return a, err
}

// readAssigned returns the parameters in the text of an ARM parameter file that a compiler
// printed.
func readAssigned(text []byte) (list []Assigned, err error) {
	v, err := armjson.ParseBytes(text, armjson.Options{})
	if err != nil {
		return nil, err
	}
	file, ok := v.(*armjson.Object)
	if !ok {
		return nil, errors.New("parametersJson is not an object")
	}
	parameters := file.Object("parameters")
	if parameters == nil {
		return nil, nil
	}
	for name, v := range parameters.All() {
		entry, _ := v.(*armjson.Object)
		a := Assigned{Name: name, Reference: entry.Object("reference")}
		if entry != nil {
			a.Value, _ = entry.Get("value")
			expression, _ := entry.Get("expression")
			s, _ := expression.(armjson.String)
			a.Expression = string(s)
		}
		if a.Value == nil && a.Reference == nil && a.Expression == "" {
			return nil, fmt.Errorf("the parameter %q has no value", name)
		}
		list = append(list, a)
	}
	return list, nil
}

// locateAll is locate for parameters whose names alone are known.
func (c *compilation) locateAll(list []Assigned) {
	assigns := map[string]*bind.ParamAssign{}
	for _, p := range slices.Backward(c.program.Entry().Binding().ParamAssigns) {
		assigns[p.Name()] = p
	}
	for i := range list {
		if p := assigns[list[i].Name]; p != nil {
			c.locate(&list[i], p)
		}
	}
}

// noTemplate is the error for output that no Bicep compiler gives. It tells where the
// output went wrong, not what it holds.
func (x *External) noTemplate(command string, out []byte, err error) error {
	if len(bytes.TrimSpace(out)) == 0 {
		err = errors.New("nothing on its standard output")
	}
	return &ExternalError{x.Path, "does not behave like a Bicep compiler: `" + command + " --stdout` printed no template", err}
}

// run runs one command of the compiler on the file of a request. Its diagnostics are in the
// result, without the secrets of the program and those in the parameters that read finds in
// the output. read may be nil.
func (x *External) run(ctx context.Context, r Request, command string,
	env []string, program func() *compilation, read func(out []byte) []Assigned) ([]byte, *Result, error) {
	args := []string{command, "--stdout"}
	if r.NoRestore {
		args = append(args, "--no-restore")
	}
	if r.Config != "" {
		args = append(args, "--config", r.Config)
	}
	file := r.File
	// A file name must not be taken for an option, nor for a response file, which holds options.
	if strings.HasPrefix(file, "-") || strings.HasPrefix(file, "@") {
		file = "." + string(filepath.Separator) + file
	}
	out, errs, code, err := x.exec(ctx, append(args, file), env)
	if err != nil {
		return nil, nil, err
	}
	result := &Result{Files: []string{file}}
	rest := result.readDiagnostics(r.FS, errs)
	var assigned []Assigned
	if read != nil {
		assigned = read(out)
	}
	if len(errs) > 0 {
		words := program().redactor(assigned)
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
	cmd.Env = env
	cmd.WaitDelay = 2 * time.Second // for pipes that outlive the program
	out := &capped{limit: maxOutput, over: func() { _ = cmd.Cancel() }}
	errs := &capped{limit: maxDiagnostics, over: out.over}
	cmd.Stdout, cmd.Stderr = out, errs
	err = process.Run(cmd, x.EndOrphans)
	switch cause := context.Cause(ctx); {
	case out.full():
		return nil, nil, 0, &ExternalError{x.Path, fmt.Sprintf("stopped, since it printed more than %d MiB", maxOutput>>20), nil}
	case errs.full():
		return nil, nil, 0, &ExternalError{x.Path,
			fmt.Sprintf("stopped, since it printed more than %d MiB on its standard error", maxDiagnostics>>20), nil}
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

// CalledBack reports whether an external compiler that this program runs has run this program, at
// whatever distance. Only on Linux can that be seen.
func CalledBack() bool { return process.CalledBack() }

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
	files := sourceFiles{fsys: fsys, files: map[string]*source.File{}}
	var rest []string
	var skipped []report.Finding
	notices := 0
	for line := range strings.Lines(string(stderr)) {
		line = strings.TrimSpace(stripEscapes(line))
		if line == "" {
			continue
		}
		if f, ok := parseDiagnostic(line); ok {
			if len(r.Findings) == diag.MaxShown {
				skipped = append(skipped, f)
				continue
			}
			f.Line = files.line(f.Path, f.Start.Line)
			if f.Code == diag.BCP081.Code() {
				f.ResourceType = files.stringAt(f.Path, f.Start)
			}
			f.Consequence = r.follows(f)
			r.Findings = append(r.Findings, f)
			continue
		}
		if strings.HasPrefix(strings.ToLower(line), "warning") {
			if notices++; notices <= maxNotices {
				r.Notices = append(r.Notices, line)
			}
			continue
		}
		rest = append(rest, line)
	}
	if len(skipped) > 0 {
		more := skipped[0]
		more.Code, more.URL, more.Severity = "RAD004", "", diag.Warning
		if report.AnyError(skipped) {
			more.Severity = diag.Error
		}
		more.Message = diag.TooManyFindings.At(source.Span{}, len(skipped)).Message()
		r.Findings = append(r.Findings, more)
	}
	if notices > maxNotices {
		r.Notices = append(r.Notices, fmt.Sprintf("Warning: %d more lines of the compiler are not shown", notices-maxNotices))
	}
	if len(rest) > 20 {
		rest = append(rest[:20], "...")
	}
	return strings.Join(rest, "\n")
}

// follows reports whether a finding is a consequence of another one, of which the embedded
// compiler knows it: of a mistake in a type, or of what is missing just before it.
func (r *Result) follows(f report.Finding) bool {
	switch f.Code {
	case "BCP062", "BCP104": // a declaration or a file has errors, which are told there
		return true
	case "BCP012":
		last := len(r.Findings) - 1
		return last >= 0 && r.Findings[last].Code == "BCP354" && r.Findings[last].Path == f.Path && r.Findings[last].Start == f.Start
	case "BCP033", "BCP034", "BCP036":
		// The type that is expected, then that of the value. A value cannot imitate either: what is
		// written in a file comes after the first, and in single quotes.
		_, want, _ := strings.Cut(f.Message, ` of type "`)
		return strings.HasPrefix(want, `error"`) || strings.HasSuffix(f.Message, ` of type "error".`)
	}
	return false
}

// maxNotices bounds the lines of the compiler that are passed on and concern no place.
const maxNotices = 20

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

// sourceFiles reads the files that diagnostics name, each once.
type sourceFiles struct {
	fsys  source.FS
	files map[string]*source.File
	trees map[string]*syntax.File
}

// line returns a line of a file, or "".
func (s *sourceFiles) line(path string, line int) string {
	if f := s.file(path); f != nil {
		return f.Line(line)
	}
	return ""
}

// stringAt returns the string literal that begins at a position in a Bicep file, or "".
func (s *sourceFiles) stringAt(path string, at source.Position) string {
	f := s.file(path)
	if f == nil {
		return ""
	}
	tree := s.trees[path]
	if tree == nil {
		tree, _ = syntax.Parse(f)
		if s.trees == nil {
			s.trees = map[string]*syntax.File{}
		}
		s.trees[path] = tree
	}
	text := ""
	syntax.Walk(tree, func(n syntax.Node) bool {
		if lit, ok := n.(*syntax.String); ok && f.Position(lit.Span().Start) == at {
			text, _ = lit.Literal()
		}
		return text == ""
	})
	return text
}

// file returns a file that a diagnostic names, or nil if it cannot be read.
func (s *sourceFiles) file(path string) *source.File {
	f, ok := s.files[path]
	if !ok && len(s.files) < maxQuoted {
		info, err := s.fsys.Stat(path)
		if err == nil && info.Mode().IsRegular() && info.Size() < 8<<20 {
			if text, err := s.fsys.ReadFile(path); err == nil {
				f = &source.File{Path: path, Text: source.Decode(text, "")}
			}
		}
		s.files[path] = f
	}
	return f
}

// maxQuoted bounds the files that are read to show the lines of diagnostics.
const maxQuoted = 100

// stripEscapes removes the terminal sequences that the compiler colours its
// output with.
func stripEscapes(s string) string {
	if !strings.Contains(s, "\x1b[") {
		return s
	}
	return regexp.MustCompile(`\x1b\[[^\x40-\x7e]*[\x40-\x7e]?`).ReplaceAllString(s, "")
}

// judgeVersion looks at the version that made the template, as the template names
// it, and asks the program itself only where there is none to be read.
func (x *External) judgeVersion(ctx context.Context, result *Result, env []string) error {
	found := ""
	if result.tree != nil {
		found = result.tree.Object("metadata").Object("_generator").Str("version")
	}
	if found == "" && (x.RequiredVersion != "" || x.BicepVersion != "") {
		out, _, _, err := x.exec(ctx, []string{"--version"}, env)
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
			wanted := "requiredVersion is " + x.RequiredVersion
			if x.RequiredVersion == "" {
				wanted = "bicepVersion asks for " + x.BicepVersion
			}
			return &ExternalError{x.Path, "does not tell its version, and " + wanted, nil}
		}
	}
	if x.RequiredVersion != "" && !VersionMatches(found, x.RequiredVersion) {
		return &ExternalError{x.Path, fmt.Sprintf("its version is %s, and requiredVersion is %s", found, x.RequiredVersion), nil}
	}
	if x.BicepVersion != "" && !VersionMatches(found, x.BicepVersion) {
		return &ExternalError{x.Path, fmt.Sprintf("its version is %s, and bicepVersion asks for %s", found, x.BicepVersion), nil}
	}
	if x.RequiredVersion == "" && x.BicepVersion == "" && found != "" &&
		found != "dev" && !VersionMatches(found, release.Default.String()) && !x.warned.Swap(true) {
		result.Notices = append(result.Notices,
			fmt.Sprintf("Warning: the external compiler %s is Bicep %s, not %s: other compilers may give another template",
				x.Path, found, release.Default))
	}
	return nil
}

// VersionMatches reports whether a version is the required one, or refines it: 0.46.1
// matches 0.46.
func VersionMatches(version, prefix string) bool {
	prefix = strings.TrimPrefix(prefix, "v")
	return version == prefix || strings.HasPrefix(version, prefix+".")
}
