// Package rpc has the methods of the official compiler's JSON-RPC protocol. Begin with Methods.Handle.
package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/jsonrpc"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/snapshots"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/format"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Methods answers requests.
type Methods struct {
	// Open returns what a request about a file of a folder works with.
	Open func(ctx context.Context, folder string) (*Work, error)
	// Bug tells the user of a fault of this program.
	Bug func(fault any, stack []byte)

	workspace bicep.Workspace
}

// Work is what one request works with.
type Work struct {
	*project.Project
	*cli.Reporter                 // judges findings
	Context       context.Context // of the request, with the limit of time of the settings there
	Stop          func()          // ends it
}

// call is a request about one file.
type call struct {
	*Work
	path string // absolute
	args *arguments
	keep *bicep.Workspace
}

// arguments are those of all methods. Their names may have any case.
type arguments struct {
	Path               text
	ParameterOverrides json.RawMessage
	Metadata           *struct {
		TenantID, SubscriptionID, ManagementGroupID, ResourceGroup, Location, DeploymentName text
	}
	ExternalInputs []struct {
		Kind          text
		Config, Value json.RawMessage
	}
}

// text is a string. A number is taken for one, as by the official server.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		return json.Unmarshal(b, (*string)(t))
	case '{', '[':
		return errors.New("a text is expected")
	case 'n':
		return nil
	}
	*t = text(b)
	return nil
}

// method is what a request asks for.
type method struct {
	answer func(*call, context.Context) (any, error)
	kind   string // of the file that it is about; "" stands for both
}

const version = "bicep/version" // the method without a file

var methods = map[string]method{
	version:                    {answer: (*call).version},
	"bicep/compile":            {answer: (*call).compile},
	"bicep/compileParams":      {answer: (*call).compileParams, kind: ".bicepparam"},
	"bicep/getMetadata":        {answer: (*call).metadata},
	"bicep/getDeploymentGraph": {answer: (*call).graph},
	"bicep/getFileReferences":  {answer: (*call).references},
	"bicep/getSnapshot":        {answer: (*call).snapshot, kind: ".bicepparam"},
	"bicep/format":             {answer: (*call).format},
}

// Handle answers a request.
func (m *Methods) Handle(ctx context.Context, name string, params json.RawMessage) (any, error) {
	asked, known := methods[name]
	if !known {
		return nil, &jsonrpc.Error{Code: jsonrpc.NoMethod, Message: fmt.Sprintf("there is no method %q", name)}
	}
	args, err := parse(params)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: name + ": " + err.Error()}
	}
	c := &call{args: args, keep: &m.workspace}
	folder := ""
	if name != version {
		if c.path, err = fileOf(string(args.Path), asked.kind); err != nil {
			return nil, err
		}
		folder = filepath.Dir(c.path)
	}
	if c.Work, err = m.Open(ctx, folder); err != nil {
		return nil, err
	}
	defer c.Stop()
	result, err := asked.answer(c, c.Context)
	var internal *bicep.InternalError
	if errors.As(err, &internal) {
		m.Bug(internal.Fault, internal.Stack)
		return nil, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: err.Error()}
	}
	if late := context.Cause(c.Context); err != nil && late != nil && ctx.Err() == nil {
		err = late
	}
	return result, err
}

// parse reads the parameters of a request: an object, or an array that holds it.
func parse(params json.RawMessage) (*arguments, error) {
	if bytes.HasPrefix(params, []byte("[")) {
		var list []json.RawMessage
		if err := json.Unmarshal(params, &list); err != nil || len(list) != 1 {
			return nil, errors.New("params has one element, an object")
		}
		params = list[0]
	}
	if !bytes.HasPrefix(params, []byte("{")) {
		return nil, errors.New("params is an object")
	}
	var args arguments
	if err := json.Unmarshal(params, &args); err != nil {
		return nil, err
	}
	return &args, nil
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

func (c *call) request() bicep.Request {
	r := c.Request(c.Base, c.path)
	r.Workspace = c.keep
	return r
}

func (c *call) isParams() bool { return strings.EqualFold(filepath.Ext(c.path), ".bicepparam") }

func (c *call) compile(ctx context.Context) (any, error) {
	r := c.request()
	if !c.isParams() {
		result, err := c.Compiler.Build(ctx, r)
		if err != nil {
			return nil, err
		}
		return c.compiled(result, object{"contents": result.Template}), nil
	}
	r.ParametersOnly = true
	result, err := c.Compiler.BuildParams(ctx, r)
	if err != nil {
		return nil, err
	}
	return c.compiled(result, object{"contents": result.Parameters}), nil
}

func (c *call) compileParams(ctx context.Context) (any, error) {
	overrides := string(c.args.ParameterOverrides)
	if !strings.HasPrefix(overrides, "{") {
		return nil, errors.New("parameterOverrides is missing: it is an object, such as {}")
	}
	r := c.request()
	r.Workspace = nil // the text is not that of the file
	r.Overrides = overrides
	result, err := c.Compiler.BuildParams(ctx, r)
	if err != nil {
		return nil, err
	}
	return c.compiled(result,
		object{"parameters": result.Parameters, "template": result.Template, "templateSpecId": []byte(result.TemplateSpec)}), nil
}

// compiled returns the answer about a compile. Of texts, those that there are are in it.
func (c *call) compiled(result *bicep.Result, texts object) object {
	diagnostics := []object{}
	c.Judge(result.Findings, "")
	for _, f := range result.Findings {
		path := f.Path
		if path == "" {
			path = c.path
		}
		end := f.End
		if end == (source.Position{}) {
			end = f.Start
		}
		diagnostics = append(diagnostics, object{
			"source": path, "range": rangeOf(bicep.Range{Start: f.Start, End: end}),
			"level": level(f.Severity), "code": f.Code, "message": f.Message,
		})
	}
	answer := object{"success": !report.AnyError(result.Findings), "diagnostics": diagnostics}
	for name, text := range texts {
		if b := text.([]byte); len(b) > 0 && !report.AnyError(result.Findings) {
			answer[name] = string(b)
		}
	}
	return answer
}

// level is a severity as the protocol spells it.
func level(s report.Severity) string {
	name := s.String()
	return strings.ToUpper(name[:1]) + name[1:]
}

// rangeOf is a range as the protocol counts: from 0.
func rangeOf(r bicep.Range) object {
	at := func(p source.Position) object {
		return object{"line": max(p.Line-1, 0), "char": max(p.Column-1, 0)}
	}
	return object{"start": at(r.Start), "end": at(r.End)}
}

func (c *call) metadata(ctx context.Context) (any, error) {
	d, err := bicep.Embedded{}.Describe(ctx, c.request())
	if err != nil {
		return nil, err
	}
	metadata := []object{}
	for _, one := range d.Metadata {
		metadata = append(metadata, object{"name": one.Name, "value": one.Value})
	}
	return object{"metadata": metadata, "parameters": declarations(d.Parameters),
		"outputs": declarations(d.Outputs), "exports": declarations(d.Exports)}, nil
}

func declarations(list []bicep.Declaration) []object {
	out := []object{}
	for _, one := range list {
		o := object{"range": rangeOf(one.Range), "name": one.Name}
		if one.Type == "" {
			o["kind"] = one.Kind
		} else {
			typ := object{"name": one.Type}
			if one.TypeRange != nil {
				typ["range"] = rangeOf(*one.TypeRange)
			}
			o["type"] = typ
		}
		if one.Description != nil {
			o["description"] = *one.Description
		}
		out = append(out, o)
	}
	return out
}

func (c *call) graph(ctx context.Context) (any, error) {
	d, err := bicep.Embedded{}.Describe(ctx, c.request())
	if err != nil {
		return nil, err
	}
	nodes, edges := []object{}, []object{}
	for _, n := range d.Nodes {
		o := object{"range": rangeOf(n.Range), "name": n.Name, "type": n.Type, "isExisting": n.Existing}
		if n.Path != "" {
			o["relativePath"] = n.Path
		}
		nodes = append(nodes, o)
	}
	for _, e := range d.Edges {
		edges = append(edges, object{"source": e.From, "target": e.To})
	}
	return object{"nodes": nodes, "edges": edges}, nil
}

func (c *call) references(ctx context.Context) (any, error) {
	d, err := bicep.Embedded{}.Describe(ctx, c.request())
	if err != nil {
		return nil, err
	}
	return object{"filePaths": d.Files}, nil
}

func (c *call) format(context.Context) (any, error) {
	content, err := c.Base.FS.ReadFile(c.path)
	if err != nil {
		return nil, err
	}
	f, err := format.New(c.Base.FS, format.Layout{Config: c.Base.Config})
	if err != nil {
		return nil, err
	}
	out, err := f.Format(c.path, content)
	if err != nil {
		return nil, err
	}
	return object{"contents": out.Text}, nil
}

func (c *call) snapshot(ctx context.Context) (any, error) {
	m := c.args.Metadata
	if m == nil {
		return nil, errors.New("metadata is missing: it is an object, such as {}")
	}
	known := snapshots.Known{
		Context: expand.Context{
			TenantID: string(m.TenantID), SubscriptionID: string(m.SubscriptionID), ManagementGroupID: string(m.ManagementGroupID),
			ResourceGroup: string(m.ResourceGroup), Location: string(m.Location), DeploymentName: string(m.DeploymentName),
		},
		Counts: func(string) bool { return true },
	}
	for _, one := range c.args.ExternalInputs {
		in := snapshots.Input{Kind: string(one.Kind)}
		for from, to := range map[*json.RawMessage]*armjson.Value{&one.Config: &in.Config, &one.Value: &in.Value} {
			if *from == nil {
				continue
			}
			var err error
			if *to, err = armjson.ParseBytes(*from, armjson.Options{}); err != nil {
				return nil, fmt.Errorf("externalInputs: %w", err)
			}
		}
		if in.Value == nil {
			return nil, fmt.Errorf("externalInputs: the input of kind %q has no value", in.Kind)
		}
		known.Inputs = append(known.Inputs, in)
	}
	taken, _, err := snapshots.Take(ctx, c.Project, c.path, known, func(r *bicep.Result) error {
		c.Judge(r.Findings, "")
		return report.ErrorOf(r.Findings)
	})
	if err != nil {
		return nil, err
	}
	return object{"snapshot": strings.TrimSuffix(string(taken.Text()), "\n")}, nil
}
