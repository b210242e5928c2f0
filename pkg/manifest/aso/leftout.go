package aso

import (
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// leaveOut notes the resources that no objects are made of, because the operator has no kind for them or for something
// that they need, and warns of each. It does so only if it is asked for.
func (c *converter) leaveOut() {
	var without []objects.Problem
	for _, r := range c.in.Program.Resources {
		why := ""
		switch {
		case r.Existing:
		case r.Extension != nil:
			why = "it is a resource of the extension " + r.Extension.Alias
		case !c.table.has(r.Type):
			why = c.table.operator + " has no kind for the type " + r.Type
		}
		if why != "" {
			without = append(without, objects.Problem{Resource: r, Code: CodeType, Message: why})
		}
	}
	c.in.LeaveOut(without)
}
