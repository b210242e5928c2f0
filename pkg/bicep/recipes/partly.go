package recipes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// # What is known in part
//
// Objects are written only if all of them are known. A comparison shows what is known: with Options.Partly a resource whose
// recipe cannot run does not keep those that need it from being predicted. What it returns is then unknown for them, as what
// any resource returns that only a deployment can tell. So is what a recipe of a cloud returns, and what it deploys is shown.

// Into puts what recipes make into the result that Finish was given, behind the resources that it is made of. What is not known
// of a recipe is one resource, expand.NotKnown. Properties that a type calls sensitive are secure.
func (e *Engine) Into(result *expand.Result) {
	made := map[*expand.Resource][]*expand.Resource{}
	for _, m := range e.Made {
		if m.Result != nil {
			more := ""
			if m.Type != m.Resource.Type {
				more = "/secrets"
			}
			m.Result.Within(m.Resource, more)
			made[m.Resource] = append(made[m.Resource], m.Result.Resources...)
		}
	}
	var list []*expand.Resource
	for _, r := range result.Resources {
		list = append(append(list, r), made[r]...)
		if !r.IsRadius() || r.Existing {
			continue
		}
		id, _ := expand.Known(r.ID)
		s := e.states[strings.ToLower(id)]
		properties := r.Body.Object("properties")
		if s != nil && properties != nil {
			r.Body = r.Body.Clone()
			r.Body.Set("properties", e.marked(s, properties))
		}
		if why, given := e.notKnown(r, s); why != "" {
			list = append(list, expand.NotKnown(r, why, given))
		}
	}
	result.Resources = list
}

// notKnown returns why it is not known what the recipe of a resource makes, and what it is given; "" if that is known.
func (e *Engine) notKnown(r *expand.Resource, s *state) (why string, given *armjson.Object) {
	given = armjson.NewObject()
	if v, ok := r.Body.Get("properties"); ok {
		given.Set("properties", v)
	}
	switch {
	case !expand.IsKnown(r.ID):
		given.Set("id", r.ID)
		return "its ID is not known before the deployment", given
	case s == nil || !s.failed || slices.ContainsFunc(s.made, func(m *Made) bool { return m.Type == s.kind && m.Result != nil }):
		return "", nil
	case s.given != nil:
		given = s.given
	}
	why, _, _ = strings.Cut(s.why, ": [") // the plan has its own words for an expression
	return cmp.Or(why, "what it needs is not known"), given
}

// returned is what a resource whose recipe cannot run has for others: nothing that is known.
func returned(s *state) expand.Value {
	return eval.Get(eval.NewUnknown(s.r, "reference", armjson.String(s.id)), "properties")
}
