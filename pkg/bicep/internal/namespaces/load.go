package namespaces

import (
	"encoding/base64"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/jsonpath"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Limits of the sizes of loaded files.
const (
	maxText       = 131_072 // characters
	maxBinary     = maxText / 4 * 3
	maxStructured = 1_048_576 // characters
)

// encodings are the names of the encodings that text can be in.
var encodings = sync.OnceValue(func() types.Type {
	return union(types.Str("iso-8859-1"), types.Str("us-ascii"), types.Str("utf-16"), types.Str("utf-16BE"), types.Str("utf-8"))
})

func (t *table) loadFunctions() {
	str := types.TString
	const always, indirect = types.GenerateIntermediateVariableAlways, types.GenerateIntermediateVariableOnIndirectAssignment
	t.add("loadTextContent", str, req("filePath", types.TStringFilePath), opt("encoding", encodings())).flags(indirect).result(loadText)
	t.add("loadFileAsBase64", str, req("filePath", types.TStringFilePath)).flags(indirect).result(loadBase64)
	t.add("loadJsonContent", types.TAny, req("filePath", types.TStringJSONFilePath), opt("jsonPath", str), opt("encoding", encodings())).
		flags(always).result(func(ctx types.CallContext, args []types.Type) types.FunctionResult {
		return loadStructured(ctx, args, parseJSON, diag.BCP186)
	})
	t.add("loadYamlContent", types.TAny, req("filePath", types.TStringYAMLFilePath), opt("pathFilter", str), opt("encoding", encodings())).
		flags(always).result(func(ctx types.CallContext, args []types.Type) types.FunctionResult {
		parse := func(text string) (armjson.Value, int) { return parseYAML(text, fileOf(ctx).Config.Release) }
		return loadStructured(ctx, args, parse, diag.BCP340)
	})
	t.add("loadDirectoryFileInfo", types.TAny, req("directoryPath", types.TStringDirectoryPath),
		opt("searchPattern", str)).flags(always).result(loadDirectory)
}

func fileOf(ctx types.CallContext) *graph.File { return modelOf(ctx).File() }

// argument returns argument i if it is a constant string, or the diagnostic for any other argument.
func argument(ctx types.CallContext, args []types.Type, i int) (string, *diag.Diagnostic) {
	s, ok := literal(args[i])
	if !ok {
		d := diag.BCP032.At(ctx.Args()[i].Span())
		return "", &d
	}
	return s, nil
}

func at(ctx types.CallContext, p *diag.Problem) *diag.Diagnostic {
	d := p.At(ctx.Args()[0].Span())
	return &d
}

// unread returns the diagnostic for a file that cannot be read. In a lenient program that is not an
// error.
func unread(ctx types.CallContext, p *diag.Problem) *diag.Diagnostic {
	if f := fileOf(ctx); f.Lenient() {
		f.Missing(ctx.Args()[0].Span(), p)
		return &unreadFile
	}
	return at(ctx, p)
}

// lost is the result of a call whose file was not read: an error, or any in a lenient program.
func lost(problem *diag.Diagnostic) types.FunctionResult {
	if problem == &unreadFile {
		return types.FunctionResult{Type: types.TAny}
	}
	return failed(*problem)
}

// unreadFile stands for a problem that was noted and is not an error.
var unreadFile diag.Diagnostic

// encodingOf returns the encoding that an argument names, or the usual one.
func encodingOf(ctx types.CallContext, args []types.Type, encoding int) string {
	if len(args) > encoding {
		if as, problem := argument(ctx, args, encoding); problem == nil {
			return as
		}
	}
	return "utf-8"
}

// readText reads the file that argument 0 names, in the encoding that argument
// encoding names if there is one.
func readText(ctx types.CallContext, args []types.Type, encoding, limit int) (string, *graph.Aux, *diag.Diagnostic) {
	name, problem := argument(ctx, args, 0)
	if problem != nil {
		return "", nil, problem
	}
	explicit := len(args) > encoding
	if explicit {
		if _, problem = argument(ctx, args, encoding); problem != nil {
			return "", nil, problem
		}
	}
	as := encodingOf(ctx, args, encoding)
	aux, p := fileOf(ctx).LoadAux(name)
	if p != nil {
		return "", nil, unread(ctx, p)
	}
	if found := aux.Encoding(); explicit && found != "" && found != as {
		ctx.Report(diag.BCP185.At(ctx.Args()[encoding].Span(), found))
	}
	text, p := aux.Text(as, limit)
	if p != nil {
		return "", nil, at(ctx, p)
	}
	return text, aux, nil
}

func stringResult(s string) types.FunctionResult {
	return types.FunctionResult{Type: types.Str(s), Value: armjson.String(s)}
}

func loadText(ctx types.CallContext, args []types.Type) types.FunctionResult {
	text, _, problem := readText(ctx, args, 1, maxText)
	if problem != nil {
		return lost(problem)
	}
	return stringResult(text)
}

func loadBase64(ctx types.CallContext, args []types.Type) types.FunctionResult {
	name, problem := argument(ctx, args, 0)
	if problem != nil {
		return failed(*problem)
	}
	f := fileOf(ctx)
	aux, p := f.LoadAux(name)
	if p != nil {
		return lost(unread(ctx, p))
	}
	data, p := aux.Bytes(maxBinary)
	if p != nil {
		return failed(*at(ctx, p))
	}
	text := base64.StdEncoding.EncodeToString(data)
	// The type is shown as the path of the file, since its content is not text.
	return types.FunctionResult{Type: types.NewNamedStringLiteral(f.RelativePath(aux.Path), text, 0), Value: armjson.String(text)}
}

// loadStructured reads JSON or YAML, or the part of it that a path selects.
func loadStructured(ctx types.CallContext, args []types.Type,
	parse func(string) (armjson.Value, int), malformed diag.Kind) types.FunctionResult {
	path, some := "", len(args) > 1
	if some {
		var problem *diag.Diagnostic
		if path, problem = argument(ctx, args, 1); problem != nil {
			return failed(*problem)
		}
	}
	limit := maxStructured
	if fileOf(ctx).Features().LocalDeploy {
		limit = -1
	}
	text, aux, problem := readText(ctx, args, 2, limit)
	if problem != nil {
		return lost(problem)
	}
	// A program may load one file as often as it has lines.
	key := loading{malformed, fileOf(ctx).Config.Release, encodingOf(ctx, args, 2), path, some}
	return aux.Loaded.Get(key, func() any { return read(text, path, some, parse) }).(loaded).result(ctx, malformed)
}

// loading is a way to load a file.
type loading struct {
	malformed      diag.Kind // what JSON or YAML that is wrong is reported as
	release        release.Version
	encoding, path string
	some           bool // path selects a part
}

// loaded is what was read of a file. Without a type it is malformed, or nothing is selected.
type loaded struct {
	types.FunctionResult
	selected bool
	line     int // of what is malformed, if that is known
}

func read(text, path string, some bool, parse func(string) (armjson.Value, int)) (l loaded) {
	v, line := parse(text)
	if v == nil {
		return loaded{selected: true, line: line}
	}
	if some {
		var ok bool
		if v, ok = selectPath(v, path); !ok {
			return loaded{}
		}
	}
	if !integral(v) {
		return loaded{selected: true}
	}
	return loaded{types.FunctionResult{Type: types.OfJSON(v), Value: v}, true, 0}
}

func (l loaded) result(ctx types.CallContext, malformed diag.Kind) types.FunctionResult {
	switch {
	case !l.selected:
		return failed(diag.BCP235.At(ctx.Args()[1].Span()))
	case l.Type == nil:
		return failed(malformed.At(ctx.Args()[0].Span(), atLine(l.line)))
	}
	return l.FunctionResult
}

// atLine is how a message goes on that says what a file is not.
func atLine(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d)", line)
}

// selectPath returns the one value that a path selects, or an array of several.
func selectPath(v armjson.Value, path string) (armjson.Value, bool) {
	p, err := jsonpath.Parse(path)
	if err != nil {
		return nil, false
	}
	found, err := p.Select(v)
	switch {
	case err != nil, len(found) == 0:
		return nil, false
	case len(found) == 1:
		return found[0], true
	}
	return armjson.Array(found), true
}

// undefined is a value that a text leaves out, as the second of [1,,2], or calls undefined.
type undefined struct{ armjson.Null }

// parseJSON reads a file. Undefined elements and members are left out.
func parseJSON(text string) (v armjson.Value, line int) {
	v, err := parseRelaxed(text)
	var bad *armjson.SyntaxError
	switch {
	case errors.As(err, &bad):
		return nil, 1 + strings.Count(text[:min(bad.Offset, len(text))], "\n")
	case err != nil || v == nil:
		return nil, 0
	}
	return defined(v), 0
}

func parseRelaxed(text string) (armjson.Value, error) {
	return armjson.Parse(text, armjson.Options{Relaxed: true, Untyped: true, Trailing: true, Undefined: undefined{}})
}

// defined returns a value without what is undefined in it.
func defined(v armjson.Value) armjson.Value {
	switch v := v.(type) {
	case undefined:
		return armjson.Null{}
	case armjson.Array:
		out := v[:0]
		for _, e := range v {
			if _, ok := e.(undefined); !ok {
				out = append(out, defined(e))
			}
		}
		return out
	case *armjson.Object:
		for i := v.Len() - 1; i >= 0; i-- {
			m := v.At(i)
			if _, ok := m.Value.(undefined); ok {
				v.Delete(m.Key)
			} else {
				v.Set(m.Key, defined(m.Value))
			}
		}
	}
	return v
}

// integral reports whether all numbers without a fraction fit into 64 bits.
func integral(v armjson.Value) bool {
	switch v := v.(type) {
	case armjson.Number:
		if strings.ContainsAny(string(v), ".eEIN") {
			return true // a fraction, Infinity or NaN
		}
		_, ok := v.Int64()
		return ok
	case armjson.Array:
		for _, e := range v {
			if !integral(e) {
				return false
			}
		}
	case *armjson.Object:
		for _, e := range v.All() {
			if !integral(e) {
				return false
			}
		}
	}
	return true
}

// jsonResult is the type of json(text).
func jsonResult(ctx types.CallContext, args []types.Type) types.FunctionResult {
	text, ok := literal(args[0])
	if !ok || len(args) != 1 {
		return types.FunctionResult{Type: types.TAny}
	}
	v, err := parseRelaxed(text)
	if err != nil || v == nil || strings.HasPrefix(text, "\ufeff") || !integral(v) {
		return failed(diag.BCP186.At(ctx.Args()[0].Span(), ""))
	}
	if _, ok := v.(undefined); ok {
		return types.FunctionResult{Type: types.TAny}
	}
	return types.FunctionResult{Type: types.OfJSON(v)}
}

// loadDirectory lists the files of a directory.
func loadDirectory(ctx types.CallContext, args []types.Type) types.FunctionResult {
	pattern := ""
	if len(args) > 1 {
		var problem *diag.Diagnostic
		if pattern, problem = argument(ctx, args, 1); problem != nil {
			return failed(*problem)
		}
	}
	name, problem := argument(ctx, args, 0)
	if problem != nil {
		return failed(*problem)
	}
	f := fileOf(ctx)
	paths, p := f.ListFiles(name, pattern)
	if p != nil {
		return failed(*at(ctx, p))
	}
	for i, path := range paths {
		paths[i] = f.RelativePath(path)
	}
	sort.SliceStable(paths, func(i, j int) bool {
		return types.CompareOrdinal(strings.ToUpper(paths[i]), strings.ToUpper(paths[j])) < 0
	})
	list := make(armjson.Array, len(paths))
	for i, path := range paths {
		base := path[strings.LastIndexByte(path, '/')+1:]
		ext := ""
		if dot := strings.LastIndexByte(base, '.'); dot >= 0 && dot < len(base)-1 {
			ext = base[dot:]
		}
		list[i] = armjson.NewObject(
			armjson.Member{Key: "relativePath", Value: armjson.String(path)},
			armjson.Member{Key: "baseName", Value: armjson.String(base)},
			armjson.Member{Key: "extension", Value: armjson.String(ext)})
	}
	return types.FunctionResult{Type: types.OfJSON(list), Value: list}
}
