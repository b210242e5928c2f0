package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// remedy returns what a user can do about an error, as the end of its message; "" if
// there is nothing to say. The packages below do not know the flags of the commands.
func remedy(err error) string {
	var outside *source.OutsideError
	var external *bicep.ExternalError
	switch {
	case err == nil:
	case errors.As(err, &outside) && outside.Link:
		return "replace the link by the file, or name a wider root with --root"
	case errors.As(err, &outside):
		return "name a wider root with --root"
	case errors.As(err, &external) && errors.Is(err, bicep.ErrTimeout):
		return "--timeout allows more"
	case errors.As(err, &external) && errors.Is(err, fs.ErrNotExist):
		return "--compiler embedded needs none"
	}
	return ""
}

// missingError is an error about a file that does not exist.
type missingError struct{ text string }

func (e *missingError) Error() string   { return e.text }
func (e *missingError) Is(o error) bool { return o == fs.ErrNotExist }

// missing returns an error about a file that does not exist, with its exit status.
func missing(format string, args ...any) error {
	return &failure{status: exitIO, err: &missingError{fmt.Sprintf(format, args...)}}
}

// advisor is a compiler whose errors and findings say what a user can do about them.
type advisor struct{ bicep.Compiler }

func (a advisor) Build(ctx context.Context, r bicep.Request) (*bicep.Result, error) {
	return advise(a.Compiler.Build(ctx, r))
}

func (a advisor) BuildParams(ctx context.Context, r bicep.Request) (*bicep.Result, error) {
	return advise(a.Compiler.BuildParams(ctx, r))
}

func advise(result *bicep.Result, err error) (*bicep.Result, error) {
	var path *fs.PathError
	if errors.As(err, &path) && errors.Is(path, fs.ErrNotExist) && err == error(path) {
		err = &missingError{path.Path + ": there is no such file"}
	}
	if text := remedy(err); text != "" {
		err = fmt.Errorf("%w; %s", err, text)
	}
	if result != nil {
		for i := range result.Findings {
			f := &result.Findings[i]
			if text := remedy(f.Cause); text != "" {
				f.Message = sentence(f.Message) + " " + sentence(text)
			}
			f.Cause = nil
		}
	}
	return result, err
}
