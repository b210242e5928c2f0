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
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Methods answers requests.
type Methods struct {
	// Open returns what a request about a file of a folder works with, and what judges its findings.
	Open      func(folder string) (*project.Project, *cli.Reporter, error)
	Workspace bicep.Workspace
}

// call is a request about one file.
type call struct {
	*project.Project
	*cli.Reporter
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

const version = "bicep/version" // the method that is not about a file

var methods = [...]struct {
	name   string
	kind   string // of the file that it is about; "" stands for both
	answer func(*call, context.Context) (any, error)
}{
	{version, "", (*call).version},
	{"bicep/compile", "", (*call).compile},
	{"bicep/compileParams", ".bicepparam", (*call).compileParams},
	{"bicep/getMetadata", "", (*call).describe},
	{"bicep/getDeploymentGraph", "", (*call).describe},
	{"bicep/getFileReferences", "", (*call).describe},
	{"bicep/getSnapshot", ".bicepparam", (*call).snapshot},
	{"bicep/format", "", (*call).format},
}

// Handle answers a request.
func (m *Methods) Handle(ctx context.Context, name string, params json.RawMessage) (any, error) {
	for _, method := range &methods {
		if method.name != name {
			continue
		}
		c, folder := &call{method: name}, ""
		if err := c.args.parse(params); err != nil {
			return nil, err
		}
		path, err := fileOf(c.args.Path, method.kind)
		if name != version && err != nil {
			return nil, err
		} else if name != version {
			folder = filepath.Dir(path)
		}
		if c.Project, c.Reporter, err = m.Open(folder); err != nil {
			return nil, err
		}
		c.request = c.Request(c.Base, path)
		c.request.Workspace = &m.Workspace
		result, err := method.answer(c, expand.WithRun(ctx))
		if internal := new(bicep.InternalError); errors.As(err, &internal) {
			panic(internal)
		}
		return result, err
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.NoMethod, Message: fmt.Sprintf("there is no method %q", name)}
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
	if path == "" {
		return "", errors.New("path is missing: name a file")
	}
	if err := project.CheckPath(path); err != nil {
		return "", err
	}
	if err := project.CheckExtension(path, kind); err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

type object = map[string]any

func (c *call) version(context.Context) (any, error) {
	name, _, err := bicep.FindRelease(c.BicepVersion)
	return object{"version": name}, err
}

func (c *call) compile(ctx context.Context) (any, error) {
	if strings.EqualFold(filepath.Ext(c.request.File), ".bicepparam") {
		c.request.ParametersOnly = true
		return c.compiled(c.Compiler.BuildParams(ctx, c.request))
	}
	return c.compiled(c.Compiler.Build(ctx, c.request))
}

func (c *call) compileParams(ctx context.Context) (any, error) {
	c.request.Overrides = string(c.args.ParameterOverrides)
	if !strings.HasPrefix(c.request.Overrides, "{") {
		return nil, errors.New("parameterOverrides is missing: it is an object, such as {}")
	}
	c.request.Workspace = nil // the text is not that of the file
	return c.compiled(c.Compiler.BuildParams(ctx, c.request))
}

// compiled returns the answer about a compile.
func (c *call) compiled(result *bicep.Result, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	c.Judge(result.Findings, "")
	diagnostics := []object{}
	for _, f := range result.Findings {
		if f.End == (source.Position{}) {
			f.End = f.Start
		}
		level := f.Severity.String()
		diagnostics = append(diagnostics, object{
			"source": cmp.Or(f.Path, c.request.File), "range": bicep.RangeOf(f.Start, f.End),
			"level": strings.ToUpper(level[:1]) + level[1:], "code": f.Code, "message": f.Message,
		})
	}
	answer := object{"success": !report.AnyError(result.Findings), "diagnostics": diagnostics}
	spec := []byte(result.TemplateSpec)
	texts := map[string][]byte{"parameters": result.Parameters, "template": result.Template, "templateSpecId": spec}
	if c.method == "bicep/compile" {
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
	d, err := bicep.Embedded{}.Describe(ctx, c.request)
	switch {
	case err != nil:
		return nil, err
	case c.method == "bicep/getMetadata":
		return d.Metadata, nil
	case c.method == "bicep/getDeploymentGraph":
		return d.Graph, nil
	}
	return object{"filePaths": d.Files}, nil
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
	known := snapshots.Known{Context: *c.args.Metadata, Counts: func(string) bool { return true }, Inputs: c.args.ExternalInputs}
	taken, _, err := snapshots.Take(ctx, c.Project, c.request.File, known, func(r *bicep.Result) error {
		c.Judge(r.Findings, "")
		return report.ErrorOf(r.Findings)
	})
	if err != nil {
		return nil, err
	}
	return object{"snapshot": strings.TrimSuffix(string(taken.Text()), "\n")}, nil
}
