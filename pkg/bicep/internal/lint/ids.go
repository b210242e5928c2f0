package lint

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// stableIdentifiers finds names that differ from one deployment to the next.
func (l *linter) stableIdentifiers() {
	finder := &unstableFinder{linter: l}
	finder.walk = finder.visit
	for _, r := range l.analysis.Resources.Declared() {
		body := syntax.Body(r.Symbol.Stmt.Value)
		if body == nil {
			continue
		}
		for _, id := range r.Type.Identifiers {
			value := body.PropertyValue(id)
			if value == nil {
				continue
			}
			for _, path := range finder.find(value) {
				l.add(value.Span(), id, r.Symbol.Name(), path)
			}
		}
	}
}

// mostPaths bounds how many paths to unstable calls are reported for one value: n variables can
// make 2ⁿ of them.
const mostPaths = 64

// unstableFinder finds the paths from an expression to calls whose result is never the same.
type unstableFinder struct {
	*linter
	found            []string
	path             []string               // the names that lead to what is visited
	onPath, harmless map[bind.Symbol]bool   // those names; names that lead to nothing
	walk             func(syntax.Node) bool // visit, made a function once
}

// find returns the paths from an expression.
func (f *unstableFinder) find(x syntax.Expr) []string {
	if _, isText := literalOf(x); isText {
		return nil
	}
	f.found = nil
	clear(f.harmless)
	f.m.Tree().Walk(x, f.walk)
	return f.found
}

func (f *unstableFinder) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Call, *syntax.InstanceCall:
		if name, _, _ := syntax.CallName(n); (name.Name == "newGuid" || name.Name == "utcNow") && f.function(n, "sys") != nil {
			f.found = append(f.found, strings.Join(append(f.path[:len(f.path):len(f.path)], oneLine(f.sourceText(n))), " -> "))
		}
	case *syntax.VarRef:
		switch s := f.m.Symbol(n).(type) {
		case *bind.Param:
			if s.Stmt.Default != nil {
				f.follow(s, s.Stmt.Default.Value)
			}
		case *bind.Var:
			f.follow(s, s.Stmt.Value)
		}
	}
	return true
}

// follow looks at the value of a name.
func (f *unstableFinder) follow(s bind.Symbol, value syntax.Expr) {
	if _, isText := literalOf(value); isText || f.onPath[s] || f.harmless[s] || len(f.found) >= mostPaths {
		return
	}
	if f.onPath == nil {
		f.onPath, f.harmless = map[bind.Symbol]bool{}, map[bind.Symbol]bool{}
	}
	before := len(f.found)
	f.onPath[s] = true
	f.path = append(f.path, s.Name())
	f.m.Tree().Walk(value, f.walk)
	f.path = f.path[:len(f.path)-1]
	delete(f.onPath, s)
	f.harmless[s] = len(f.found) == before
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// resourceIDFunctions finds IDs that are written as text.
func (l *linter) resourceIDFunctions() {
	for _, r := range l.analysis.Resources.Declared() {
		properties := objectAt(r, "properties")
		if properties == nil || !r.IsAz() {
			continue
		}
		skipped, ok := idExceptions(r.TypeRef().Type)
		if !ok {
			continue
		}
		var visit func(n syntax.Node)
		visit = func(n syntax.Node) {
			p, isProperty := n.(*syntax.Property)
			if !isProperty {
				l.m.Tree().Children(n, visit)
				return
			}
			name, _ := p.KeyName()
			low := strings.ToLower(name)
			switch {
			case low == skipped || holdsNoResourceID(low):
			case !strings.HasSuffix(low, "id"), strings.HasSuffix(name, "uid"), strings.HasSuffix(name, "UID"):
				l.m.Tree().Children(n, visit)
			default:
				t := l.m.TypeOf(p.Value)
				if bare := types.RemoveNullability(t); bare != nil {
					t = bare
				}
				if isString(t) && l.madeByHand(p.Value) {
					l.add(p.Key.Span(), name)
				}
			}
		}
		visit(properties)
	}
}

// idExceptions reports whether IDs in resources of a type are checked, and which property is
// skipped.
func idExceptions(typ string) (skipped string, ok bool) {
	low := strings.ToLower(typ)
	switch {
	case low == "microsoft.portal/dashboards", low == "microsoft.logic/workflows", low == "microsoft.apimanagement/service/backends",
		strings.HasPrefix(low, "microsoft.web/sites/config"),
		isCollections(low):
		return "", false
	case low == "microsoft.apimanagement/service/subscriptions":
		return "ownerid", true
	}
	return "", true
}

// isCollections reports whether a type is Microsoft.DocumentDB/databaseAccounts/*/collections.
func isCollections(low string) bool {
	rest, ok := strings.CutPrefix(low, "microsoft.documentdb/databaseaccounts/")
	api, last, _ := strings.Cut(rest, "/")
	return ok && api != "" && last == "collections"
}

// holdsNoResourceID reports whether a property, its name in lower case, ends in id but does not
// hold the ID of a resource, or may hold anything.
func holdsNoResourceID(name string) bool {
	switch name {
	case "appid", "clientid", "contentid", "connectorid", "datatypeid", "defaultmenuitemid", "deploymentspecid", "detector",
		"groupid", "illusiveincidentid", "keyid", "keyvaultid", "keyvaultsecretid", "locations", "menuid", "metadata",
		"metricid", "nodeagentskuid", "objectid", "parentid", "policydefinitionreferenceid", "requestedserviceobjectiveid",
		"resource", "ruleid", "schemaid", "serviceprincipalclientid", "sid", "startingdeviceid", "subscriptionid",
		"storageaccountsubscriptionid", "syntheticmonitorid", "tags", "targetprotectioncontainerid", "targetworkersizeid",
		"tenantid", "timezoneid", "vlanid", "workersizeid", "uniquefindingid", "principalid":
		return true
	}
	return false
}

// madeByHand reports whether a value is an ID that no function for IDs has made.
func (l *linter) madeByHand(x syntax.Expr) bool {
	fromSymbol := false
	syntax.Walk(x, func(n syntax.Node) bool {
		if ref, ok := n.(*syntax.VarRef); ok {
			switch l.m.Symbol(ref).(type) {
			case *bind.Resource, *bind.Module:
				fromSymbol = true
			}
		}
		return !fromSymbol
	})
	if fromSymbol {
		return false
	}
	switch x := x.(type) {
	case *syntax.Call:
		switch x.Name.Name {
		case "extensionResourceId", "if", "guid", "managementGroupResourceId", "reference", "resourceId",
			"subscription", "subscriptionResourceId", "tenantResourceId":
			return false
		case "roleDefinitions":
			return !l.m.Has(release.RoleDefinitionIDs)
		}
	case syntax.Access:
		return !l.ofParam(x) && l.madeByHand(x.Base())
	case *syntax.VarRef:
		switch s := l.m.Symbol(x).(type) {
		case *bind.Var:
			return l.madeByHand(s.Stmt.Value)
		case *bind.Param:
			return false
		}
	case *syntax.Ternary:
		return false
	case *syntax.String:
		if text, ok := x.Literal(); ok && !strings.Contains(text, "/") {
			return false
		}
	case *syntax.Paren:
		return l.madeByHand(x.X)
	case *syntax.NonNull:
		return l.madeByHand(x.X)
	}
	return true
}

func (l *linter) ofParam(x syntax.Expr) bool {
	for {
		switch n := x.(type) {
		case syntax.Access:
			x = n.Base()
		case *syntax.Paren:
			x = n.X
		case *syntax.NonNull:
			x = n.X
		default:
			_, ok := l.m.Symbol(x).(*bind.Param)
			return ok
		}
	}
}
