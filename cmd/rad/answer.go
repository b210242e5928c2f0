package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/params"
)

// A command that has --format json prints one JSON object to standard output, whether it
// succeeds or fails. docs/json.md describes it, and `rad bicep schema` prints its schemas.
//
// A command takes part in three steps. Its constructor calls takesFormat. While it runs it
// asks app.wantsJSON, and then gives app.result what it found instead of printing it. When it
// has ended, runAs prints the answer.

// answerVersion is the version of the envelope. It changes when a program that reads the
// present one could be misled.
const answerVersion = 1

// answer is the envelope around a command's result.
type answer struct {
	SchemaVersion int             `json:"schemaVersion" doc:"version of this envelope"`
	Command       string          `json:"command" doc:"the command, without 'rad bicep'"`
	Status        string          `json:"status" enum:"ok,changes,failed,interrupted" doc:"how the run ended; changes stands for exit code 1"`
	ExitCode      int             `json:"exitCode" enum:"0,1,2,3,4,70,130"`
	Findings      []report.Record `json:"findings" doc:"what was found in the source and in the parameters"`
	Error         *problem        `json:"error" doc:"why the command failed; null if it did not"`
	Result        any             `json:"result" doc:"what the command made; null if it made nothing"`
}

// problem says why a command failed.
type problem struct {
	Code      string `json:"code" doc:"stable name of the error"`
	Class     string `json:"class" enum:"usage,source,parameters,files,network,internal"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable" doc:"whether the same command may succeed later without a change"`
}

// The classes of errors.
const (
	classUsage      = "usage"
	classSource     = "source"
	classParameters = "parameters"
	classFiles      = "files"
	classNetwork    = "network"
	classInternal   = "internal"
)

// formatFlag is the name of the flag that chooses the form of a result.
const formatFlag = "format"

// takesFormat gives a command the flag --format. The first form is the default.
func (a *app) takesFormat(c *cobra.Command, forms ...string) {
	f := c.Flags()
	f.StringVar(&a.form, formatFlag, forms[0], "`FORM` of the result: "+orList(forms))
	_ = c.RegisterFlagCompletionFunc(formatFlag, cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoFileComp))
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		if !slices.Contains(forms, a.form) {
			return fail(exitUsage, "--format: want %s, not %q%s", orList(forms), a.form, didYouMean(a.form, forms))
		}
		a.running, a.command = true, c
		return nil
	}
}

// wantsJSON reports whether the result is to be JSON.
func (a *app) wantsJSON() bool { return a.running && a.form == "json" }

// answers reports whether the run ends with an answer in JSON. Where the command line was
// refused before the flags were known, they are looked for in it.
func (a *app) answers(c *cobra.Command, args []string, err error) bool {
	if c == nil || c.Flags().Lookup(formatFlag) == nil {
		return false
	}
	if a.running {
		return a.form == "json"
	}
	if err == nil {
		return false // help was printed
	}
	asked := c.Flags().Lookup(formatFlag).DefValue == "json"
	args = beforeNames(args)
	for i, arg := range args {
		if arg == "--"+formatFlag && i+1 < len(args) {
			asked = args[i+1] == "json"
		} else if v, ok := strings.CutPrefix(arg, "--"+formatFlag+"="); ok {
			asked = v == "json"
		}
	}
	return asked
}

// answer prints the answer of a command, and returns the exit status.
func (a *app) answer(ctx context.Context, c *cobra.Command, status int, err error) int {
	list := a.findings
	printer := report.Printer{Base: a.base}
	out := answer{
		SchemaVersion: answerVersion, Command: commandName(c), Status: "failed", ExitCode: status,
		Findings: printer.Records(list), Result: a.result,
	}
	switch status {
	case exitOK:
		out.Status = "ok"
	case exitStale:
		out.Status = "changes"
	case exitInterrupted:
		out.Status = "interrupted"
	}
	if status != exitOK && status != exitStale {
		out.Error = problemOf(ctx, status, err, list)
	}
	text, err := encodeJSON(out)
	if err == nil {
		_, err = a.stdout.Write(text)
	}
	if err != nil {
		a.tell("Error: %v", err)
		return exitIO
	}
	return status
}

// commandName returns a command as answers name it: without the program.
func commandName(c *cobra.Command) string {
	path := c.CommandPath()
	if name, ok := strings.CutPrefix(path, "rad bicep "); ok {
		return name
	}
	return strings.TrimPrefix(path, "bicep ")
}

// parameterCodes are the codes of findings about values of parameters.
var parameterCodes = []string{params.CodeMissing, params.CodeUnknown, params.CodeCase, params.CodeType, params.CodeConstraint, params.CodeDuplicate, params.CodeSecure, params.CodeExternal, params.CodeFile}

// problemOf says what kind of error ended a run.
func problemOf(ctx context.Context, status int, err error, findings []report.Finding) *problem {
	p := &problem{}
	if err != nil {
		p.Message = errorText(err)
	}
	switch status {
	case exitInterrupted:
		p.Code, p.Class, p.Retryable, p.Message = "interrupted", classInternal, true, "the command was interrupted"
		return p
	case exitBug:
		p.Code, p.Class = "internal-error", classInternal
		return p
	case exitUsage:
		p.Code, p.Class = "usage", classUsage
		return p
	case exitSource:
		p.sourceProblem(findings)
		return p
	}
	p.Code, p.Class = "file", classFiles
	var network *bicep.NetworkError
	var external *bicep.ExternalError
	var outside *source.OutsideError
	var git *gitError
	var refused *bundle.InvalidError
	var silent unanswered
	switch {
	case errors.As(err, &network):
		p.Code, p.Class, p.Retryable = "registry", classNetwork, network.Temporary
	case errors.As(err, &silent):
		p.Code, p.Class, p.Retryable = "registry", classNetwork, true
	case errors.Is(err, bicep.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		p.Code, p.Retryable = "timeout", true
	case errors.As(err, &external):
		p.Code = "external-compiler"
	case errors.As(err, &git):
		p.Code = "git"
	case errors.As(err, &refused):
		p.Code = "bundle"
	case errors.As(err, &outside):
		p.Code = "outside-root"
	case errors.Is(err, fs.ErrNotExist):
		p.Code = "not-found"
	case errors.Is(err, fs.ErrPermission):
		p.Code = "permission-denied"
	}
	return p
}

// unanswered is the error of a run in which registries did not answer, about references.
type unanswered []string

func (u unanswered) Error() string { return "no answer about " + strings.Join(u, ", ") }

// gitError is an error of reading a git repository.
type gitError struct{ err error }

func (e *gitError) Error() string { return e.err.Error() }
func (e *gitError) Unwrap() error { return e.err }

// sourceProblem describes a run that ended with findings that are errors.
func (p *problem) sourceProblem(findings []report.Finding) {
	errs, inParameters, unfetched := 0, 0, 0
	first := ""
	for _, f := range findings {
		if f.Severity != report.Error {
			continue
		}
		if errs++; first == "" {
			first = f.Message
		}
		switch {
		case slices.Contains(parameterCodes, f.Code):
			inParameters++
		case f.Code == "BCP192" || f.Code == "BCP190": // an artifact of a registry is not there
			unfetched++
		}
	}
	p.Code, p.Class = "source", classSource
	switch {
	case errs == 0:
	case inParameters == errs:
		p.Code, p.Class = "parameters", classParameters
	case unfetched == errs:
		p.Code, p.Class, p.Retryable = "restore", classNetwork, true
	}
	if p.Message == "" && errs > 0 {
		if p.Message = first; errs > 1 {
			p.Message = fmt.Sprintf("%s (and %s)", first, plural(errs-1, "more error"))
		}
	}
}

// rawJSON returns a JSON value as a part of an answer.
func rawJSON(v armjson.Value) json.RawMessage { return armjson.Append(nil, v, armjson.Compact) }

// encodeJSON writes a value as JSON that steers neither a terminal nor the log of a CI job.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return plainJSON(b.Bytes()), nil
}

// plainJSON returns a JSON text that steers neither a terminal nor the log of a CI job.
func plainJSON(text []byte) []byte {
	// What is not ASCII is in strings only, and so does ##, which begins a command to
	// what reads the log of a CI job.
	var out []byte
	for _, r := range string(bytes.ReplaceAll(text, []byte("##"), []byte(`#\u0023`))) {
		switch {
		case r < 0x7f:
			out = append(out, byte(r))
		case unicode.IsPrint(r) || unicode.In(r, unicode.Mn, unicode.Mc):
			out = append(out, string(r)...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// slashed returns a path as answers show it.
func slashed(path string) string { return filepath.ToSlash(path) }
