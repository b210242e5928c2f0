package cli

import (
	"errors"
	"io/fs"
	"net/url"
	"strings"

	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/params"
)

// ProgramError gives an error about a program its exit status, and says what the user can do.
// listed is where the settings list the template, or "".
func ProgramError(err error, listed string) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var list []error
		for _, e := range joined.Unwrap() {
			list = append(list, ProgramError(e, listed))
		}
		return errors.Join(list...)
	}
	switch e := err.(type) {
	case *generate.TemplateError:
		return templateError(e)
	case *params.ReadError:
		return readError(e, listed)
	case *generate.FallbackError:
		f, own := e.Fallback, strings.TrimPrefix(e.By.String(), "--parameters ")
		return Fail(ExitUsage, "%s: %s %s: the target's own %s gives the parameter %q another value; use --parameters %s=…",
			listed, f.Source, f.Value, own, f.Parameter, f.Parameter)
	}
	return FailWith(ExitIO, err)
}

func templateError(e *generate.TemplateError) error {
	switch e.Problem {
	case generate.UsesNone:
		return Fail(ExitUsage, "%w; name one and give this file with --parameters", e)
	case generate.UsesSpec:
		return Fail(ExitSource, "%w; name a template and give this file with --parameters", e)
	case generate.NotFile:
		return Fail(ExitUsage, "%w; name the template, and give this file with --parameters", e)
	case generate.ParameterFile:
		return Fail(ExitSource, "%w; name the template, and give this file with --parameters @%s", e, e.File)
	}
	return FailWith(ExitSource, e)
}

// readError says why what an argument names cannot be read.
func readError(e *params.ReadError, listed string) error {
	a := e.Arg
	switch {
	case a.Kind == params.ArgStdin:
		return Fail(ExitIO, "standard input: %w", e.Err)
	case errors.Is(e.Err, params.ErrNoVariable):
		return Fail(ExitUsage, "--parameters %s=@env:%s: %w. %s", a.Name, a.Value, e.Err, e.Hint)
	case errors.Is(e.Err, fs.ErrNotExist) && !e.Private:
		if IsURL(a.Value) {
			a.Value = Redacted(a.Value)
		}
		place := ""
		if listed != "" {
			place = listed + ": "
		}
		return Missing("%s--parameters %s: there is no such %s%s", place, a.Written(), fileOrURL(e.Arg.Value), Near(e.Arg.Value))
	case e.Private:
		return Fail(ExitIO, "--parameters: parameter %q: %s; a value that begins with @ is written %s=@@…", a.Name, e.Reason(), a.Name)
	}
	return Fail(ExitIO, "--parameters: %w", e.Err)
}

// IsURL reports whether a text is written as a URL.
func IsURL(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && len(scheme) > 1
}

// fileOrURL returns what a message says does not exist: a file. Of a URL it says that none is fetched.
func fileOrURL(name string) string {
	if IsURL(name) {
		return "file, and no URL is fetched; download it first"
	}
	return "file"
}

// Redacted returns a URL without what may be a secret: a password, and the query.
func Redacted(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		scheme, _, _ := strings.Cut(text, "://")
		return scheme + "://…"
	}
	u.RawQuery, u.Fragment = "", ""
	return u.Redacted()
}
