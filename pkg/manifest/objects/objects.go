// Package objects defines what the targets that make Kubernetes objects of the resources of a
// program have in common: their input and their output. Begin with Input and Output.
//
// Each target is a package beside this one. This one makes no objects.
package objects

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/schema"
)

// Input is what a target makes objects from.
type Input struct {
	Program *expand.Result
	// Shown is the same program, in which values of the environment are secrets as those of secure
	// parameters are: what messages may show. Nil is the program itself.
	Shown *expand.Result
	// Recipes says that recipes of Radius ran for the resources of Radius, and Made is what they deploy beside the program.
	Recipes bool
	Made    []Made
	// Name is that of the manifest: of the template's file, unless the user gives one.
	Name string

	Namespace           string
	Labels, Annotations map[string]string

	// Secure names the secure parameters of the template. In Vault are those whose value
	// a parameter file takes from a key vault.
	Secure, Vault map[string]bool

	// Kinds are those that are known, by which a target may find the scope of its objects. It may add those of the program.
	Kinds *schema.Kinds

	// Options are the settings that only this target has, by key.
	Options map[string]string
	// Missing are the options that say what is deployed to and are not set: OptionSubscription
	// and OptionGroup.
	Missing []string

	left   []Left
	isLeft map[*expand.Resource]bool
}

// Made is what the recipe of a resource deploys.
type Made struct {
	Resource       *expand.Resource // of Input.Program
	For            string           // the resource's type and name
	Program, Shown *expand.Result   // as in Input
}

// Output is what a target made. Where there are problems, the objects are not to be used.
type Output struct {
	Objects []*manifest.Object
	// Of are the resources that objects are made of.
	Of map[*manifest.Object]Origin
	// Comments are what the user should know about the objects, line by line. They stand
	// at the beginning of the manifest.
	Comments []string
	// Secrets are those that the objects need and that are not among them, since their values are secret.
	Secrets  []Secret
	Problems []Problem
	Warnings []Problem
	// LeftOut are the resources that no objects are made of, where the user asks for that.
	LeftOut []Left
	// Fault says that an object does not fit the schema of its kind, and that it is not the program's fault.
	Fault string
	// Missing is that of the input. Settled are options that change nothing of what is said now.
	Missing, Settled []string
}

// Origin is the resource that an object is made of, and how messages call it.
type Origin struct {
	Resource *expand.Resource
	Called   string
	Of       *expand.Resource // whose recipe made it; else the resource itself
	// Place returns where the program says a part of the object; false if the target alone says it. Nil is for objects that are
	// the bodies of their resources.
	Place func(path []string) (at expand.Position, said bool)
}

// place returns where the program says a part of the object, or false.
func (o *Origin) place(path []string) (at expand.Position, said bool) {
	if o.Place == nil {
		return o.Resource.Property(path...), true
	}
	return o.Place(path)
}

// Secret is a Secret of the cluster that a target does not make: the user does.
type Secret struct {
	Name, Namespace string
	Keys            []string
	More            []string // what more keys are that are not among these: secret, not known
}

// Problem is something that a target cannot express, or a warning.
type Problem struct {
	Position expand.Position
	Code     string
	Message  string
	// Resource is what has to be left out for want of a way to write it; nil if there is a mistake.
	Resource *expand.Resource
	// Missing are the options without which a value is not known. Example is a value for the
	// first of them, or "". Other options that help are in Option. The caller knows how its
	// users set options, and says so.
	Missing []string
	Example string
	Option  string
	Err     error // why, where something had to be read; may be nil
}

// Options that problems name. Those of a single target are in its package.
const (
	OptionSubscription = "subscription-id"
	OptionGroup        = "resource-group"
	OptionLocation     = "location"
	OptionTenant       = "tenant-id"
	OptionAWSScope     = "aws-scope"
	OptionNamespace    = "namespace"
	OptionDeployment   = "deployment-name"
	OptionAssume       = "assume"
)

// Refuse adds a problem.
func (o *Output) Refuse(at expand.Position, code, format string, args ...any) {
	o.Problems = append(o.Problems, Problem{Position: at, Code: code, Message: fmt.Sprintf(format, args...)})
}

// Warn adds a warning.
func (o *Output) Warn(at expand.Position, code, format string, args ...any) *Problem {
	o.Warnings = append(o.Warnings, Problem{Position: at, Code: code, Message: fmt.Sprintf(format, args...)})
	return &o.Warnings[len(o.Warnings)-1]
}

// RefuseMissing adds the problem that a value is not known without some options.
func (o *Output) RefuseMissing(at expand.Position, what string, options ...string) *Problem {
	p := Problem{Position: at, Code: CodeUnknown, Message: what + " is not known", Missing: unique(options)}
	if slices.Equal(p.Missing, []string{OptionTenant}) { // each vault needs it, and it is the same for all of them
		if i := slices.IndexFunc(o.Problems, func(other Problem) bool { return slices.Equal(other.Missing, p.Missing) }); i >= 0 {
			return &o.Problems[i]
		}
	}
	o.Problems = append(o.Problems, p)
	return &o.Problems[len(o.Problems)-1]
}

// CodeUnknown is the code of the problem that a value is not known before deployment.
const CodeUnknown = "value-not-known"

// RefuseUnknown adds the problem that a value is not known: why it is not, and what helps.
func (o *Output) RefuseUnknown(at expand.Position, what string, v armjson.Value, shown Shown) *Problem {
	causes := expand.Reasons(v)
	var missing []string
	for _, c := range causes {
		switch {
		case c.Option == "" || c.Kind != expand.Place || slices.Contains(o.Settled, c.Option):
		case slices.Contains(o.Missing, c.Option): // these go together
			missing = append(missing, o.Missing...)
		default:
			missing = append(missing, c.Option)
		}
	}
	if len(missing) > 0 {
		return o.RefuseMissing(at, what, missing...)
	}
	why, remedy := "only the deployment engine can evaluate it", "use a value that is known before the deployment"
	switch {
	case expand.IsSecure(v) && !slices.ContainsFunc(causes, func(c expand.Cause) bool { return c.Kind != expand.NoValue }):
		why, remedy = "it depends on a secure value, which decides nothing here", "use a value that is not secure"
	case len(causes) > 0:
		switch c := causes[0]; c.Kind {
		case expand.Runtime:
			why = "Azure returns it once a resource is deployed"
			switch of := expand.References(v); {
			case len(of) == 0 || of[0].Extension == nil:
			case of[0].IsKubernetes():
				why = "the cluster returns it once the object is there"
			case of[0].IsRadius():
				why = "Radius returns it once the resource is deployed"
			}
		case expand.Keys:
			why = "it is a key that Azure issues, and the property takes plain text"
		case expand.Time:
			why, remedy = "it differs in each deployment", "pass it as a parameter"
		case expand.Place:
			why, remedy = "it depends on where the program is deployed, and no flag gives it", "pass it as a parameter"
		case expand.NoValue:
			why, remedy = "a parameter has no value", "give it a value"
		case expand.Vault:
			why, remedy = "it is in a key vault", "create a secret in the cluster, "+
				"and set the property to a secure parameter without a value"
		case expand.Input:
			why, remedy = "a deployment tool supplies it", "pass it as a parameter"
		}
	}
	o.Refuse(at, CodeUnknown, "%s is not known before the deployment: %s; %s: %s", what, why, remedy, shown.Brief())
	return &o.Problems[len(o.Problems)-1]
}

// Sort orders problems and warnings by where they are.
func (o *Output) Sort() {
	for _, list := range [][]Problem{o.Problems, o.Warnings} {
		slices.SortStableFunc(list, func(a, b Problem) int {
			x, y := a.Position, b.Position
			return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
		})
	}
}

func unique(list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// Error returns the problem's message.
func (p *Problem) Error() string { return p.Message }

// Unwrap returns why something could not be read, or nil.
func (p *Problem) Unwrap() error { return p.Err }
