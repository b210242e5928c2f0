package expand

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// Known returns a string that is known and may be shown.
func Known(v Value) (string, bool) {
	s, ok := v.(armjson.String)
	return string(s), ok
}

// IsKnown reports whether nothing in a value is unknown.
func IsKnown(v Value) bool {
	unknown, _ := eval.Marks(v)
	return !unknown
}

// IsSecure reports whether a value is, or holds, something secure.
func IsSecure(v Value) bool {
	_, mark := eval.Marks(v)
	return !mark.Shown()
}

// HasUnknownName reports whether a value is an object that has a member whose name is not known: an expression stands for it.
func HasUnknownName(v Value) bool { return eval.HasUnknownName(v) }

// FromEnvironment stands for the value of an environment variable that is not looked at.
func FromEnvironment(name string) Unknown {
	return eval.FromEnvironment("readEnvironmentVariable", armjson.String(name))
}

// Text returns a value as a person reads it: a string as it is, an unknown value
// as an expression between brackets, anything else as JSON.
func Text(v Value) string {
	switch v := v.(type) {
	case nil:
		return ""
	case armjson.String:
		return string(v)
	}
	if s, ok := eval.Text(v); ok {
		return s
	}
	return armjson.Text(Printable(v))
}

// Printable returns a value in which expressions stand for what is unknown, as a
// template has it.
func Printable(v Value) Value { return eval.Resolved(v) }

// Expression returns the expression that a value is, as a template has it.
func Expression(v Value) string { return string(armexpr.Append(nil, eval.Expression(v))) }

// Read returns what an unknown value reads of a resource, if it is just that:
// reference(R).a.b is (R, "reference", [a b]).
func Read(v Value) (r *Resource, function string, path []string) {
	u, ok := v.(*unknown)
	if !ok {
		return nil, "", nil
	}
	c, ok := u.Expr.(*armexpr.Call)
	if !ok {
		return nil, "", nil
	}
	if r, ok = u.Source.(*Resource); !ok {
		return nil, "", nil
	}
	if path, ok = pathOf(c); !ok {
		return nil, "", nil
	}
	return r, c.Name, path
}

// Call is a call of a function, and what is read of its result.
type Call struct {
	Function string
	// Resource is what the function is asked about, if it is one of the program's.
	Resource *Resource
	// First is the first argument, if it is a text: an ID, as a rule.
	First string
	// Full says that reference() returns the whole resource, and not its properties.
	Full bool
	Path []string
}

// CallOf returns the call that an unknown value is; ok is false if it is anything else.
func CallOf(v Value) (call Call, ok bool) {
	u, ok := v.(*unknown)
	if !ok {
		return Call{}, false
	}
	c, ok := u.Expr.(*armexpr.Call)
	if !ok {
		return Call{}, false
	}
	call.Function = c.Name
	call.Resource, _ = u.Source.(*Resource)
	if len(c.Args) > 0 {
		s, _ := c.Args[0].(armexpr.Str)
		call.First = string(s)
	}
	if len(c.Args) > 2 {
		s, _ := c.Args[2].(armexpr.Str)
		call.Full = strings.EqualFold(string(s), "full")
	}
	if call.Path, ok = pathOf(c); !ok {
		return Call{}, false
	}
	return call, true
}

// Term is an expression: a text, or a call of a function on terms and what is read of its result.
type Term struct {
	Text     string // the text itself, or a call as a template has it: [reference('…').id]
	Function string // of a call, in lower case
	Args     []Term
	Path     []string
}

// TermOf returns the expression that an unknown value is; false if it is large, or reads what only an expression names.
func TermOf(v Value) (t Term, ok bool) {
	u, ok := v.(*unknown)
	if !ok {
		return Term{}, false
	}
	room := 200 // expressions share parts
	ok = t.set(u.Expr, &room)
	return t, ok
}

func (t *Term) set(e armexpr.Expr, room *int) (ok bool) {
	if *room--; *room < 0 {
		return false
	}
	switch e := e.(type) {
	case armexpr.Str:
		t.Text = string(e)
	case armexpr.Int:
		t.Text = string(armjson.Int(int64(e)))
	case *armexpr.Call:
		if t.Path, ok = pathOf(e); !ok {
			return false
		}
		t.Function, t.Args = strings.ToLower(e.Name), make([]Term, len(e.Args))
		for i, a := range e.Args {
			if !t.Args[i].set(a, room) {
				return false
			}
		}
		t.Text = string(armexpr.Append(nil, e))
	}
	return true
}

// ParameterOf returns the name of the template's parameter that a marked value is, and nothing
// else. A parameter of a module is not one.
func ParameterOf(v Value) (name string, ok bool) {
	u, ok := v.(*unknown)
	if !ok || InModule(u) {
		return "", false
	}
	c, isCall := u.Expr.(*armexpr.Call)
	if !isCall || !strings.EqualFold(c.Name, "parameters") || len(c.Args) != 1 || len(c.Access) > 0 {
		return "", false
	}
	s, ok := c.Args[0].(armexpr.Str)
	return string(s), ok
}

// InModule reports whether a value is that of a parameter which a module declares, and not the template.
func InModule(v Value) bool {
	u, ok := v.(*unknown)
	if !ok {
		return false
	}
	a, ok := u.Source.(*absence)
	return ok && a.inner
}

// pathOf returns the names and indexes that are read of a call's result.
func pathOf(c *armexpr.Call) (path []string, ok bool) {
	for _, k := range c.Access {
		switch k := k.(type) {
		case armexpr.Str:
			path = append(path, string(k))
		case armexpr.Int:
			path = append(path, string(armjson.Int(int64(k))))
		default:
			return nil, false
		}
	}
	return path, true
}

// References returns the resources whose deployment gives the unknown parts of values.
func References(values ...Value) []*Resource {
	var list []*Resource
	eval.Sources(func(source any) {
		if r, ok := source.(*Resource); ok {
			list = append(list, r)
		}
	}, values...)
	return list
}

// ReasonKind says why a value is unknown.
type ReasonKind string

const (
	// Runtime: a property that a resource has once it is deployed.
	Runtime ReasonKind = "runtime"
	// Keys: a secret or key that a resource gives out.
	Keys ReasonKind = "list"
	// Time: the time of deployment, or a new identifier.
	Time ReasonKind = "time"
	// NoValue: a parameter without a value.
	NoValue ReasonKind = "parameter"
	// Environment: a parameter whose value comes from an environment variable, and is not shown.
	Environment ReasonKind = "environment"
	// Vault: a parameter whose value is in a key vault.
	Vault ReasonKind = "keyVault"
	// Place: a part of the context that was not given.
	Place ReasonKind = "context"
	// Input: something that a deployment tool supplies.
	Input ReasonKind = "externalInput"
	// Function: a function that only the deployment engine evaluates.
	Function ReasonKind = "function"
)

// Cause is one reason why a value is unknown: the call that cannot be evaluated.
type Cause struct {
	Kind ReasonKind
	// Call is the call, as it is written in the expression: reference('…').id.
	Call string
	// Option names what would make it known, such as subscription-id; often empty.
	Option string
}

// Reasons returns why a value is unknown, each reason once, in the order of the text.
func Reasons(v Value) []Cause {
	var list []Cause
	seen := map[string]bool{}
	absent := map[string]ReasonKind{}
	noOption := map[string]bool{}
	eval.Sources(func(source any) {
		switch source := source.(type) {
		case *absence:
			absent[source.name] = source.why
		case ungiven:
			noOption[strings.ToLower(string(source))] = true
		}
	}, v)
	calls(v, func(c *armexpr.Call) {
		cause, ok := causeOf(c)
		if !ok {
			return
		}
		shown := c
		if cause.Kind == NoValue { // or it has one that is secure
			name, _ := c.Args[0].(armexpr.Str)
			if cause.Kind, ok = absent[string(name)]; !ok {
				return
			}
			shown = armexpr.Fn("parameters", name)
		}
		if cause.Call = callText(shown); !seen[cause.Call] {
			seen[cause.Call] = true
			if noOption[strings.ToLower(cause.Call)] {
				cause.Option = ""
			}
			list = append(list, cause)
		}
	})
	return list
}

// Parameters returns what a value reads of parameters that are not known or not shown: parameters('config').password.
func Parameters(v Value) (list []string) {
	calls(v, func(c *armexpr.Call) {
		if strings.EqualFold(c.Name, "parameters") {
			if text := callText(c); !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	})
	return list
}

// calls goes through the calls of the expressions in a value, each once.
func calls(v Value, do func(*armexpr.Call)) {
	visited := map[*armexpr.Call]bool{} // expressions share parts
	var expr func(e armexpr.Expr)
	expr = func(e armexpr.Expr) {
		c, ok := e.(*armexpr.Call)
		if !ok || visited[c] {
			return
		}
		visited[c] = true
		do(c)
		for _, a := range c.Args {
			expr(a)
		}
		for _, a := range c.Access {
			expr(a)
		}
	}
	var walk func(v Value)
	walk = func(v Value) {
		switch v := v.(type) {
		case *unknown:
			expr(v.Expr)
		case armjson.Array:
			for _, x := range v {
				walk(x)
			}
		case *armjson.Object:
			for _, x := range v.All() {
				walk(x)
			}
		}
	}
	walk(v)
}

// callText returns the text of a call, as far as people read it: each call of a long chain has
// all before it in its arguments.
func callText(c *armexpr.Call) string {
	const longest = 1000
	text := armexpr.AppendSome(nil, c, longest)
	if len(text) <= longest {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:longest]), "") + "…"
}

// contextOptions say which option makes a property of the context known.
var contextOptions = map[string]string{
	"resourcegroup().name": "resource-group", "resourcegroup().id": "subscription-id", "resourcegroup().location": "location",
	"subscription().id": "subscription-id", "subscription().subscriptionid": "subscription-id", "subscription().tenantid": "tenant-id",
	"tenant().tenantid": "tenant-id", "tenant().id": "tenant-id",
	"managementgroup().name": "management-group-id", "managementgroup().id": "management-group-id",
	"deployment().name": "deployment-name", "deployment().location": "location",
}

// causeOf tells whether a call is a reason why a value is unknown. The text of the call is
// left to the caller.
func causeOf(c *armexpr.Call) (Cause, bool) {
	name := strings.ToLower(c.Name)
	var cause Cause
	switch {
	case name == "reference" || name == "references" || name == "resourceinfo":
		cause.Kind = Runtime
		if len(c.Args) > 0 && len(c.Access) == 1 && c.Access[0] == armexpr.Str("id") {
			if of, _ := c.Args[0].(armexpr.Str); strings.HasPrefix(string(of), "Applications.") ||
				strings.HasPrefix(string(of), "Radius.") {
				cause.Kind, cause.Option = Place, "group"
			}
		}
	case name == "utcnow" || name == "newguid":
		cause.Kind = Time
	case name == "parameters" && len(c.Args) == 1:
		cause.Kind = NoValue
	case name == "getsecret":
		cause.Kind = Vault
	case name == "externalinput" || name == "externalinputs":
		cause.Kind = Input
	case name == "resourcegroup" || name == "subscription" || name == "tenant" ||
		name == "managementgroup" || name == "deployment" || name == "environment" || name == "deployer":
		cause.Kind = Place
		if cause.Option = contextOptions[strings.ToLower(callText(c))]; name == "environment" {
			cause.Option = "cloud"
		}
	case name == "resourceid" || name == "subscriptionresourceid" || name == "managementgroupresourceid":
		for _, a := range c.Args {
			if _, ok := a.(armexpr.Str); !ok {
				return cause, false // its arguments are what is unknown
			}
		}
		cause.Kind, cause.Option = Place, "subscription-id"
	case strings.HasPrefix(name, "list"), name == "invokeresourcemethod":
		cause.Kind = Keys
	case name == "lambda" || name == "lambdavariables" || name == "copyindex" || eval.Known(name):
		return cause, false
	default:
		cause.Kind = Function
	}
	return cause, true
}
