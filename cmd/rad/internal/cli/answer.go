package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

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

// AnswerVersion is the version of the envelope. It changes when a program that reads the
// present one could be misled.
const AnswerVersion = 1

// Answer is the envelope around a command's result.
type Answer struct {
	SchemaVersion int             `json:"schemaVersion" doc:"version of this envelope"`
	Command       string          `json:"command" doc:"the command, without 'rad bicep'"`
	Status        string          `json:"status" enum:"ok,changes,failed,interrupted" doc:"how the run ended; changes stands for exit code 1"`
	ExitCode      int             `json:"exitCode" enum:"0,1,2,3,4,70,130"`
	Findings      []report.Record `json:"findings" doc:"what was found in the source and in the parameters"`
	Error         *Problem        `json:"error" doc:"why the command failed; null if it did not"`
	Result        any             `json:"result" doc:"what the command made; null if it made nothing"`
}

// Problem says why a command failed.
type Problem struct {
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

// FormatFlag is the name of the flag that chooses the form of a result.
const FormatFlag = "format"

// TakesFormat gives a command the flag --format. The first form is the default.
func (a *App) TakesFormat(c *cobra.Command, forms ...string) {
	f := c.Flags()
	f.StringVar(&a.Form, FormatFlag, forms[0], "`FORM` of the result: "+OrList(forms))
	a.CompleteFlag(c, FormatFlag, cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoFileComp))
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		if !slices.Contains(forms, a.Form) {
			return Fail(ExitUsage, "--format: want %s, not %q%s", OrList(forms), a.Form, DidYouMean(a.Form, forms))
		}
		a.running, a.Command = true, c
		return nil
	}
}

// WantsJSON reports whether the result is to be JSON.
func (a *App) WantsJSON() bool { return a.running && a.Form == "json" }

// Answers reports whether the run ends with an answer in JSON. Where the command line was
// refused before the flags were known, they are looked for in it.
func (a *App) Answers(c *cobra.Command, args []string, err error) bool {
	if c == nil || c.Flags().Lookup(FormatFlag) == nil {
		return false
	}
	if a.running {
		return a.Form == "json"
	}
	if err == nil {
		return false // help was printed
	}
	asked := c.Flags().Lookup(FormatFlag).DefValue == "json"
	args = beforeNames(args)
	for i, arg := range args {
		if arg == "--"+FormatFlag && i+1 < len(args) {
			asked = args[i+1] == "json"
		} else if v, ok := strings.CutPrefix(arg, "--"+FormatFlag+"="); ok {
			asked = v == "json"
		}
	}
	return asked
}

// Answer prints the answer of a command, and returns the exit status.
func (a *App) Answer(ctx context.Context, c *cobra.Command, status int, err error) int {
	printer := report.Printer{Base: a.base}
	list := printer.Worded(a.findings)
	out := Answer{
		SchemaVersion: AnswerVersion, Command: CommandName(c), Status: "failed", ExitCode: status,
		Findings: printer.Records(list), Result: a.Result,
	}
	switch status {
	case ExitOK:
		out.Status = "ok"
	case ExitStale:
		out.Status = "changes"
	case ExitInterrupted:
		out.Status = "interrupted"
	}
	if status != ExitOK && status != ExitStale {
		out.Error = problemOf(ctx, status, err, list)
	}
	text, err := report.EncodeJSON(out)
	if err == nil {
		err = a.WriteResult(text)
	}
	if err != nil {
		a.Tell("Error: %v", err)
		return ExitIO
	}
	return status
}

// CommandName returns a command as answers name it: without the program.
func CommandName(c *cobra.Command) string {
	path := c.CommandPath()
	if name, ok := strings.CutPrefix(path, "rad bicep "); ok {
		return name
	}
	return strings.TrimPrefix(path, "bicep ")
}

// ParameterCodes are the codes of findings about values of parameters.
var ParameterCodes = []string{params.CodeMissing, params.CodeUnknown,
	params.CodeCase, params.CodeType, params.CodeConstraint, params.CodeDuplicate, params.CodeSecure, params.CodeExternal, params.CodeFile}

// problemOf says what kind of error ended a run.
func problemOf(ctx context.Context, status int, err error, findings []report.Finding) *Problem {
	p := &Problem{}
	if err != nil {
		p.Message = ErrorText(err)
	}
	switch status {
	case ExitInterrupted:
		p.Code, p.Class, p.Retryable, p.Message = "interrupted", classInternal, true, "the command was interrupted"
		return p
	case ExitBug:
		p.Code, p.Class = "internal-error", classInternal
		return p
	case ExitUsage:
		p.Code, p.Class = "usage", classUsage
		return p
	case ExitSource:
		p.sourceProblem(findings)
		return p
	}
	p.Code, p.Class = "file", classFiles
	var network *report.NetworkError
	var external *bicep.ExternalError
	var outside *source.OutsideError
	var git *GitError
	var refused *bundle.InvalidError
	var silent Unanswered
	var late *TimeLimitError
	switch {
	case errors.As(err, &late), errors.As(context.Cause(ctx), &late):
		p.Code, p.Message = "timeout", late.Error()
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

// Unanswered is the error of a run in which registries did not answer, about references.
type Unanswered []string

func (u Unanswered) Error() string { return "no answer about " + strings.Join(u, ", ") }

// GitError is an error of reading a git repository.
type GitError struct{ Err error }

func (e *GitError) Error() string { return e.Err.Error() }
func (e *GitError) Unwrap() error { return e.Err }

// sourceProblem describes a run that ended with findings that are errors.
func (p *Problem) sourceProblem(findings []report.Finding) {
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
		case slices.Contains(ParameterCodes, f.Code):
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
			p.Message = fmt.Sprintf("%s (and %s)", first, Plural(errs-1, "more error"))
		}
	}
}

// RawJSON returns a JSON value as a part of an answer.
func RawJSON(v armjson.Value) json.RawMessage { return armjson.Append(nil, v, armjson.Compact) }
