// Package params merges the parameter values that users give and checks them against
// the parameters that a template declares.
//
//	arguments ─ParseArg─► Arg ─► Layer ─┐
//	template ─Declare─► Declarations ───┴─Bind─► Values
//
// Begin with Declare, make a Layer of each argument and file, Merge them, and Bind the
// result to the declarations.
//
// The package does not use a compiler. The declarations are read from the ARM JSON of
// a compiled template, and a .bicepparam file is read after a compiler has turned it
// into an ARM parameter file.
package params

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/secret"
)

// Value is what was given for a parameter: Text, JSON, Reference or Expression.
type Value interface{ value() }

// Text is a value from the command line. The parameter's declaration decides what it means.
type Text string

// JSON is a value that is what it is.
type JSON struct{ armjson.Value }

// Reference is a reference to a secret in a key vault, as an ARM parameter file holds it.
type Reference struct{ *armjson.Object }

// Expression is a value that only a deployment can find.
type Expression string

func (Text) value()       {}
func (JSON) value()       {}
func (Reference) value()  {}
func (Expression) value() {}

// Entry is a value for one parameter.
type Entry struct {
	Name   string
	Value  Value
	Source Source
	// Mark is that of the value: secret.Environment if it was computed from the environment,
	// secret.Secure if a secure parameter's value was computed from it, or it from that.
	Mark secret.Mark
	// Named says that an argument names the parameter. The name may be that of a property then: tags.env.
	Named bool
}

// Source says where a value was given.
type Source struct {
	Text string // for people: "port=…", "dev.bicepparam"
	Path string // the file, if it was one
	Line int    // the line in the file, if it is known
	// Column is the column in the line, if it is known.
	Column int
}

// String returns the text, and the line where it is known.
func (s Source) String() string {
	if s.Line > 0 {
		return fmt.Sprintf("%s:%d", s.Text, s.Line)
	}
	return s.Text
}

// says returns a message about what the source holds. One about a file is shown at
// its place in the file; any other has to name the source itself.
func (s Source) says(format string, args ...any) string {
	message := fmt.Sprintf(format, args...)
	if s.Path == "" && s.Text != "" {
		return s.Text + ": " + message
	}
	return message
}

// Layer is what one argument or file gives. Of several layers, the later wins.
type Layer []Entry

// Problem is something that is wrong with what was given.
type Problem struct {
	Code      string
	Parameter string
	Message   string
	Source    Source
	Warning   bool
	Remedy    Remedy // what the user can do, beside what the message says
}

// Remedy is what a user can do about a problem. The program that shows the problem says how: this
// package does not know the names of its options.
type Remedy uint8

// The remedies. The zero value stands for none.
const (
	GiveValue      Remedy = iota + 1 // give the parameter a value
	GiveReference                    // refer to a key vault in a parameter file, or use SecureOmit
	ComputeInstead                   // compute the value in the template, or use SecureOmit
)

// The codes of problems.
const (
	CodeMissing    = "missing-parameter"
	CodeUnknown    = "unknown-parameter"
	CodeCase       = "parameter-name-case"
	CodeType       = "parameter-type"
	CodeConstraint = "parameter-constraint"
	CodeDuplicate  = "duplicate-parameter"
	CodeSecure     = "secure-parameter"
	CodeExternal   = "external-input"
	CodeFile       = "parameter-file"
)

// ArgKind is a form in which an argument gives values.
type ArgKind int

// The forms.
const (
	ArgText        ArgKind = iota // name=value
	ArgJSON                       // name:=json
	ArgJSONFile                   // name=@file.json
	ArgTextFile                   // name=@text:file
	ArgEnvironment                // name=@env:NAME
	ArgFile                       // @file.json
	ArgStdin                      // @-
	ArgBicepFile                  // file.bicepparam, @file.bicepparam
)

// Arg is one parsed argument that gives values.
type Arg struct {
	Kind  ArgKind
	Name  string // of the parameter, for the forms that name one
	Value string // the text, the JSON or the path
	// Label precedes the argument in messages, such as the name of a flag and a blank.
	Label string
}

// ArgError says why an argument is not understood.
type ArgError struct {
	Arg     string // what may be shown of the argument; the rest may be a value
	Problem string
}

// Error names the argument, where it may be shown, and the problem.
func (e *ArgError) Error() string {
	if e.Arg == "" {
		return e.Problem
	}
	return e.Arg + ": " + e.Problem
}

// Forms is the list of the forms, for messages.
const Forms = "name=value, name:=json, name=@file.json, name=@text:file, name=@env:NAME, @file.json, @file.bicepparam or @-"

// ParseArg takes an argument apart. The error is an *ArgError.
func ParseArg(arg string) (Arg, error) {
	refuse := func(shown, format string, args ...any) (Arg, error) {
		return Arg{}, &ArgError{Arg: shown, Problem: fmt.Sprintf(format, args...)}
	}
	if path, ok := strings.CutPrefix(arg, "@"); ok {
		switch {
		case path == "":
			return refuse("@", "the name of a file is missing; want %s", Forms)
		case path == "-":
			return Arg{Kind: ArgStdin, Value: path}, nil
		case isBicepParam(path):
			return Arg{Kind: ArgBicepFile, Value: path}, nil
		}
		return Arg{Kind: ArgFile, Value: path}, nil
	}
	name, value, ok := strings.Cut(arg, "=")
	if isBicepParam(arg) && (!ok || strings.ContainsAny(name, `/\.`)) {
		return Arg{Kind: ArgBicepFile, Value: arg}, nil
	}
	if !ok {
		if strings.HasSuffix(strings.ToLower(arg), ".json") {
			return refuse(arg, "write @%s to read a parameter file", arg)
		}
		return refuse(onlyName(arg), "want %s", Forms)
	}
	kind := ArgText
	if rest, ok := strings.CutSuffix(name, ":"); ok {
		name, kind = rest, ArgJSON
	}
	if name == "" {
		return refuse("", "the name before = is missing; want %s", Forms)
	}
	if strings.TrimSpace(name) != name || strings.ContainsAny(name, "\t\n\r\"': ") {
		return refuse(onlyName(arg), "the text before = is not the name of a parameter; want %s", Forms)
	}
	a := Arg{Kind: kind, Name: name, Value: value}
	if kind == ArgText {
		if literal, ok := strings.CutPrefix(value, "@@"); ok {
			a.Value = "@" + literal
		} else if path, ok := strings.CutPrefix(value, "@text:"); ok {
			a.Kind, a.Value = ArgTextFile, path
		} else if variable, ok := strings.CutPrefix(value, "@env:"); ok {
			if variable == "" || strings.ContainsAny(variable, "=\x00") {
				return refuse(name+"=@env:…",
					"want the name of an environment variable; a value that begins with @ is written %s=@@…", name)
			}
			a.Kind, a.Value = ArgEnvironment, variable
		} else if path, ok := strings.CutPrefix(value, "@"); ok {
			a.Kind, a.Value = ArgJSONFile, path
		}
		if a.Kind != ArgText && a.Value == "" {
			return refuse(name+"=@", "the name of a file is missing; a value that begins with @ is written %s=@@…", name)
		}
		if a.Kind == ArgJSONFile && isBicepParam(a.Value) {
			return refuse(name+"=@…", "a .bicepparam file holds whole parameters; write @FILE without a name")
		}
	}
	return a, nil
}

// onlyName returns what a message may show of an argument that is not understood: the
// name that it begins with. The rest may be a value.
func onlyName(arg string) string {
	end := 0
	for end < len(arg) && (arg[end] == '_' || isLetter(arg[end]) || end > 0 && isDigit(arg[end])) {
		end++
	}
	if end == len(arg) {
		return arg
	}
	return arg[:end] + "…"
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// Source returns what messages call the argument. It does not show the value.
func (a Arg) Source() Source {
	switch a.Kind {
	case ArgText:
		return Source{Text: a.Label + a.Name + "=…"}
	case ArgJSON:
		return Source{Text: a.Label + a.Name + ":=…"}
	case ArgEnvironment:
		return Source{Text: a.Label + a.Name + "=@env:" + a.Value}
	case ArgStdin:
		return Source{Text: "standard input"}
	}
	return Source{Text: a.Value, Path: a.Value}
}

// Written returns the argument as it is written. A value is not shown.
func (a Arg) Written() string {
	switch a.Kind {
	case ArgText:
		return a.Name + "=…"
	case ArgJSON:
		return a.Name + ":=…"
	case ArgEnvironment:
		return a.Name + "=@env:" + a.Value
	case ArgJSONFile:
		return a.Name + "=@" + a.Value
	case ArgTextFile:
		return a.Name + "=@text:" + a.Value
	}
	return "@" + a.Value
}

// Layer returns the value of an argument that names its parameter. content is that
// of the file or of the variable, for the forms that name one too.
func (a Arg) Layer(content []byte, declared *Declarations) (Layer, *Problem) {
	e := Entry{Name: a.Name, Source: a.Source(), Named: true}
	switch a.Kind {
	case ArgText:
		e.Value = Text(a.Value)
	case ArgEnvironment:
		e.Value, e.Mark = Text(content), secret.Environment
	case ArgTextFile:
		e.Value = JSON{armjson.String(strings.TrimPrefix(string(content), byteOrderMark))}
	case ArgJSON, ArgJSONFile:
		text := a.Value
		if a.Kind == ArgJSONFile {
			text = strings.TrimPrefix(string(content), byteOrderMark)
		}
		v, problem := parseJSON(text, e.Source, declared.hides(a.Name), nil)
		if problem != nil {
			problem.Parameter = a.Name
			if v == nil && a.Kind == ArgJSON {
				problem.Message += "; a text goes into double quotes, or is given as " + a.Name + "=text"
			}
			return nil, problem
		}
		e.Value = JSON{v}
	}
	return Layer{e}, nil
}

// parseJSON reads one JSON value in which no name occurs twice. The message tells
// where the text is wrong, and shows none of it: it may hold a secret.
func parseJSON(text string, source Source, hides func(name string) bool,
	onName func(level int, name string, offset int)) (armjson.Value, *Problem) {
	var twice *Problem
	v, err := armjson.Parse(text, armjson.Options{Comments: true, OnName: onName, OnDuplicate: func(name string, offset int) {
		if twice == nil {
			s := source
			s.Line = lineAt(text, offset)
			before := text[:min(offset, len(text))]
			s.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
			shown := strconv.Quote(name)
			if hides(name) {
				name, shown = "", "a name"
			}
			twice = &Problem{Code: CodeDuplicate, Parameter: name, Source: s,
				Message: source.says("%s is set twice in one object; keep one of them", shown)}
		}
	}})
	if err == nil {
		return v, twice
	}
	p := &Problem{Code: CodeFile, Source: source, Message: source.says("the text is not JSON")}
	if ext := strings.ToLower(filepath.Ext(source.Path)); ext == ".yaml" || ext == ".yml" {
		p.Message += ", and YAML is not read"
	}
	if strings.TrimSpace(text) == "" {
		p.Message = source.says("the text is empty, and so not JSON")
	} else if e, ok := err.(*armjson.SyntaxError); ok {
		p.Source.Line = lineAt(text, e.Offset)
		if e.TooDeep > 0 {
			p.Message = source.says("in the JSON, arrays and objects are nested more than %d levels deep", e.TooDeep)
		}
		if strings.HasPrefix(text[min(e.Offset, len(text)):], "<<<<<<< ") {
			p.Message = source.says("a merge conflict is not resolved here")
		}
		before := text[:min(e.Offset, len(text))]
		p.Source.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
		if source.Path == "" {
			p.Message += fmt.Sprintf(": line %d, column %d", p.Source.Line, p.Source.Column)
		}
	}
	return nil, p
}

// byteOrderMark may begin a file. It is no part of its text, and no column of its first line.
const byteOrderMark = "\ufeff"

func lineAt(text string, offset int) int {
	return 1 + strings.Count(text[:min(offset, len(text))], "\n")
}

func isBicepParam(path string) bool {
	return strings.HasSuffix(strings.ToLower(path), ".bicepparam")
}

// clip returns the beginning of a text: enough to recognise it.
func clip(s string) string { return clipTo(s, 40) }

// clipTo returns the first characters of a text.
func clipTo(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}
