package params

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
)

// Inputs is what arguments are read from.
type Inputs struct {
	// File reads a file that an argument names.
	File func(path string) ([]byte, error)
	// Stdin reads standard input.
	Stdin func() ([]byte, error)
	// Env is the environment; nil is an empty one.
	Env Environment
	// Bicep returns what a .bicepparam file assigns.
	Bicep func(path string) (Layer, error)
}

// Environment has the variables that arguments read.
type Environment interface {
	Lookup(name string) (value string, ok bool)
	// Hint says what helps if there is no such variable, as a sentence, or nothing.
	Hint(name string) string
}

// ErrNoVariable is in the error about an argument whose variable of the environment does not exist.
var ErrNoVariable = errors.New("there is no such environment variable")

// ReadError says why what an argument names cannot be read.
type ReadError struct {
	Arg Arg
	// Private says that the argument may hold the value of a secure parameter, so that
	// its text and its path must not be shown.
	Private bool
	Err     error
	Hint    string // what helps if the variable does not exist
}

// Error names what could not be read, and why. It shows nothing of what is private.
func (e *ReadError) Error() string {
	if !e.Private {
		return e.Arg.Source().Text + ": " + e.Err.Error()
	}
	return e.Arg.Name + ": " + e.Reason()
}

// Reason says why a file cannot be read, without its name.
func (e *ReadError) Reason() string {
	if path, ok := errors.AsType[*fs.PathError](e.Err); ok {
		return "its file cannot be read: " + path.Err.Error()
	}
	return "its file cannot be read"
}

// Unwrap returns the reason.
func (e *ReadError) Unwrap() error { return e.Err }

// ReadFrom reads what an argument names, and returns the values that it gives. An error that
// is not one of Inputs.Bicep is a *ReadError.
func (a Arg) ReadFrom(in Inputs, declared *Declarations) (Layer, []Problem, error) {
	var content []byte
	var err error
	hint := ""
	switch a.Kind {
	case ArgBicepFile:
		layer, err := in.Bicep(a.Value)
		return layer, nil, err
	case ArgStdin:
		content, err = in.Stdin()
	case ArgEnvironment:
		err, hint = ErrNoVariable, "Set it."
		if in.Env == nil {
			break
		}
		if value, ok := in.Env.Lookup(a.Value); ok {
			content, err = []byte(value), nil
		} else {
			hint = cmp.Or(in.Env.Hint(a.Value), hint)
		}
	case ArgFile, ArgJSONFile, ArgTextFile:
		content, err = in.File(a.Value)
	}
	if err != nil {
		return nil, nil, &ReadError{Arg: a, Private: a.Name != "" && !declared.MayShow(a.Name), Err: err, Hint: hint}
	}
	if a.Kind == ArgStdin || a.Kind == ArgFile {
		layer, problems := ReadFile(content, a.Source(), declared)
		return layer, problems, nil
	}
	layer, problem := a.Layer(content, declared)
	if problem != nil {
		return nil, []Problem{*problem}, nil
	}
	return layer, nil, nil
}

// Path returns the file that an argument names, or "".
func (a Arg) Path() string {
	switch a.Kind {
	case ArgFile, ArgBicepFile, ArgJSONFile, ArgTextFile:
		return a.Value
	}
	return ""
}

// At returns the argument with its file's path changed.
func (a Arg) At(change func(path string) string) Arg {
	if a.Path() != "" {
		a.Value = change(a.Value)
	}
	return a
}

// ParseArgs takes arguments apart. The error joins an *ArgError for each that is not understood.
func ParseArgs(list []string) ([]Arg, error) {
	args := make([]Arg, 0, len(list))
	var wrong []error
	for _, one := range list {
		arg, err := ParseArg(one)
		if err != nil {
			wrong = append(wrong, err)
		}
		args = append(args, arg)
	}
	return args, errors.Join(wrong...)
}

// WithoutMissing leaves out that parameters have no value.
func WithoutMissing(problems []Problem) []Problem {
	return slices.DeleteFunc(problems, func(p Problem) bool { return p.Code == CodeMissing })
}

// Error returns the problem's message.
func (p *Problem) Error() string { return p.Message }
