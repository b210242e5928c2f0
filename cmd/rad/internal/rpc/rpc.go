// Package rpc has the methods of the official compiler's JSON-RPC protocol. Begin with Methods.Handle.
package rpc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/jsonrpc"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/snapshots"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/format"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Methods answers requests. The function returns what a request about a file of a folder works with.
type Methods func(folder string) (*project.Project, error)

// call is a request about one file.
type call struct {
	*project.Project
	method  string
	request bicep.Request
	args    arguments
}

// arguments are those of all methods. Their names may have any case.
type arguments struct {
	Path               string            `json:"path"`
	ParameterOverrides json.RawMessage   `json:"parameterOverrides"`
	Metadata           *expand.Context   `json:"metadata"`
	ExternalInputs     []snapshots.Input `json:"externalInputs"`
}

type method struct {
	name   string
	kind   string // of the file that it is about; "" stands for both
	answer func(*call, context.Context) (any, error)
}

var methods = [...]method{
	{"bicep/version", "", (*call).version},
	{"bicep/compile", "", (*call).compile},
	{"bicep/compileParams", ".bicepparam", (*call).compile},
	{"bicep/getMetadata", "", (*call).describe},
	{"bicep/getDeploymentGraph", "", (*call).describe},
	{"bicep/getFileReferences", "", (*call).describe},
	{"bicep/getSnapshot", ".bicepparam", (*call).snapshot},
	{"bicep/format", "", (*call).format},
}

// Handle answers a request.
func (open Methods) Handle(ctx context.Context, name string, params json.RawMessage) (any, error) {
	i := slices.IndexFunc(methods[:], func(one method) bool { return one.name == name })
	if i < 0 {
		return nil, &jsonrpc.Error{Code: jsonrpc.NoMethod, Message: fmt.Sprintf("there is no method %q", name)}
	}
	c, folder, path := &call{method: name}, "", ""
	err := c.args.parse(params)
	if err == nil && name != "bicep/version" { // all others are about a file
		path, err = fileOf(c.args.Path, methods[i].kind)
		folder = filepath.Dir(path)
	}
	if err == nil {
		c.Project, err = open(folder)
	}
	if err != nil {
		return nil, err
	}
	c.request = c.Request(c.Base, path)
	result, err := methods[i].answer(c, expand.WithRun(ctx))
	if internal := new(bicep.InternalError); errors.As(err, &internal) {
		panic(internal)
	}
	return result, err
}

// parse reads the parameters of a request: an object, or an array that holds it.
func (a *arguments) parse(params json.RawMessage) error {
	var list []json.RawMessage
	if json.Unmarshal(params, &list) == nil && len(list) == 1 {
		params = list[0]
	}
	if !bytes.HasPrefix(params, []byte("{")) {
		return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "params is an object, or an array of one"}
	}
	err := json.Unmarshal(params, a)
	if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
		err = fmt.Errorf("params: %s: %s is not what it takes", wrong.Field, wrong.Value)
	}
	return err
}

// fileOf returns the absolute path of the file that a request is about.
func fileOf(path, kind string) (string, error) {
	switch err := project.CheckPath(path); {
	case path == "":
		return "", errors.New("path is missing: name a file")
	case err != nil:
		return "", err
	case !project.IsOfKind(path, kind):
		return "", fmt.Errorf("path: %s: its name must end in %s", path, cmp.Or(kind, ".bicep or .bicepparam"))
	}
	return filepath.Abs(path)
}

type object = map[string]any

func (c *call) judge(r *bicep.Result) {
	(&cli.Reporter{Strict: c.WarningsAsErrors}).Judge(r.Findings, "")
}

func (c *call) version(context.Context) (any, error) {
	name, _, err := bicep.FindRelease(c.BicepVersion)
	return object{"version": name}, err
}

func (c *call) compile(ctx context.Context) (any, error) {
	build := c.Compiler.Build
	if project.IsOfKind(c.request.File, ".bicepparam") {
		build = c.Compiler.BuildParams
	}
	c.request.ParametersOnly = c.method == "bicep/compile"
	if !c.request.ParametersOnly {
		c.request.Overrides = string(c.args.ParameterOverrides)
		c.request.Workspace = nil // the text is not that of the file
		if !strings.HasPrefix(c.request.Overrides, "{") {
			return nil, errors.New("parameterOverrides is missing: it is an object, such as {}")
		}
	}
	result, err := build(ctx, c.request)
	if err != nil {
		return nil, err
	}
	c.judge(result)
	diagnostics := []object{}
	for _, f := range result.Findings {
		diagnostics = append(diagnostics, object{
			"source": cmp.Or(f.Path, c.request.File), "range": bicep.RangeOf(f.Start, cmp.Or(f.End, f.Start)),
			"level": f.Severity.String(), "code": f.Code, "message": f.Message,
		})
	}
	answer := object{"success": !report.AnyError(result.Findings), "diagnostics": diagnostics}
	spec := []byte(result.TemplateSpec)
	texts := map[string][]byte{"parameters": result.Parameters, "template": result.Template, "templateSpecId": spec}
	if c.request.ParametersOnly {
		texts = map[string][]byte{"contents": slices.Concat(result.Parameters, result.Template)} // one of them is empty
	}
	for name, text := range texts {
		if len(text) > 0 && answer["success"] == true {
			answer[name] = string(text)
		}
	}
	return answer, nil
}

func (c *call) describe(ctx context.Context) (any, error) {
	metadata, graph, files, err := bicep.Embedded{}.Describe(ctx, c.request)
	return map[string]object{"bicep/getMetadata": metadata, "bicep/getDeploymentGraph": graph,
		"bicep/getFileReferences": {"filePaths": files}}[c.method], err
}

func (c *call) format(context.Context) (any, error) {
	content, err := c.Base.FS.ReadFile(c.request.File)
	if err != nil {
		return nil, err
	}
	f, err := format.New(c.Base.FS, format.Layout{Config: c.Base.Config})
	if err != nil {
		return nil, err
	}
	out, err := f.Format(c.request.File, content)
	if err != nil {
		return nil, err
	}
	return object{"contents": out.Text}, nil
}

func (c *call) snapshot(ctx context.Context) (any, error) {
	if c.args.Metadata == nil {
		return nil, errors.New("metadata is missing: it is an object, such as {}")
	}
	named := func(key string) (string, bool) { return "metadata." + key, true }
	known := snapshots.Known{Context: *c.args.Metadata, Named: named, Inputs: c.args.ExternalInputs}
	taken, _, err := snapshots.Take(ctx, c.Project, c.request.File, known, func(r *bicep.Result) error {
		c.judge(r)
		return report.ErrorOf(r.Findings)
	})
	if err != nil {
		return nil, err
	}
	return object{"snapshot": strings.TrimSuffix(string(taken.Text()), "\n")}, nil
}
