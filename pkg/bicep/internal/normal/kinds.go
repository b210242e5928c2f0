package normal

import (
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// kinds are what functions return.
var kinds = sync.OnceValue(func() map[string]Kind {
	m := map[string]Kind{}
	for kind, names := range map[Kind]string{
		Text: "format toLower toUpper string uniqueString guid newGuid utcNow substring replace trim padLeft base64 base64ToString " +
			"uri uriComponent uriComponentToString join resourceId subscriptionResourceId tenantResourceId extensionResourceId " +
			"managementGroupResourceId dateTimeAdd dateTimeFromEpoch dataUri dataUriToString getSecret toLogicalZone toPhysicalZone",
		Int:   "int length add sub mul div mod indexOf lastIndexOf copyIndex dateTimeToEpoch",
		Bool:  "equals not and or greater greaterOrEquals less lessOrEquals contains empty startsWith endsWith bool true false",
		Array: "createArray split range map filter sort flatten items objectKeys references pickZones toLogicalZones toPhysicalZones",
		Object: "createObject toObject groupBy mapValues shallowMerge " +
			"resourceGroup subscription tenant managementGroup deployment environment deployer",
	} {
		for name := range strings.FieldsSeq(names) {
			m[strings.ToLower(name)] = kind
		}
	}
	return m
})

// texts are the properties of the place of a deployment that are texts.
var texts = map[string]string{
	"resourcegroup":   " id name type location managedby ",
	"subscription":    " id subscriptionid tenantid displayname ",
	"tenant":          " id tenantid countrycode displayname ",
	"managementgroup": " id name type ", "deployment": " name location ", "deployer": " objectid tenantid userprincipalname ",
}

// kind returns what is known of the type of a node.
func (t *Table) kind(e armexpr.Expr) Kind {
	switch e := e.(type) {
	case armexpr.Str:
		return Text
	case armexpr.Int:
		return Int
	case *armexpr.Call:
		return t.info[e].kind
	}
	return Any
}

func (t *Table) kindOf(c *armexpr.Call) Kind {
	key := strings.ToLower(c.Name)
	if len(c.Access) > 0 {
		if s, ok := c.Access[0].(armexpr.Str); ok && len(c.Access) == 1 &&
			strings.Contains(texts[key], " "+strings.ToLower(string(s))+" ") {
			return Text
		}
		return Any
	}
	switch key {
	case "parameters":
		if len(c.Args) == 1 {
			s, _ := c.Args[0].(armexpr.Str)
			return t.parameters[strings.ToLower(string(s))]
		}
	case "if":
		if len(c.Args) == 3 && t.kind(c.Args[1]) == t.kind(c.Args[2]) {
			return t.kind(c.Args[1])
		}
		return Any
	case "coalesce", "concat", "union", "intersection", "min", "max":
		if len(c.Args) == 0 {
			return Any
		}
		kind := t.kind(c.Args[0])
		for _, a := range c.Args[1:] {
			if t.kind(a) != kind {
				return Any
			}
		}
		if key == "min" || key == "max" {
			return Int
		}
		return kind
	case "take", "skip":
		if len(c.Args) > 0 {
			return t.kind(c.Args[0])
		}
	}
	return kinds()[key]
}
