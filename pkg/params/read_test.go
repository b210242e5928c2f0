package params_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/params"
	"github.com/radbicep/rad/pkg/secret"
)

// environment has the variables of a test. A name that ends in _HIDDEN has a hint.
type environment map[string]string

func (e environment) Lookup(name string) (string, bool) {
	v, ok := e[name]
	return v, ok
}

func (e environment) Hint(name string) string {
	if strings.HasSuffix(name, "_HIDDEN") {
		return "It is hidden."
	}
	return ""
}

var errBicep = errors.New("the file is wrong")

func inputs() params.Inputs {
	files := map[string]string{
		"all.json": `{"open": "a", "port": 1}`, "port.json": "8080", "wrong.json": "{", "text.txt": "\ufefftwo\nlines\n", "bytes.txt": "x\xff",
		"twice.json": `{"x":1,"x":2}`,
	}
	return params.Inputs{
		File: func(path string) ([]byte, error) {
			if text, ok := files[path]; ok {
				return []byte(text), nil
			}
			if path == "other" {
				return nil, errors.New("it lies outside of the repository")
			}
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		},
		Stdin: func() ([]byte, error) { return []byte(`{"open": "stdin"}`), nil },
		Env:   environment{"TAG": "v1", "EMPTY": ""},
		Bicep: func(path string) (params.Layer, error) {
			if path == "wrong.bicepparam" {
				return nil, errBicep
			}
			return params.Layer{{Name: path, Value: params.Text("bicep")}}, nil
		},
	}
}

// TestReadFrom: each form of an argument gives what it names.
func TestReadFrom(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"open":{"type":"string"},"port":{"type":"int"},"secret":{"type":"securestring"},"o":{"type":"object"},"so":{"type":"secureObject"}}`)
	for _, c := range []struct{ arg, want string }{
		{"open=a", `open = text "a" from open=…, named`},
		{"open=@@a", `open = text "@a" from open=…, named`},
		{"open=", `open = text "" from open=…, named`},
		{"port:=1", `port = json 1 from port:=…, named`},
		{"o:={/* note */}", `o = json {} from o:=…, named`},
		{"port=@port.json", `port = json 8080 from port.json in port.json, named`},
		{"open=@text:text.txt", `open = json "two\nlines\n" from text.txt in text.txt, named`},
		{"open=@text:all.json", `open = json "{\"open\": \"a\", \"port\": 1}" from all.json in all.json, named`},
		{"open=@env:TAG", `open = text "v1" from open=@env:TAG, named, hidden`},
		{"open=@env:EMPTY", `open = text "" from open=@env:EMPTY, named, hidden`},
		{"@all.json", `open = json "a" from all.json:1 in all.json; port = json 1 from all.json:1 in all.json`},
		{"@-", `open = json "stdin" from standard input:1`},
		{"x.bicepparam", `x.bicepparam = text "bicep" from `},
		{"@x.bicepparam", `x.bicepparam = text "bicep" from `},
	} {
		a, err := params.ParseArg(c.arg)
		require.NoError(t, err)
		layer, problems, err := a.ReadFrom(inputs(), d)
		require.NoError(t, err, c.arg)
		require.Empty(t, problems, c.arg)
		var got []string
		for _, e := range layer {
			value := ""
			switch v := e.Value.(type) {
			case params.Text:
				value = fmt.Sprintf("text %q", string(v))
			case params.JSON:
				value = "json " + armjson.Text(v.Value)
			}
			text := fmt.Sprintf("%s = %s from %s", e.Name, value, e.Source)
			if e.Source.Path != "" {
				text += " in " + e.Source.Path
			}
			if e.Named {
				text += ", named"
			}
			if e.Mark == secret.Environment {
				text += ", hidden"
			}
			got = append(got, text)
		}
		assert.Equal(t, c.want, strings.Join(got, "; "), c.arg)
	}
	for _, c := range []struct{ arg, want string }{
		{"port:=x", `missing-place 1:1 port: port:=…: the text is not JSON: line 1, column 1; a text goes into double quotes, or is given as port=text`},
		{"open:=", `missing-place 0:0 open: open:=…: the text is empty, and so not JSON; a text goes into double quotes, or is given as open=text`},
		{`o:={"x":1,"x":2}`, `missing-place 1:8 o: o:=…: "x" is set twice in one object; keep one of them`},
		{`so:={"x":1,"x":2}`, `missing-place 1:8 so: so:=…: a name is set twice in one object; keep one of them`},
		{`other:={"x":1,"x":2}`, `missing-place 1:8 other: other:=…: a name is set twice in one object; keep one of them`},
		{"o=@wrong.json", `wrong.json 1:2 o: the text is not JSON`},
		{"o=@twice.json", `twice.json 1:8 o: "x" is set twice in one object; keep one of them`},
		{"so=@twice.json", `twice.json 1:8 so: a name is set twice in one object; keep one of them`},
		{"@wrong.json", `wrong.json 1:2 : the text is not JSON`},
	} {
		a, err := params.ParseArg(c.arg)
		require.NoError(t, err)
		layer, problems, err := a.ReadFrom(inputs(), d)
		require.NoError(t, err)
		assert.Empty(t, layer, c.arg)
		require.Len(t, problems, 1, c.arg)
		p := problems[0]
		place := p.Source.Path
		if place == "" {
			place = "missing-place"
		}
		assert.Equal(t, c.want, fmt.Sprintf("%s %d:%d %s: %s", place, p.Source.Line, p.Source.Column, p.Parameter, p.Message))
		assert.Equal(t, p.Message, p.Error())
	}
}

// TestReadErrors: why what an argument names cannot be read. The path of a secret's file is not shown.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"open":{"type":"string"},"secret":{"type":"securestring"}}`)
	for _, c := range []struct {
		arg, want, hint string
		private         bool
		is              error
	}{
		{"open=@absent.json", "absent.json: open absent.json: file does not exist", "", false, fs.ErrNotExist},
		{"open=@text:absent.txt", "absent.txt: open absent.txt: file does not exist", "", false, fs.ErrNotExist},
		{"@absent.json", "absent.json: open absent.json: file does not exist", "", false, fs.ErrNotExist},
		{"secret=@absent.json", "secret: its file cannot be read: file does not exist", "", true, fs.ErrNotExist},
		{"unknown=@text:absent.txt", "unknown: its file cannot be read: file does not exist", "", true, fs.ErrNotExist},
		{"secret=@other", "secret: its file cannot be read", "", true, nil},
		{"open=@other", "other: it lies outside of the repository", "", false, nil},
		{"open=@env:ABSENT", "open=@env:ABSENT: there is no such environment variable", "Set it.", false, params.ErrNoVariable},
		{"open=@env:A_HIDDEN", "open=@env:A_HIDDEN: there is no such environment variable", "It is hidden.", false, params.ErrNoVariable},
	} {
		a, err := params.ParseArg(c.arg)
		require.NoError(t, err)
		layer, problems, err := a.ReadFrom(inputs(), d)
		require.Error(t, err, c.arg)
		assert.Empty(t, layer)
		assert.Empty(t, problems)
		assert.Equal(t, c.want, err.Error(), c.arg)
		var read *params.ReadError
		require.ErrorAs(t, err, &read)
		assert.Equal(t, c.private, read.Private, c.arg)
		assert.Equal(t, c.hint, read.Hint, c.arg)
		assert.Equal(t, a, read.Arg)
		if c.is != nil {
			assert.ErrorIs(t, err, c.is)
		}
	}
	_, _, err := params.Arg{Kind: params.ArgBicepFile, Value: "wrong.bicepparam"}.ReadFrom(inputs(), d)
	assert.Equal(t, errBicep, err)
	in := inputs()
	in.Stdin = func() ([]byte, error) { return nil, errors.New("it is closed") }
	_, _, err = params.Arg{Kind: params.ArgStdin, Value: "-"}.ReadFrom(in, d)
	assert.EqualError(t, err, "standard input: it is closed")
}

// TestTextFilesMustBeText: a file whose bytes are no text is not changed into one.
func TestTextFilesMustBeText(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"open":{"type":"string"}}`)
	a, err := params.ParseArg("open=@text:bytes.txt")
	require.NoError(t, err)
	layer, problems, err := a.ReadFrom(inputs(), d)
	require.NoError(t, err)
	require.Empty(t, problems)
	values, problems := params.Bind(d, layer, params.SecureError)
	assert.Empty(t, values)
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0].Message, `parameter "open": it holds what is no Unicode text`)
	assert.Equal(t, "bytes.txt", problems[0].Source.Path)
}

// TestArgsAsWritten: how messages call an argument, how it is written, and which file it names. A value is not shown.
func TestArgsAsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ arg, source, written, path string }{
		{"a=hunter2", "--set a=…", "a=…", ""},
		{"a:=1", "--set a:=…", "a:=…", ""},
		{"a=@env:NAME", "--set a=@env:NAME", "a=@env:NAME", ""},
		{"a=@x.json", "x.json", "a=@x.json", "x.json"},
		{"a=@text:x.txt", "x.txt", "a=@text:x.txt", "x.txt"},
		{"@x.json", "x.json", "@x.json", "x.json"},
		{"@-", "standard input", "@-", ""},
		{"x.bicepparam", "x.bicepparam", "@x.bicepparam", "x.bicepparam"},
	} {
		a, err := params.ParseArg(c.arg)
		require.NoError(t, err)
		a.Label = "--set "
		assert.Equal(t, params.Source{Text: c.source, Path: c.path}, a.Source(), c.arg)
		assert.Equal(t, c.written, a.Written(), c.arg)
		assert.Equal(t, c.path, a.Path(), c.arg)
		moved := a.At(func(path string) string { return "dir/" + path })
		if c.path == "" {
			assert.Equal(t, a, moved, c.arg)
		} else {
			assert.Equal(t, "dir/"+c.path, moved.Path(), c.arg)
		}
	}
}

// TestSources: a place is shown with its line, if that is known.
func TestSources(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "a=…", params.Source{Text: "a=…"}.String())
	assert.Equal(t, "f.json:1", params.Source{Text: "f.json", Path: "f.json", Line: 1, Column: 9}.String())
}

// TestArgMessages: why an argument is not understood, whole. Of what may be a value no more is shown than the name.
func TestArgMessages(t *testing.T) {
	t.Parallel()
	const forms = "want " + params.Forms
	for _, c := range []struct{ arg, want string }{
		{"", forms},
		{"a", "a: " + forms},
		{"a_B9", "a_B9: " + forms},
		{"_z0Z9", "_z0Z9: " + forms},
		{"a b", "a…: " + forms},
		{"a-hunter2", "a…: " + forms},
		{"ä", "…: " + forms},
		{"a@", "a…: " + forms},
		{"a[", "a…: " + forms},
		{"A`", "A…: " + forms},
		{"Z{", "Z…: " + forms},
		{"9a", "…: " + forms},
		{"a/", "a…: " + forms},
		{"a:", "a…: " + forms},
		{"=b", "the name before = is missing; " + forms},
		{":=b", "the name before = is missing; " + forms},
		{"@", "@: the name of a file is missing; " + forms},
		{"x.JSON", "x.JSON: write @x.JSON to read a parameter file"},
		{"a b=c", "a…: the text before = is not the name of a parameter; " + forms},
		{"a'b=c", "a…: the text before = is not the name of a parameter; " + forms},
		{"\u00a0a=c", "…: the text before = is not the name of a parameter; " + forms},
		{`{"a":"hunter2="}`, "…: the text before = is not the name of a parameter; " + forms},
		{"a=@", "a=@: the name of a file is missing; a value that begins with @ is written a=@@…"},
		{"a=@text:", "a=@: the name of a file is missing; a value that begins with @ is written a=@@…"},
		{"a=@env:", "a=@env:…: want the name of an environment variable; a value that begins with @ is written a=@@…"},
		{"a=@env:B=hunter2", "a=@env:…: want the name of an environment variable; a value that begins with @ is written a=@@…"},
		{"a=@env:B\x00", "a=@env:…: want the name of an environment variable; a value that begins with @ is written a=@@…"},
		{"a=@x.BICEPPARAM", "a=@…: a .bicepparam file holds whole parameters; write @FILE without a name"},
	} {
		_, err := params.ParseArg(c.arg)
		require.Error(t, err, c.arg)
		assert.Equal(t, c.want, err.Error(), "%q", c.arg)
		var wrong *params.ArgError
		require.ErrorAs(t, err, &wrong)
	}
	for arg, want := range map[string]params.Arg{
		"a:=":                  {Kind: params.ArgJSON, Name: "a"},
		"a::=1":                {Kind: params.ArgJSON, Name: "a:", Value: "1"},
		"tags.env=x":           {Kind: params.ArgText, Name: "tags.env", Value: "x"},
		"a=@env:NAME":          {Kind: params.ArgEnvironment, Name: "a", Value: "NAME"},
		"a=x.bicepparam":       {Kind: params.ArgText, Name: "a", Value: "x.bicepparam"},
		`dir\a=x.bicepparam`:   {Kind: params.ArgBicepFile, Value: `dir\a=x.bicepparam`},
		"a=@text:x.bicepparam": {Kind: params.ArgTextFile, Name: "a", Value: "x.bicepparam"},
		"a=text@x":             {Kind: params.ArgText, Name: "a", Value: "text@x"},
	} {
		got, err := params.ParseArg(arg)
		if strings.HasPrefix(arg, "a::") {
			assert.Error(t, err, arg)
			continue
		}
		require.NoError(t, err, arg)
		assert.Equal(t, want, got, arg)
	}
}

// TestParseArgs: all that is wrong is told at once, in the order of the arguments.
func TestParseArgs(t *testing.T) {
	t.Parallel()
	args, err := params.ParseArgs([]string{"a=1", "@all.json"})
	require.NoError(t, err)
	assert.Equal(t, []params.Arg{{Kind: params.ArgText, Name: "a", Value: "1"}, {Kind: params.ArgFile, Value: "all.json"}}, args)
	_, err = params.ParseArgs([]string{"b", "a=1", "=c", "a"})
	require.Error(t, err)
	assert.Equal(t, "b: want "+params.Forms+"\nthe name before = is missing; want "+params.Forms+"\na: want "+params.Forms, err.Error())
}

// TestWithoutMissing: only the problems of values that are missing go.
func TestWithoutMissing(t *testing.T) {
	t.Parallel()
	left := params.WithoutMissing([]params.Problem{{Code: params.CodeMissing}, {Code: params.CodeType, Message: "x"}, {Code: params.CodeMissing}, {Code: params.CodeSecure}})
	assert.Equal(t, []params.Problem{{Code: params.CodeType, Message: "x"}, {Code: params.CodeSecure}}, left)
}
