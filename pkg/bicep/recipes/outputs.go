package recipes

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// maxReturned is how many bytes all that recipes return may take when it is written: each may return what those before it
// returned, and more than once.
const maxReturned = 16 << 20

// output is what a recipe returns.
type output struct {
	values, secrets *armjson.Object
	assumed         expand.Value // the property secrets, if somebody says it
	source          string
}

// recipe runs the recipe of a resource, or of the Secret that belongs to one. It says of the resource what is wrong.
func (e *Engine) recipe(s *state, env *environment, context *armjson.Object) output {
	kind, name := context.Object("resource").Str("type"), context.Object("resource").Str("name")
	out := output{values: armjson.NewObject(), secrets: armjson.NewObject()}
	of, assumed := env.recipeOf(kind), e.assumed(kind, name)
	give := assumption(kind, name, "")
	made := &Made{Resource: s.r, Type: kind, Name: name, Context: context}
	s.made = append(s.made, made)
	if of != nil {
		s.given = object(member("recipe", of.declared), member("context", context))
		if v := env.parameters.Value(kind); v != nil {
			s.given.Set("recipeParameters", v)
		}
		if at, code, wrong := of.unfit("recipes", kind); wrong != "" {
			e.fail(s, code, "%s of the pack %s %s, so the recipe cannot run", strings.Join(at, "."), of.pack, wrong)
			return out
		}
	}
	switch {
	case of != nil && strings.EqualFold(of.kind, "bicep"):
	case assumed != nil:
		return e.assume(out, assumed)
	case of == nil:
		e.fail(s, CodeMissing, "no recipe pack of the environment %s has a recipe for %s", env.name, kind).helps(OptionAssume, give)
		return out
	default:
		e.fail(s, CodeKind, "its recipe is in %q, which is not evaluated here", of.kind).helps(OptionAssume, give)
		return out
	}
	out.source = of.source
	template := e.template(s, of, assumed != nil)
	if template == nil {
		return e.assume(out, assumed)
	}
	given, ok := e.parameters(s, of, env, kind, template, context)
	if !ok {
		return out
	}
	made.Given = given
	if made.Result = e.expand(s, of, env, template, given); made.Result == nil {
		return out
	}
	wrong := e.read(s, &out, of, template, made.Result)
	e.returned += eval.Weight(armjson.Array{out.values, out.secrets}, maxReturned, maxReturned)
	cloud := cloudOf(kind, made.Result)
	if e.o.Partly && cloud != anImage {
		cloud = "" // it is shown
	}
	switch {
	case e.returned > maxReturned:
		e.fail(s, expand.CodeCannotExpand, "with what its recipe %s returns, all that recipes return takes more than %d MB",
			of.source, maxReturned>>20)
	case cloud != "" && assumed == nil:
		made.Result = nil // of which nothing more is said
		then := ""
		if names := e.unknownNames(s, kind, out.values); len(names) > 0 {
			then, give = ", and only then returns "+strings.Join(names, ", "), assumption(kind, name, names[0])
		}
		e.fail(s, CodeCloud, "its recipe %s deploys %s, which is no object of Kubernetes%s: deploy that in another way",
			of.source, cloud, then).helps(OptionAssume, give)
	case cloud != "":
		made.Result = onlyObjects(made.Result)
		e.Notices = append(e.Notices,
			fmt.Sprintf("%s %s: %s, which its recipe deploys, is left out: deploy that in another way", kind, name, cloud))
	case wrong.Code != "" && assumed == nil:
		e.fail(s, wrong.Code, "%s", wrong.Message)
	}
	return e.assume(out, assumed)
}

// assumption is what gives a resource a property.
func assumption(kind, name, property string) string {
	return kind + "/" + name + "." + cmp.Or(property, "PROPERTY") + "=VALUE"
}

// unknownNames returns the properties of a resource that are not known among what its recipe returns.
func (e *Engine) unknownNames(s *state, kind string, returned *armjson.Object) (names []string) {
	t := e.o.Types.find(s.kind, s.r.APIVersion, e.o.Release)
	if t == nil || kind != s.kind { // that of its Secret
		return nil
	}
	declared := t.schema.Object("properties")
	for name, v := range returned.All() {
		if declared.Find(name) >= 0 && !expand.IsKnown(v) && !expand.IsSecure(v) {
			names = append(names, name)
		}
	}
	return names
}

// onlyObjects returns what is deployed without what is no object of Kubernetes.
func onlyObjects(result *expand.Result) *expand.Result {
	out := *result
	out.Resources = slices.DeleteFunc(slices.Clone(result.Resources), func(r *expand.Resource) bool { return !r.IsKubernetes() })
	return &out
}

// assume returns what a recipe returns with what somebody says of it.
func (e *Engine) assume(out output, assumed *armjson.Object) output {
	for name, v := range assumed.All() {
		if name == "secrets" { // of which the name counts
			out.values.Delete(name)
			out.assumed = v
		} else {
			out.values.Set(name, plain(v))
		}
	}
	return out
}

// template returns the template of a recipe, nil if it is not there; that is a problem unless no file for it is known and it may miss.
func (e *Engine) template(s *state, of *recipe, mayMiss bool) *Template {
	source, wrong := of.source, ""
	switch {
	case source == "":
		wrong = "its recipe has no source"
	case strings.HasPrefix(source, "br:"), strings.HasPrefix(source, "br/"):
		wrong = "the source " + source + " of its recipe begins with br, which Radius does not take"
	case strings.Contains(source, "@"):
		wrong = "the source " + source + " of its recipe has a digest, which Radius does not take; name a tag"
	}
	if wrong != "" {
		e.fail(s, CodeSource, "%s", wrong)
		return nil
	}
	t, err := e.o.Template(source, of.plainHTTP)
	switch {
	case errors.Is(err, ErrLater):
	case errors.Is(err, ErrHidden):
		e.fail(s, CodeUnknown, "%v", err)
	case err != nil:
		p := e.fail(s, CodeSource, "%v", err)
		p.Err, p.Example = err, Repository(source)+"=PATH"
	case t == nil && !mayMiss:
		e.fail(s, CodeSource, "the template of its recipe %s is not here", source).helps(OptionSource, Repository(source)+"=PATH")
	}
	return t
}

// parameters returns what a recipe is given.
func (e *Engine) parameters(s *state, of *recipe, env *environment, kind string, t *Template,
	context *armjson.Object) (map[string]expand.Parameter, bool) {
	declared, properties := t.Tree.Object("parameters"), context.Object("resource").Object("properties")
	if path := unknownPart(properties.Value("recipe"), 1, "properties", "recipe"); path != nil {
		e.fail(s, CodeUnknown, "%s is secret as a whole, or not known before the deployment, so its recipe %s cannot run",
			strings.Join(path, "."), of.source)
		return nil, false
	}
	given := parametersOf(of, env, kind, properties)
	if declared.Find("context") >= 0 {
		given.Set("context", context)
	} else {
		resolve := newResolver(context)
		for name, v := range given.Clone().All() {
			if v = resolve.value(v); v == (armjson.Null{}) {
				given.Delete(name)
			} else {
				given.Set(name, v)
			}
		}
		for _, text := range resolve.left {
			e.warn(s, CodeExpression, "%s in the parameters of its recipe %s names nothing, and stays a text", text, of.source)
		}
		if len(resolve.undecided) > 0 {
			e.fail(s, CodeUnknown, "a parameter of its recipe %s depends on a value that is not known, or a secret: {{%s}}",
				of.source, resolve.undecided[0])
			return nil, false
		}
	}
	out := map[string]expand.Parameter{}
	for name, v := range given.All() {
		if _, ok := declared.Lookup(name); !ok {
			e.fail(s, CodeParameter, "its recipe %s does not declare the parameter %q that it is given", of.source, name)
			return nil, false
		}
		out[name] = expand.Parameter{Value: v}
	}
	for name, v := range declared.All() {
		d, _ := v.(*armjson.Object)
		if d != nil && d.Find("defaultValue") < 0 && !d.Is("nullable") && d.Find("$ref") < 0 && given.Find(name) < 0 {
			e.fail(s, CodeParameter, "its recipe %s needs a value for the parameter %q", of.source, name)
			return nil, false
		}
	}
	return out, true
}

// expand predicts what a recipe deploys; nil if it fails. It is a deployment of its own, whose name is another each time, and
// whose place in a cloud is that of the environment.
func (e *Engine) expand(s *state, of *recipe, env *environment, t *Template, given map[string]expand.Parameter) *expand.Result {
	o := e.o.Expand
	o.Context.SubscriptionID, o.Context.ResourceGroup = azureScope(env.azure)
	o.Context.AWSScope = env.aws
	o.Context.DeploymentName = ""
	o.Parameters, o.Places, o.Trees, o.Strict, o.Returned = given, t.Places, &t.Trees, true, nil
	result, err := expand.Expand(t.Tree, o)
	if err != nil {
		e.fail(s, expand.CodeCannotExpand, "its recipe %s: %v", of.source, err)
		return nil
	}
	for _, d := range result.Diagnostics {
		if d.Level == "Warning" {
			code := expand.CodeCannotExpand
			if strings.HasPrefix(d.Target, "parameter ") {
				code = CodeParameter
			}
			e.fail(s, code, "its recipe %s fails: %s", of.source, d.Message)
		}
	}
	if s.failed {
		return nil
	}
	for _, r := range result.Resources {
		if r.Position.File == "" { // the recipe is no Bicep file
			r.Position = s.r.Position
		}
	}
	return result
}

const anImage = "an image that it builds"

// cloudOf returns what a recipe deploys beside objects of Kubernetes; "" if nothing.
func cloudOf(kind string, result *expand.Result) string {
	for _, r := range result.Resources {
		if !r.Existing && !r.IsKubernetes() {
			if r.Extension != nil && r.Extension.Provider == "" {
				return r.Type + " of an extension that it does not declare"
			}
			return r.Type
		}
	}
	built := slices.ContainsFunc(result.Outputs, func(o expand.Output) bool { return o.Name == "imageBuild" })
	if strings.EqualFold(kind, "Radius.Compute/containerImages") && built {
		return anImage
	}
	return ""
}

// read reads the outputs of a recipe: by the mapping of the pack, or its output result, or all of them. It says what is wrong
// with the output result.
func (e *Engine) read(s *state, out *output, of *recipe, t *Template, result *expand.Result) (wrong Problem) {
	all := map[string]expand.Value{}
	secure := map[string]bool{}
	declared := t.Tree.Object("outputs")
	for _, o := range result.Outputs {
		all[o.Name] = o.Value
		secure[o.Name] = strings.HasPrefix(strings.ToLower(declared.Object(o.Name).Str("type")), "secure")
	}
	if of.outputs.Len()+of.secrets.Len() > 0 {
		for _, mapping := range []*armjson.Object{of.outputs, of.secrets} {
			for name, v := range mapping.All() {
				from, _ := expand.Known(v)
				value, ok := all[from]
				switch {
				case !ok:
					e.warn(s, CodeResult, "the pack %s maps %s to the output %q, which the recipe %s does not have",
						of.pack, name, from, of.source)
				case mapping == of.secrets || secure[from]:
					out.secrets.Set(name, value)
				default:
					out.values.Set(name, value)
				}
			}
		}
		return wrong
	}
	if v, ok := all["result"]; ok {
		return out.result(of, v)
	}
	for _, o := range result.Outputs {
		if secure[o.Name] {
			out.secrets.Set(o.Name, o.Value)
		} else {
			out.values.Set(o.Name, o.Value)
		}
	}
	return wrong
}

// result reads the output result, and says what is wrong with it.
func (out *output) result(of *recipe, v expand.Value) (wrong Problem) {
	say := func(code, format string, args ...any) {
		wrong = Problem{Code: code, Message: fmt.Sprintf(format, args...)}
	}
	if _, unknown := v.(expand.Unknown); unknown {
		say(CodeUnknown, "the output result of its recipe %s is not known before the deployment: %s", of.source, expand.Text(v))
	}
	o, _ := v.(*armjson.Object) // Radius takes no other value, and says nothing
	for name, v := range o.All() {
		inner, isObject := v.(*armjson.Object)
		_, null := v.(armjson.Null)
		_, unknown := v.(expand.Unknown)
		switch lower := strings.ToLower(name); {
		case lower == "resources" && notIDs(v) != nil:
			say(CodeResult, "%s in the output result of its recipe %s has %s; Radius takes a list of the IDs of resources",
				name, of.source, expand.Text(notIDs(v)))
		case lower == "resources", lower == "status", null && (lower == "values" || lower == "secrets"):
		case (lower == "values" || lower == "secrets") && !isObject:
			code := CodeResult
			if unknown {
				code = CodeUnknown
			}
			say(code, "%s in the output result of its recipe %s is no object that is known: %s", name, of.source, expand.Text(v))
		case lower == "values":
			out.values = inner.Clone()
		case lower == "secrets":
			out.secrets = inner.Clone()
		default:
			say(CodeResult, "the output result of its recipe %s has the member %q; it may have resources, values and secrets",
				of.source, name)
		}
	}
	return wrong
}

// notIDs returns what is wrong in what should be a list of IDs; nil if nothing is. What is not known is not judged.
func notIDs(v expand.Value) expand.Value {
	switch v := v.(type) {
	case armjson.Null, expand.Unknown:
		return nil
	case armjson.Array:
		for _, x := range v {
			id, _ := x.(armjson.String)
			isID := strings.HasPrefix(string(id), "/") && strings.Contains(string(id), "/providers/")
			if _, unknown := x.(expand.Unknown); !unknown && !isID {
				return x
			}
		}
		return nil
	}
	return v
}

// basic are properties that no recipe returns.
var basic = []string{"application", "environment", "status", "connections", "codeReference", "secrets"}

// store does what Radius does with what a recipe returns: values of the schema become properties, and secrets go to a Secret of
// their own, which the recipe of Radius.Security/secrets makes.
func (e *Engine) store(s *state, env *environment, t *Type, out output) {
	declared := t.schema.Object("properties")
	assumed := e.assumed(s.kind, s.name)
	var lost []string
	for name, v := range out.values.All() {
		switch {
		case declared.Find(name) >= 0 && !slices.Contains(basic, name):
			if _, unknown := v.(expand.Unknown); unknown && !expand.IsSecure(v) && !e.o.Partly { // messages say of which resource it is
				all := eval.Get(eval.NewUnknown(s.r, "reference", armjson.String(s.r.Symbol)), "properties")
				v = eval.Get(all.(*eval.Unknown), name)
			}
			s.stored.Set(name, plain(v))
		case assumed.Find(name) >= 0:
			e.warn(s, CodeLost, "the type does not declare the property %q that is assumed", name)
		default:
			lost = append(lost, name)
		}
	}
	for name, v := range out.secrets.Clone().All() {
		if _, null := v.(armjson.Null); null {
			out.secrets.Delete(name)
		}
	}
	if out.secrets.Len() > 0 && declared.Object("secrets") == nil {
		for name := range out.secrets.All() {
			lost = append(lost, "secrets."+name)
		}
	} else if out.secrets.Len() > 0 {
		e.materialize(s, env, out.secrets)
	}
	if out.assumed != nil {
		s.stored.Set("secrets", out.assumed)
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		e.warn(s, CodeLost, "its recipe %s returns %s, which the type does not declare and Radius drops",
			out.source, strings.Join(lost, ", "))
	}
	recipe := object(text("name", "default"))
	if given := s.stored.Object("recipe"); given != nil {
		recipe = object()
		for _, name := range []string{"name", "parameters"} { // Radius keeps no others
			if v, ok := given.Get(name); ok {
				recipe.Set(name, v)
			}
		}
	}
	recipe.Set("recipeStatus", armjson.String("success"))
	s.stored.Set("recipe", recipe)
	status := s.stored.Object("status").Clone()
	status.Set("outputResources", eval.NewUnknown(s.r, "outputResources", armjson.String(s.id))) // in no object
	status.Set("recipe", object(text("templateKind", "bicep"), text("templatePath", out.source)))
	if out.values.Len() > 0 {
		status.Set("computedValues", plain(out.values))
	}
	s.stored.Set("status", status)
	s.stored = armjson.Sorted(s.stored).(*armjson.Object)
}

// materialize makes the Secret that holds what a recipe returns as secrets.
func (e *Engine) materialize(s *state, env *environment, secrets *armjson.Object) {
	const kind, version = "Radius.Security/secrets", "2025-08-01-preview"
	name := managedName(s.id, s.name)
	data := armjson.NewObject()
	for key, v := range armjson.Sorted(secrets).(*armjson.Object).All() {
		if _, isText := v.(armjson.String); !isText {
			if text, ok := printed(plain(v)); ok {
				v = armjson.String(text)
			} else if _, single := v.(expand.Unknown); !single {
				v = eval.NewUnknown(nil, "string", v)
			}
		}
		data.Set(key, object(member("value", e.secret(v, s.name+".secrets."+key))))
		s.secrets = append(s.secrets, key)
	}
	scope, _, _ := strings.Cut(s.id, "/providers/")
	s.secretID = scope + "/providers/" + kind + "/" + name
	properties := object(member("data", data), text("environment", env.id))
	if application, ok := s.stored.Get("application"); ok && application != armjson.String("") {
		properties.Set("application", application)
	}
	if t := e.o.Types.find(kind, version, e.o.Release); t != nil {
		applyDefaults(properties, t.schema)
	}
	if env.recipeOf(kind) == nil {
		e.fail(s, CodeMissing, "its recipe returns secrets, and no recipe pack of the environment %s has a recipe for %s: "+
			"in a cluster, there would be no Secret, and no error", env.name, kind)
		return
	}
	context := contextOf(e, s.secretID, kind, name, armjson.Sorted(properties).(*armjson.Object), armjson.NewObject(), env)
	e.recipe(s, env, context)
	reference := s.stored.Object("secrets").Clone()
	reference.Set("name", armjson.String(name))
	s.stored.Set("secrets", reference)
}

// managedName returns the name of the Secret that belongs to a resource.
func managedName(id, name string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(id)))
	hash := hex.EncodeToString(sum[:4])
	owner := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	const longest = 63 - len("-secrets") - len("-12345678")
	if owner = strings.Trim(owner, "-"); len(owner) > longest {
		owner = strings.Trim(owner[:longest], "-")
	}
	return strings.TrimPrefix(owner+"-"+hash+"-secrets", "-")
}
