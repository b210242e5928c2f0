package generate

import (
	"cmp"
	"errors"
	"slices"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/recipes"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/aso"
	"github.com/radbicep/rad/pkg/manifest/crossplane"
	"github.com/radbicep/rad/pkg/manifest/kubernetes"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/manifest/schema"
	"github.com/radbicep/rad/pkg/params"
)

// Kind is a kind of objects that is made of the resources of a program: all that has to be
// known of a target, but its settings.
type Kind struct {
	Name string
	What string // its objects, as messages call them
	// Owns reports whether an object is one that the target makes; nil if those may be of any kind. The files of such
	// a target are known by the comment at their top.
	Owns func(manifest.Head) bool
	// Existing says that the target is about existing resources, so that one which nothing
	// refers to is not superfluous.
	Existing bool
	// Requirements returns what has to be in a cluster for objects of the target, with comments for people. name is that
	// of the role of who applies them, kinds are those of the CRDs that are given. It is nil where a target needs nothing that
	// differs between programs.
	Requirements func(name string, list []*manifest.Object, kinds *schema.Kinds) (made []*manifest.Object, comments []string)

	convert func(objects.Input) (*objects.Output, error)
}

// Kinds are the targets beside those that make a DeploymentTemplate. A target is one entry
// here, a package, and its settings.
var Kinds = []*Kind{
	{Name: "aso", What: "Azure Service Operator objects", convert: aso.Convert, Owns: aso.Owns, Requirements: aso.Requirements},
	{Name: "crossplane", What: "Crossplane objects", convert: crossplane.Convert, Owns: crossplane.Owns, Existing: true},
	{Name: "kubernetes", What: "Kubernetes objects", convert: kubernetes.Convert},
}

// OfAnyKind reports whether the objects of the target may be of any kind.
func (k *Kind) OfAnyKind() bool { return k != nil && k.Owns == nil }

// KindOf returns the kind of a name, or nil.
func KindOf(name string) *Kind {
	for _, k := range Kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// ObjectOptions say how objects are made.
type ObjectOptions struct {
	Name                string // "" is the name of the template's file
	Namespace           string
	Labels, Annotations map[string]string
	Context             expand.Context
	Settings            map[string]string // those that only this target has, by key
	Recipes             *Recipes          // what stands for the cluster of Radius; nil for targets that have no use for it
	// CRDs define kinds, beside those of Kubernetes and Gateway API.
	CRDs []*schema.Definition
	// Secure says what becomes of values of secure parameters, of which none needs one; "" is params.SecureError.
	Secure params.SecurePolicy
}

// kinds are those that are known.
func (o *ObjectOptions) kinds() *schema.Kinds {
	k := &schema.Kinds{}
	k.Use(o.CRDs)
	return k
}

// Objects are what a target made.
type Objects struct {
	List     []*manifest.Object
	Comments []string // on the objects, for people
	Secrets  []objects.Secret
	LeftOut  []objects.Left
}

// ErrOptions is the error about objects that lack nothing but options of the deployment. The
// findings name them.
var ErrOptions = errors.New("options of the target are missing")

// Objects makes the objects of a kind. A resource that such objects cannot express is a finding.
// The program has to be symbolic, since only such a template names existing resources.
func (p *Program) Objects(k *Kind, o ObjectOptions) (*Objects, Found, error) {
	values, found := p.Written(o.Secure, k)
	if err := p.unfit(found); err != nil {
		return nil, found, err
	}
	in := objects.Input{
		Name: o.Name, Namespace: o.Namespace, Labels: o.Labels, Annotations: o.Annotations, Options: o.Settings,
		Secure: map[string]bool{}, Vault: map[string]bool{},
	}
	in.Name = cmp.Or(in.Name, p.Name)
	for _, v := range values {
		in.Vault[v.Name] = v.Reference != nil
	}
	for _, d := range p.Declared.All() {
		in.Secure[d.Name] = d.Secure
	}
	scope := expand.TemplateScope(p.Tree)
	if o.Context.SubscriptionID == "" && (scope == "resourceGroup" || scope == "subscription") {
		in.Missing = append(in.Missing, objects.OptionSubscription)
	}
	if o.Context.ResourceGroup == "" && scope == "resourceGroup" {
		in.Missing = append(in.Missing, objects.OptionGroup)
	}
	failing, ok := p.expandFor(&in, values, o, &found)
	if o.Recipes != nil {
		found.Findings = append(found.Findings, o.Recipes.late...)
	}
	if !ok {
		return nil, found, p.failedWith(found)
	}
	needsGroup := firstOfRadius(in.Program)
	if o.Recipes == nil || o.Context.RadiusGroup != "" {
		needsGroup = nil
	}
	in.Recipes = in.Recipes || needsGroup != nil
	in.Kinds = o.kinds()
	out, err := k.convertAll(in)
	if err != nil {
		return nil, found, err
	}
	if r := needsGroup; r != nil {
		out.RefuseMissing(r.Position, "the ID of "+r.Type+" "+r.Symbol+", which goes into objects,", "group")
		out.Sort()
	}
	if err := in.Kinds.Err(); err != nil {
		return nil, found, err
	}
	if failing { // what cannot be evaluated is not known for that reason alone
		out.Problems = slices.DeleteFunc(out.Problems,
			func(p objects.Problem) bool { return p.Code == objects.CodeUnknown && len(p.Missing) == 0 })
	}
	if len(out.Objects) == 0 && len(out.LeftOut) == 0 && len(out.Problems) == 0 && !failing {
		code, text := "no-objects", "the file has no resources that "+k.What+" are made of"
		if len(out.Secrets) > 0 {
			code, text = kubernetes.CodeSecret, "there is nothing to write: all objects are Secrets with secret values, "+
				"which are not written; make them yourself"
		}
		if in.Skips() {
			out.Warn(expand.Position{}, code, "%s", text)
			out.Comments = append(out.Comments, text)
		} else {
			out.Refuse(expand.Position{}, code, "%s", text)
		}
	}
	p.addProblems(&found, report.Error, out.Problems)
	p.addProblems(&found, report.Warning, out.Warnings)
	switch {
	case len(out.Problems) > 0 && !failing &&
		!slices.ContainsFunc(out.Problems, func(p objects.Problem) bool { return len(p.Missing) == 0 }):
		return nil, found, ErrOptions
	case len(out.Problems) > 0 || failing:
		return nil, found, p.failedWith(found)
	}
	if out.Fault != "" {
		return nil, found, &bicep.InternalError{File: p.Path, Fault: out.Fault}
	}
	return &Objects{out.Objects, out.Comments, out.Secrets, out.LeftOut}, found, nil
}

// convertAll makes objects and holds them to the schemas of their kinds. It does so again without what cannot be written, as
// long as the user asks for that and there is more of it.
func (k *Kind) convertAll(in objects.Input) (*objects.Output, error) {
	for {
		out, err := k.convert(in)
		if err != nil {
			return nil, err
		}
		out.Check(in.Kinds, k.OfAnyKind() || len(in.Kinds.Defined()) > 0)
		if !in.LeaveOut(out.Problems) {
			return out, nil
		}
	}
}

// expandFor predicts what is deployed: as it is written, without the values of secure
// parameters, and as it may be shown, without those of the environment too. failing says that
// a deployment would fail; ok is false if nothing can be predicted.
func (p *Program) expandFor(in *objects.Input, values params.Values, of ObjectOptions, found *Found) (failing, ok bool) {
	o := expand.Options{Context: of.Context, Tolerant: true, SecretsApart: true}
	said := map[expand.Position]bool{} // where something was found
	find := func(at expand.Position, message string) {
		failing, said[at] = true, true
		found.find(positioned(at, p.Path,
			report.Finding{Severity: report.Error, Code: expand.CodeCannotExpand, Message: report.Sentence(message)}))
	}
	var err error
	var shown, program *recipes.Engine
	if in.Shown, shown, err = p.expandBy(of.Recipes, values, o, false); err != nil {
		p.notExpanded(err, found)
		return true, false
	}
	for _, d := range in.Shown.Diagnostics {
		if d.Level == "Warning" {
			find(d.Position, d.Message)
		}
	}
	in.Program, in.Recipes, in.Made = in.Shown, shown != nil, madeOf(shown, shown)
	if !anyHidden(values) && (of.Recipes == nil || !of.Recipes.hidden) {
		return p.noteRecipes(in, found, shown, shown) || failing, true
	}
	const why = "the deployment would fail because of a value of the environment, which is not shown"
	o.ForWriting = true
	if in.Program, program, err = p.expandBy(of.Recipes, values, o, false); err != nil {
		e := new(expand.Error)
		errors.As(err, &e)
		find(e.Position, why)
		return true, false
	}
	for _, d := range in.Program.Diagnostics {
		if d.Level == "Warning" && !said[d.Position] {
			find(d.Position, why)
		}
	}
	in.Made = madeOf(program, shown)
	failing = p.noteRecipes(in, found, program, shown) || failing
	return failing, true
}

// anyHidden reports whether there are values that are written and not shown.
func anyHidden(values params.Values) bool {
	return slices.ContainsFunc(values, func(v params.Bound) bool { return !v.Mark.Shown() && v.Mark.Written() })
}

// firstOfRadius returns a resource of Radius that a program deploys; nil if there is none.
func firstOfRadius(program *expand.Result) *expand.Resource {
	for _, r := range program.Resources {
		if r.IsRadius() && !r.Existing {
			return r
		}
	}
	return nil
}

// addProblems adds what a target found.
func (p *Program) addProblems(found *Found, level report.Severity, list []objects.Problem) {
	for i := range list {
		one := &list[i]
		one.Resource = nil // findings are kept until the end, and all of the program with it
		found.find(positioned(one.Position, p.Path,
			report.Finding{Severity: level, Code: one.Code, Message: report.Sentence(one.Message), Cause: one}))
	}
}
