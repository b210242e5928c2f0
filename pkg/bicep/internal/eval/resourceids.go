package eval

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// Locator is a scope that knows where it is deployed.
type Locator interface {
	Scope
	// Located returns the ID of the subscription ("subscription"), the name of the
	// resource group ("resourceGroup") or that of the management group
	// ("managementGroup") that the scope deploys to, which may be Unknown; nil if it
	// deploys to none.
	Located(kind string) Value
	// FillsIDs says that the call of a function that makes an ID is written with the place
	// that it leaves out.
	FillsIDs() bool
}

// places says what may be left out of the calls of functions that make IDs, the first first.
var places = map[string][]string{
	"resourceid":                {"subscription", "resourceGroup"},
	"subscriptionresourceid":    {"subscription"},
	"managementgroupresourceid": {"managementGroup"},
}

// placed returns the arguments of a call that cannot be evaluated. If it makes an ID, and the
// scope says so, they begin with the place that the call leaves out:
//
//	resourceId('T/t', 'n')  resourceId(subscription().subscriptionId, 'group', 'T/t', 'n')
//
// What stands before the type is what is given; so nothing is left out where the type is not
// known itself.
func (ev *Evaluator) placed(name string, args []arg) []arg {
	kinds := places[strings.ToLower(name)]
	l, ok := ev.scope.(Locator)
	if kinds == nil || !ok || !l.FillsIDs() {
		return args
	}
	given := 0
	for given < len(args) && !isTypeName(args[given].v) {
		given++
	}
	if given >= len(args) {
		return args
	}
	var place []arg
	for _, kind := range kinds {
		if v := l.Located(kind); v != nil {
			place = append(place, arg{v: v})
		}
	}
	return append(place[:max(len(place)-given, 0):max(len(place)-given, 0)], args...)
}

func isTypeName(v Value) bool {
	s, ok := v.(armjson.String)
	return ok && strings.Contains(string(s), "/")
}

// located returns what Located says, as a string.
func (c *invocation) located(kind string) (string, bool, error) {
	l, ok := c.ev.scope.(Locator)
	if !ok {
		return "", false, nil
	}
	switch v := l.Located(kind).(type) {
	case armjson.String:
		return string(v), true, nil
	case *Unknown:
		return "", false, errUnknown
	}
	return "", false, nil
}

// typeAt returns the position of the first argument that is a resource type.
func (c *invocation) typeAt() int {
	for i, a := range c.args {
		if s, ok := a.v.(armjson.String); ok && strings.Contains(string(s), "/") {
			return i
		}
	}
	return 0
}

// idWithin makes a function of IDs whose first argument is a scope of a kind. It may be left out where that is known.
func idWithin(kind, unknown string, id func(c *invocation, scope string, from int) (Value, error)) builtin {
	return builtin{2, -1, func(c *invocation) (Value, error) {
		scope, err := c.str(0)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(scope, "/") {
			return id(c, scope, 1)
		}
		scope, ok, err := c.located(kind)
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return nil, c.errorf("%s", unknown)
		}
		return id(c, scope, 0)
	}}
}

// addResourceIDs adds the functions that put resource ids together, as far as
// all that goes into the id is given: no deployment is known here.
func addResourceIDs(m map[string]builtin) {
	m["tenantresourceid"] = builtin{2, -1, func(c *invocation) (Value, error) {
		return c.resourceID("/providers/", 0)
	}}
	m["extensionresourceid"] = builtin{3, -1, func(c *invocation) (Value, error) {
		scope, err := c.str(0)
		if err != nil {
			return nil, err
		}
		if len(typeSegments(scope))%2 != 0 {
			return nil, c.errorf("its argument 1 is not the ID of a resource or of a scope")
		}
		return c.resourceID(strings.TrimRight(scope, "/")+"/providers/", 1)
	}}
	m["subscriptionresourceid"] = idWithin("subscription",
		"the subscription is not known at compile time; give its id as the first argument",
		(*invocation).subscriptionID)
	m["managementgroupresourceid"] = idWithin("managementGroup",
		"the management group is not known at compile time; give its name as the first argument",
		func(c *invocation, group string, from int) (Value, error) {
			return c.resourceID("/providers/Microsoft.Management/managementGroups/"+group+"/providers/", from)
		})
	m["resourceid"] = builtin{2, -1, func(c *invocation) (Value, error) {
		if _, ok := c.ev.scope.(Locator); ok {
			return c.localID()
		}
		if len(c.args) < 4 {
			return nil, c.errorf("the resource group is not known at compile time; " +
				"give the subscription's id and the group's name as the first arguments")
		}
		sub, group, err := args2(c.str, c.str)
		if err != nil {
			return nil, err
		}
		if strings.Contains(sub, "/") || strings.Contains(group, "/") {
			return nil, c.errorf("the resource group is not known at compile time; " +
				"give the subscription's id and the group's name as the first arguments")
		}
		return c.resourceID("/subscriptions/"+sub+"/resourceGroups/"+group+"/providers/", 2)
	}}
}

// typeSegments returns the segments of a type. Slashes at its ends are passed over.
func typeSegments(kind string) []string {
	return strings.FieldsFunc(kind, func(r rune) bool { return r == '/' })
}

// checkID refuses a call that puts an ID together wrongly, whatever of its arguments is not known: of the arguments
// after the scope, one has slashes, the type; each of its segments but the first has a name behind it; and a subscription that is
// given is a GUID.
func checkID(name string, args []arg) error {
	c := &invocation{name: name, args: args}
	from := 0
	if dotnet.EqualFold(name, "extensionResourceId") {
		from = 1
	}
	at, allKnown := -1, true
	for i := from; i < len(args); i++ {
		s, ok := args[i].v.(armjson.String)
		switch {
		case !ok:
			allKnown = false
		case !strings.Contains(string(s), "/"):
		case at >= 0:
			return c.errorf("its arguments %d and %d have slashes; only the resource type may", at+1, i+1)
		default:
			at = i
		}
	}
	if at < 0 {
		if allKnown {
			return c.errorf("no argument is a resource type, such as Microsoft.Network/virtualNetworks")
		}
		return nil
	}
	if segments, names := len(typeSegments(string(args[at].v.(armjson.String)))), len(args)-at-1; segments < 2 || names != segments-1 {
		return c.errorf("a resource type of %d segments does not go with %d names", segments, names)
	}
	if dotnet.EqualFold(name, "resourceId") && at == 2 || dotnet.EqualFold(name, "subscriptionResourceId") && at == 1 {
		if s, ok := args[0].v.(armjson.String); ok && !IsGUID(string(s)) {
			return c.errorf("the subscription is not a GUID")
		}
	}
	return nil
}

// IsGUID reports whether a text is 32 digits of base sixteen in groups of 8, 4, 4, 4 and 12.
func IsGUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if !dotnet.IsHex(s[i]) {
			return false
		}
	}
	return true
}

// subscriptionID returns the ID of a resource of a subscription, the type in argument i. A resource
// group is no resource of a provider: its ID is /subscriptions/S/resourceGroups/NAME.
func (c *invocation) subscriptionID(sub string, i int) (Value, error) {
	prefix := "/subscriptions/" + sub
	if i < len(c.args) {
		if kind, ok := c.args[i].v.(armjson.String); ok && dotnet.EqualFold(string(kind), groupType) && len(c.args) == i+2 {
			name, err := c.str(i + 1)
			if err != nil {
				return nil, err
			}
			return c.makeString(prefix + "/resourceGroups/" + name)
		}
	}
	return c.resourceID(prefix+"/providers/", i)
}

const groupType = "Microsoft.Resources/resourceGroups"

// resourceID appends to a prefix the type in argument i and the names after
// it, a segment of the type before each name.
func (c *invocation) resourceID(prefix string, i int) (Value, error) {
	if i >= len(c.args) {
		return nil, c.errorf("the resource type is missing")
	}
	kind, err := c.str(i)
	if err != nil {
		return nil, err
	}
	segments := typeSegments(kind)
	names := c.args[i+1:]
	if len(segments) < 2 || len(names) != len(segments)-1 {
		return nil, c.errorf("a resource type of %d segments does not go with %d names", len(segments), len(names))
	}
	var b strings.Builder
	b.WriteString(prefix)
	b.WriteString(segments[0])
	for k := range names {
		name, err := c.str(i + 1 + k)
		if err != nil {
			return nil, err
		}
		b.WriteString("/" + segments[k+1] + "/" + name)
	}
	if err := c.ev.room(b.Len()); err != nil {
		return nil, err
	}
	return armjson.String(b.String()), nil
}

// localID evaluates resourceId([subscription,] [group,] type, name, …) where the
// scope knows its own subscription and group.
func (c *invocation) localID() (Value, error) {
	at := c.typeAt()
	if at > 2 {
		return nil, c.errorf("there is more than a subscription and a resource group before the type")
	}
	var given [2]string
	for i := range at {
		s, err := c.str(i)
		if err != nil {
			return nil, err
		}
		given[2-at+i] = s
	}
	group, ok, err := given[1], true, error(nil)
	if at == 0 {
		if group, ok, err = c.located("resourceGroup"); err != nil {
			return nil, err
		}
		if !ok { // as subscriptionResourceId and tenantResourceId are, where there is no group
			sub, ok, err := c.located("subscription")
			if err != nil {
				return nil, err
			}
			if !ok {
				return c.resourceID("/providers/", 0)
			}
			return c.subscriptionID(sub, 0)
		}
	}
	sub := given[0]
	if at < 2 {
		if sub, ok, err = c.located("subscription"); err != nil {
			return nil, err
		}
		if !ok {
			return nil, c.errorf("there is no subscription here; give its id as the first argument")
		}
	}
	return c.resourceID("/subscriptions/"+sub+"/resourceGroups/"+group+"/providers/", at)
}
