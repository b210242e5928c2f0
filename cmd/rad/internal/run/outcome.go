package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/manifest/schema"
)

// Outcome is what became of one target.
type Outcome struct {
	Target   *targets.Target
	Manifest *manifest.Manifest // nil if objects are made
	Kind     *generate.Kind     // nil if a DeploymentTemplate is made
	Making   string             // the target that says what is made, where that is known
	Objects  []*manifest.Object
	CRDs     []*schema.Definition // by which the objects were made
	Header   []string             // the comment at the top of the file
	Comments []string             // on the objects
	Secrets  []objects.Secret
	LeftOut  []objects.Left
	Folder   string // that the object goes to with others
	Content  []byte
	Private  bool // the content holds secrets
	Program  *generate.Program
	Context  expand.Context // that Program was expanded with
	Findings []report.Finding
	Missing  []report.Finding // on what was not read, where that is not an error
	Follow   int              // how many findings are left out, since they follow from others
	Notices  []string
	Explain  []Explained
	Files    []string
	Reads    *workdir.Trace // what was read, if that is asked for
	Err      error          // the work could not be done

	Delivered Delivered // what became of the manifest
}

// Delivered is what --format json says of a manifest.
type Delivered struct {
	Input      string          `json:"input" doc:"the template or parameter file, as it was named"`
	Name       string          `json:"name"`
	Namespace  string          `json:"namespace,omitempty"`
	File       string          `json:"file,omitempty" doc:"where the manifest is; absent if it is printed"`
	State      string          `json:"state" enum:"written,unchanged,stale,absent,printed" doc:"stale and absent: with --check and --diff, the file differs or does not exist"`
	Stamp      bool            `json:"generatorOnly,omitempty" doc:"the file differs only in the compiler's version and hash"`
	Size       int             `json:"size" doc:"of the manifest, in bytes"`
	Conflict   bool            `json:"conflict,omitempty" doc:"the file has conflict markers"`
	Private    bool            `json:"private,omitempty" doc:"it holds values of secure parameters"`
	Content    string          `json:"content,omitempty" doc:"the manifest, if it is printed"`
	Diff       string          `json:"diff,omitempty" doc:"with --diff: unified diff, secure values masked"`
	Plan       json.RawMessage `json:"plan,omitempty" schema:"plan" doc:"with --diff=resources"`
	Parameters []Explained     `json:"parameters,omitempty" doc:"with --explain-parameters"`
}

// Secret is what --format json says of a Secret of the cluster that is in no manifest.
type Secret struct {
	Input     string   `json:"input" doc:"the template or parameter file, as it was named"`
	Name      string   `json:"name"`
	Namespace string   `json:"namespace,omitempty"`
	Keys      []string `json:"keys"`
	More      bool     `json:"more,omitempty" doc:"it has more keys, which are secret or not known"`
}

// Left is what --format json says of a resource that is left out.
type Left struct {
	Input    string `json:"input" doc:"the template or parameter file, as it was named"`
	Resource string `json:"resource" doc:"its symbolic name"`
	Why      string `json:"why"`
}

// Fail notes why the work could not be done, beside what else went wrong.
func (r *Outcome) Fail(err error) { r.Err = errors.Join(r.Err, err) }

// Written reports whether the manifest was written now.
func (r *Outcome) Written() bool { return r.Delivered.State == "written" }

// Failed reports whether nothing can be made of the target.
func (r *Outcome) Failed() bool { return r.Err != nil || report.AnyError(r.Findings) }

// Load loads the program of the target, as Load does. What was found is added by Note, once something is made of it.
func (r *Outcome) Load(ctx context.Context, side project.Side, ask Ask) *generate.Program {
	p := Load(ctx, side, r.Target, ask)
	r.Missing, r.Files, r.Follow = append(r.Missing, p.Missing...), append(r.Files, p.Files...), r.Follow+p.Follow
	if p.Err != nil {
		r.Fail(cli.ProgramError(p.Err, r.Target.ListedAt))
	}
	return p
}

// Note adds what was found in the program, and while something was made of it.
func (r *Outcome) Note(found generate.Found) {
	r.Findings, r.Notices = append(r.Findings, found.Findings...), append(r.Notices, found.Notices...)
}

// What is how messages call what a target makes.
func (r *Outcome) What() string {
	if r.Kind == nil {
		return "DeploymentTemplate resource"
	}
	return strings.ToUpper(r.Kind.What[:1]) + r.Kind.What[1:]
}

// Called returns the name and the namespace of what was made: of the manifest, or of the
// one object.
func (r *Outcome) Called() (name, namespace string) {
	switch {
	case r.Manifest != nil:
		return r.Manifest.Name, r.Manifest.Namespace
	case len(r.Objects) == 1 && r.Objects[0].Name != "":
		return r.Objects[0].Called(), r.Objects[0].CalledIn()
	case r.Folder != "":
		return filepath.Base(r.Target.Outfile), ""
	case len(r.Objects) == 0:
		return filepath.Base(r.Target.Input), ""
	}
	return filepath.Base(r.Target.Input), r.Objects[0].CalledIn()
}

// Verb is the verb that goes with what.
func (r *Outcome) Verb() string {
	if r.Kind == nil {
		return "is"
	}
	return "are"
}

// Owns reports whether the content of a file is what the target makes, so that the command
// may replace it.
func (r *Outcome) Owns(content []byte) bool {
	if first, second, ok := manifest.Sides(content); ok {
		return r.Owns(first) && r.Owns(second)
	}
	if r.Kind == nil {
		return manifest.IsManifest(content)
	}
	if r.Kind.OfAnyKind() {
		return targets.HasHeader(content) || manifest.HoldsOne(r.Objects, content)
	}
	heads, ok := manifest.Heads(content)
	return ok && len(heads) > 0 && !slices.ContainsFunc(heads, func(h manifest.Head) bool { return !r.Kind.Owns(h) })
}

// ObjectKey is what identifies an object in a cluster, and how messages show it.
type ObjectKey struct {
	Key, Shown string
	Object     *manifest.Object // nil of a DeploymentTemplate
}

// Shared reports whether two targets may both make the object: a namespace, in the same words.
func (k ObjectKey) Shared(o ObjectKey) bool {
	return k.Object != nil && o.Object != nil && k.Object.Kind == "Namespace" && armjson.Equal(k.Object.Root(), o.Object.Root())
}

// Identities returns what identifies the objects that were made.
func (r *Outcome) Identities() []ObjectKey {
	if r.Manifest != nil {
		return []ObjectKey{{Key: manifest.Kind + "/" + r.Manifest.Namespace + "/" + r.Manifest.Name, Shown: r.Manifest.Name}}
	}
	var list []ObjectKey
	for _, o := range r.Objects {
		of := o.Kind + "." + o.Group() + "/"
		list = append(list, ObjectKey{of + o.Namespace + "/" + o.Name, of + o.CalledIn() + "/" + o.Called(), o})
	}
	return list
}

// Refused says that the cluster will refuse what the manifest holds, or nothing: the
// compiler only warns of required properties that a resource lacks.
func (r *Outcome) Refused() string {
	n := 0
	for _, f := range r.Findings {
		if f.Code == "BCP035" && r.Kind == nil {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", but Radius will refuse it: required properties are missing in %s (BCP035)", cli.Plural(n, "place"))
}

// Explained says where the value of a parameter came from.
type Explained struct {
	Name   string          `json:"name"`
	State  string          `json:"state" enum:"given,reference,secret,secure,unused,default,absent" doc:"secret: a Secret of the cluster has the value; secure: the value is not shown; unused: the value was left out; default: that of the template; absent: there is no value"`
	Source string          `json:"source,omitempty" doc:"where the value was given"`
	Value  json.RawMessage `json:"value,omitempty"`
}

func (e Explained) String() string {
	switch e.State {
	case "default":
		if e.Value == nil {
			return e.Name + ": the template's default, which is not shown"
		}
		return fmt.Sprintf("%s = %s, the template's default", e.Name, e.Value)
	case "absent":
		return e.Name + ": not given"
	case "unused":
		return fmt.Sprintf("%s: from %s, not used", e.Name, e.Source)
	case "reference":
		return fmt.Sprintf("%s = (key vault reference), from %s", e.Name, e.Source)
	case "secret":
		return e.Name + " = (key of a Secret)"
	case "secure":
		return fmt.Sprintf("%s = (secure), from %s", e.Name, e.Source)
	}
	return fmt.Sprintf("%s = %s, from %s", e.Name, e.Value, e.Source)
}
