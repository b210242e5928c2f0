package lint

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }

func isDeployment(typ string) bool { return equalFold(typ, "Microsoft.Resources/deployments") }

// deploymentsResources finds nested deployments, for which there are modules.
func (l *linter) deploymentsResources() {
	for _, r := range l.m.DeclaredResources() {
		if r.IsAz() && isDeployment(r.TypeRef().Type) {
			l.add(r.Symbol.Stmt.Type.Span(), r.Symbol.Name())
		}
	}
}

// hosts are the addresses of Azure's public cloud; in others they differ.
var hosts = []string{
	"azuredatalakeanalytics.net", "azuredatalakestore.net", "batch.core.windows.net", "core.windows.net",
	"database.windows.net", "datalake.azure.net", "gallery.azure.com", "graph.windows.net",
	"login.microsoftonline.com", "management.azure.com", "management.core.windows.net", "vault.azure.net",
}

var harmlessHosts = []string{"schema.management.azure.com"}

// hardcodedURLs finds addresses that environment() knows for each cloud.
func (l *linter) hardcodedURLs() {
	if l.m.IsParams() {
		return
	}
	bad, fine := l.hostList("disallowedhosts", hosts), l.hostList("excludedhosts", harmlessHosts)
	shortest := 1 << 30
	for _, h := range bad {
		shortest = min(shortest, len(h))
	}
	suspect := false
	for _, n := range l.strings {
		if n.Span().Len() > shortest && len(matches(l.text(n), bad)) > 0 {
			suspect = true
			break
		}
	}
	if !suspect {
		return
	}
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.Metadata:
			return
		case *syntax.Resource:
			for _, d := range n.Decorators {
				visit(d)
			}
			visit(n.Value)
			return
		case *syntax.Module:
			for _, d := range n.Decorators {
				visit(d)
			}
			visit(n.Value)
			return
		case *syntax.Decorator:
			if f := l.function(n.Expr, "sys"); f != nil && (f.Name() == "description" || f.Name() == "metadata") {
				return
			}
		case *syntax.String:
			if n.Span().Len() > shortest {
				l.hostsIn(n, bad, fine, shortest)
			}
		}
		syntax.Children(n, visit)
	}
	visit(l.m.Tree())
}

func (l *linter) hostList(name string, def []string) []string {
	v, ok := l.setting(name)
	if !ok {
		return def
	}
	list, ok := v.(armjson.Array)
	if !ok {
		return nil
	}
	var out []string
	for _, item := range list {
		if s, ok := item.(armjson.String); ok {
			out = append(out, string(s))
		}
	}
	return out
}

func (l *linter) hostsIn(n *syntax.String, bad, fine []string, shortest int) {
	for _, at := range n.Tokens {
		text := l.m.Source().Slice(at)
		if len(text) < shortest {
			continue
		}
		found := matches(text, bad)
		if len(found) == 0 {
			return
		}
		excluded := matches(text, fine)
		for _, m := range found {
			if !overlapsAny(m, excluded) {
				l.add(source.Span{Start: at.Start + m.Start, End: at.Start + m.End}, text[m.Start:m.End])
			}
		}
	}
}

func overlapsAny(s source.Span, list []source.Span) bool {
	for _, o := range list {
		if s.Start < o.End && o.Start < s.End {
			return true
		}
	}
	return false
}

// matches finds where hosts stand by themselves in a text. Of those that
// overlap the first counts, and of two in one place the longer.
func matches(text string, hosts []string) []source.Span {
	var found []source.Span
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		lower = text
	}
	for _, h := range hosts {
		h = strings.ToLower(h)
		if h == "" {
			continue
		}
		for from := 0; ; {
			i := strings.Index(lower[from:], h)
			if i < 0 {
				break
			}
			start, end := from+i, from+i+len(h)
			from = end
			before, _ := utf8.DecodeLastRuneInString(text[:start])
			after, _ := utf8.DecodeRuneInString(text[end:])
			if !isAlphanumeric(before) && !isAlphanumeric(after) {
				found = append(found, source.Span{Start: int32(start), End: int32(end)})
			}
		}
	}
	var out []source.Span
	for len(found) > 0 {
		best := 0
		for i, s := range found {
			if b := found[best]; s.Start < b.Start || s.Start == b.Start && s.End > b.End {
				best = i
			}
		}
		s := found[best]
		found = append(found[:best], found[best+1:]...)
		if len(out) == 0 || s.Start >= out[len(out)-1].End {
			out = append(out, s)
		}
	}
	return out
}

func isAlphanumeric(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// unnecessaryDependsOn finds dependencies that are known without being listed.
func (l *linter) unnecessaryDependsOn() {
	var known map[bind.Declared]map[bind.Declared]bool
	look := func(d bind.Declared, value syntax.Expr) {
		body := syntax.Body(value)
		if body == nil {
			return
		}
		list, ok := body.PropertyValue("dependsOn").(*syntax.Array)
		if !ok {
			return
		}
		if known == nil {
			known = map[bind.Declared]map[bind.Declared]bool{}
		}
		inferred, ok := known[d]
		if !ok {
			inferred = l.inferred(d)
			known[d] = inferred
		}
		listed := map[bind.Declared]bool{}
		for _, item := range list.Items {
			on, ok := l.m.Symbol(item).(bind.Declared)
			if !ok || l.m.IsCollection(on) {
				continue
			}
			if !inferred[on] && !listed[on] {
				listed[on] = true
				continue
			}
			l.add(item.Span(), on.Name())
		}
	}
	for _, r := range l.resources {
		if s, ok := l.m.Symbol(r).(bind.Declared); ok {
			look(s, r.Value)
		}
	}
	for _, m := range l.b.Modules {
		look(m, m.Stmt.Value)
	}
}

// inferred returns all that a resource or module depends on, directly or not,
// without what is listed in dependsOn.
func (l *linter) inferred(d bind.Declared) map[bind.Declared]bool {
	if l.needs == nil {
		l.needs = l.facts.ImplicitDependencies()
	}
	needs := l.needs
	all := map[bind.Declared]bool{}
	type edge struct {
		on   bind.Declared
		weak bool
	}
	seen := map[edge]bool{}
	queue := needs[d]
	for len(queue) > 0 {
		dep := queue[0]
		queue = queue[1:]
		e := edge{dep.On, dep.Weak}
		if seen[e] {
			continue
		}
		seen[e] = true
		queue = append(queue[:len(queue):len(queue)], needs[dep.On]...)
		r, isResource := dep.On.(*bind.Resource)
		if !dep.Weak || !isResource || !r.Stmt.IsExisting() {
			all[dep.On] = true
		}
	}
	return all
}

// useParent finds children that are named by their parent's name.
func (l *linter) useParent() {
	var declared []*check.Resource
	byType := map[string][]*check.Resource{}
	for _, r := range l.m.AllResources() {
		if r.IsDeclared() && r.IsAz() {
			declared = append(declared, r)
			key := strings.ToLower(r.TypeRef().Type)
			byType[key] = append(byType[key], r)
		}
	}
	for _, r := range declared {
		name, ok := r.NameExpr().(*syntax.String)
		if !ok || r.Parent != nil || len(r.TypeRef().Segments) < 2 {
			continue
		}
		if parent := l.namedParent(r, name); parent != nil {
			l.childNamed(r, parent)
			continue
		}
		typ := r.TypeRef().Type
		for _, p := range byType[strings.ToLower(typ[:strings.LastIndexByte(typ, '/')])] {
			if parentName := p.NameExpr(); parentName != nil && !l.m.IsCollection(p.Symbol) && l.continues(parentName, name) {
				l.childNamed(r, p)
				break
			}
		}
	}
}

func (l *linter) childNamed(child, parent *check.Resource) {
	body := syntax.Body(child.Symbol.Stmt.Value)
	if body == nil {
		return
	}
	if p := body.Property("name"); p != nil && !l.m.HasParseErrors(body) {
		l.add(p.Value.Span(), child.Symbol.Name(), parent.Symbol.Name())
	}
}

// namedParent returns the parent if a name is '${parent.name}/…'.
func (l *linter) namedParent(child *check.Resource, name *syntax.String) *check.Resource {
	if len(name.Exprs) == 0 || name.Segments[0] != "" || !strings.HasPrefix(name.Segments[1], "/") {
		return nil
	}
	a, ok := name.Exprs[0].(*syntax.PropertyAccess)
	if !ok || a.Name.Name != "name" {
		return nil
	}
	p := l.m.Resource(a.X)
	if p == nil || !p.IsDeclared() || !p.TypeRef().IsParentOf(child.TypeRef()) {
		return nil
	}
	return p
}

// continues reports whether the child's name is the parent's, a slash, and more.
func (l *linter) continues(parent syntax.Expr, child *syntax.String) bool {
	p, ok := parent.(*syntax.String)
	if !ok {
		return len(child.Segments) > 1 && strings.HasPrefix(child.Segments[1], "/") && l.same(child.Exprs[0], parent)
	}
	if len(child.Segments) < len(p.Segments) || len(child.Exprs) < len(p.Exprs) {
		return false
	}
	last := len(p.Segments) - 1
	for i, s := range p.Segments {
		c := child.Segments[i]
		if i < last && c != s {
			return false
		}
		if i == last && (len(c) <= len(s) || c[len(s)] != '/' || !strings.HasPrefix(c, s)) {
			return false
		}
	}
	return l.sameExprs(child.Exprs[:len(p.Exprs)], p.Exprs)
}

// azPowerShell finds deployment scripts that ask for an old Azure PowerShell.
func (l *linter) azPowerShell() {
	minimum := "11.0"
	if v, ok := l.setting("minimumVersion"); ok {
		s, isString := v.(armjson.String)
		if _, ok := parseVersion(string(s)); !ok || !isString {
			l.add(source.Span{}, "the setting minimumVersion must be a version such as 11.0, and is "+armjson.Text(v))
			return
		}
		minimum = string(s)
	}
	least, _ := parseVersion(minimum)
	for _, r := range l.resources {
		typ, ok := literalOf(r.Type)
		if !ok || !strings.Contains(typ, "Microsoft.Resources/deploymentScripts") {
			continue
		}
		body, ok := r.Value.(*syntax.Object)
		if !ok {
			continue
		}
		kind := namedProperty(body, folded("kind"))
		if kind == nil {
			continue
		}
		if text, ok := literalOf(kind.Value); !ok || !equalFold(text, "AzurePowerShell") {
			continue
		}
		p := namedProperty(body, named("properties"))
		if p == nil {
			continue
		}
		properties, _ := p.Value.(*syntax.Object)
		if p = namedProperty(properties, folded("azPowerShellVersion")); p == nil {
			continue
		}
		text, _ := literalOf(p.Value)
		if v, ok := parseVersion(text); ok && less(v, least) {
			l.add(r.Span(), "version "+text+" is older than "+minimum)
		}
	}
}

// parseVersion reads two to four numbers with dots between them.
func parseVersion(s string) ([4]int, bool) {
	v := [4]int{0, 0, -1, -1}
	parts := strings.Split(strings.TrimSpace(s), ".")
	if len(parts) < 2 || len(parts) > 4 {
		return v, false
	}
	for i, p := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(p), 10, 32)
		if err != nil || n < 0 {
			return v, false
		}
		v[i] = int(n)
	}
	return v, true
}

func less(a, b [4]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// recognizedType would compare types in reference() and list…() with Azure's
// library; without it only those of providers that Azure does not have are known
// to be wrong.
func (l *linter) recognizedType() {
	for _, c := range l.readingCalls() {
		if _, args, _ := syntax.CallName(c); len(args) > 0 {
			if typ := l.typeIn(args[0]); typ != "" && !typelib.HasAzProvider(providerOf(typ)) {
				l.add(c.Span(), typ)
			}
		}
	}
}

// readingCalls returns the calls of reference(), list…() and their kin.
func (l *linter) readingCalls() []syntax.Expr {
	var found []syntax.Expr
	for _, c := range l.calls {
		name, _, _ := syntax.CallName(c)
		if (strings.Contains(name.Name, "reference") || strings.Contains(name.Name, "list")) && l.function(c, "az") != nil {
			found = append(found, c)
		}
	}
	return found
}

func providerOf(typ string) string {
	provider, _, _ := strings.Cut(typ, "/")
	return provider
}

func (l *linter) typeIn(x syntax.Expr) string {
	if name, args, ok := syntax.CallName(x); ok {
		if name.Name == "resourceId" {
			for _, a := range args {
				if text, ok := l.literal(a); ok && looksLikeType(text) {
					return text
				}
			}
		}
		return ""
	}
	if text, ok := l.literal(x); ok && looksLikeType(text) {
		return text
	}
	return ""
}

// looksLikeType: two words with a dot between them, then one or more with slashes before them.
func looksLikeType(s string) bool {
	parts := strings.Split(s, "/")
	if len(parts) < 2 {
		return false
	}
	company, product, ok := strings.Cut(parts[0], ".")
	if !ok || !isWord(company) || !isWord(product) {
		return false
	}
	for _, p := range parts[1:] {
		if !isWord(p) {
			return false
		}
	}
	return true
}

func isWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

// useSymbol finds reference() and list…() of resources that the file declares.
func (l *linter) useSymbol() {
	for _, c := range l.calls {
		name, args, _ := syntax.CallName(c)
		list := strings.HasPrefix(name.Name, "list")
		switch {
		case list && (len(args) < 2 || len(args) > 3):
			continue
		case !list && (name.Name != "reference" || len(args) < 1 || len(args) > 3):
			continue
		}
		if l.function(c, "az") == nil {
			continue
		}
		var version syntax.Expr
		if len(args) > 1 {
			version = args[1]
		}
		if l.matchesVersion(l.resourcesByID(args[0]), version) {
			l.add(c.Span(), name.Name)
		}
	}
}

// resourcesByID returns the declared resources that an ID may mean.
func (l *linter) resourcesByID(x syntax.Expr) []*check.Resource {
	if a, ok := x.(*syntax.PropertyAccess); ok && (a.Name.Name == "id" || a.Name.Name == "name") {
		if r := l.m.Resource(a.X); r != nil && r.IsDeclared() {
			return []*check.Resource{r}
		}
		return nil
	}
	name, args, ok := syntax.CallName(x)
	if !ok || name.Name != "resourceId" || len(args) < 2 || l.function(x, "az") == nil {
		return nil
	}
	typ, ok := literalOf(args[0])
	if !ok || !strings.Contains(typ, "/") {
		return nil
	}
	var found []*check.Resource
	for _, r := range l.m.AllResources() {
		if !r.IsDeclared() || !r.IsAz() || !equalFold(r.TypeRef().Type, typ) {
			continue
		}
		var names []syntax.Expr
		for a := r; a != nil && a.IsDeclared(); {
			names = append([]syntax.Expr{a.NameExpr()}, names...)
			if a.Parent == nil {
				break
			}
			a = a.Parent.Resource
		}
		if l.sameNames(names, args[1:]) {
			found = append(found, r)
		}
	}
	return found
}

func (l *linter) sameNames(names, args []syntax.Expr) bool {
	for _, n := range names {
		if n == nil {
			return false
		}
	}
	return l.sameExprs(names, args)
}

func (l *linter) matchesVersion(candidates []*check.Resource, version syntax.Expr) bool {
	if version == nil {
		return len(candidates) == 1
	}
	if a, ok := version.(*syntax.PropertyAccess); ok && a.Name.Name == "apiVersion" {
		named := l.m.Resource(a.X)
		for _, r := range candidates {
			if r == named {
				return true
			}
		}
		return false
	}
	text, ok := literalOf(version)
	if !ok {
		return false
	}
	for _, r := range candidates {
		if equalFold(r.TypeRef().Version, text) {
			return true
		}
	}
	return false
}

// stableIdentifiers finds names that differ from one deployment to the next.
func (l *linter) stableIdentifiers() {
	for _, r := range l.m.DeclaredResources() {
		body := syntax.Body(r.Symbol.Stmt.Value)
		if body == nil {
			continue
		}
		for _, id := range r.Type.Identifiers {
			value := body.PropertyValue(id)
			if value == nil {
				continue
			}
			for _, path := range l.unstable(value) {
				l.add(value.Span(), id, r.Symbol.Name(), path)
			}
		}
	}
}

// mostPaths bounds how many ways to unstable calls are told of one value: there
// are as many as 2ⁿ with n variables.
const mostPaths = 64

// unstable returns the ways from an expression to calls whose result is never the same.
func (l *linter) unstable(x syntax.Expr) []string {
	var found, path []string
	var visit func(n syntax.Node)
	onPath, harmless := map[bind.Symbol]bool{}, map[bind.Symbol]bool{}
	follow := func(s bind.Symbol, value syntax.Expr) {
		if harmless[s] || len(found) >= mostPaths {
			return
		}
		before := len(found)
		onPath[s] = true
		path = append(path, s.Name())
		visit(value)
		path = path[:len(path)-1]
		delete(onPath, s)
		harmless[s] = len(found) == before
	}
	visit = func(n syntax.Node) {
		if name, _, ok := syntax.CallName(n); ok && (name.Name == "newGuid" || name.Name == "utcNow") && l.function(n, "sys") != nil {
			found = append(found, strings.Join(append(path[:len(path):len(path)], oneLine(l.text(n))), " -> "))
		}
		if ref, ok := n.(*syntax.VarRef); ok {
			switch s := l.m.Symbol(ref).(type) {
			case *bind.Param:
				if s.Stmt.Default != nil && !onPath[s] {
					follow(s, s.Stmt.Default.Value)
				}
			case *bind.Var:
				if !onPath[s] {
					follow(s, s.Stmt.Value)
				}
			}
		}
		syntax.Children(n, visit)
	}
	visit(x)
	return found
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// stableImage finds images of virtual machines that are previews.
func (l *linter) stableImage() {
	for _, r := range l.m.DeclaredResources() {
		body := syntax.Body(r.Symbol.Stmt.Value)
		if body == nil {
			continue
		}
		p := deepProperty(body, "properties", "storageProfile", "imageReference")
		if p == nil {
			continue
		}
		image, _ := p.Value.(*syntax.Object)
		if ref, ok := p.Value.(*syntax.VarRef); ok {
			if v, ok := l.m.Symbol(ref).(*bind.Var); ok {
				image, _ = v.Stmt.Value.(*syntax.Object)
			}
		}
		if image == nil {
			continue
		}
		for _, name := range [...]string{"offer", "sku", "version"} {
			value := image.PropertyValue(name)
			if text, ok := literalOf(value); ok && strings.Contains(strings.ToLower(text), "preview") {
				l.add(value.Span(), name)
			}
		}
	}
}

// hardcodedOutputs finds outputs that are constants.
func (l *linter) hardcodedOutputs() {
	for _, o := range l.outputs {
		if isConstant(o.Value) {
			l.add(o.Value.Span(), o.Name.Name)
		}
	}
}

func isConstant(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.String:
		return !x.Interpolated()
	case *syntax.Int, *syntax.Bool, *syntax.Null:
		return true
	case *syntax.Unary:
		return isConstant(x.X)
	case *syntax.Paren:
		return isConstant(x.X)
	case *syntax.Array:
		for _, item := range x.Items {
			if _, ok := item.(*syntax.Spread); !ok && !isConstant(item) {
				return false
			}
		}
		return true
	case *syntax.Object:
		for _, item := range x.Items {
			if p, ok := item.(*syntax.Property); ok && !isConstant(p.Value) {
				return false
			}
		}
		return true
	}
	return false
}

// artifactsParameters checks the two parameters by which templates find their
// files: they come together, and have the types and defaults that tools expect.
func (l *linter) artifactsParameters() {
	const location, token = "_artifactsLocation", "_artifactsLocationSasToken"
	find := func(name string) *bind.Param {
		for _, p := range l.b.Params {
			if equalFold(p.Name(), name) {
				return p
			}
		}
		return nil
	}
	a, b := find(location), find(token)
	switch {
	case a != nil && b == nil:
		l.add(a.NameSpan(), location, "also needs the parameter "+token)
	case b != nil && a == nil:
		l.add(b.NameSpan(), token, "also needs the parameter "+location)
	case a != nil:
		for _, p := range []*bind.Param{a, b} {
			if t, ok := p.Stmt.Type.(*syntax.TypeName); ok && t.Name.Name != "string" {
				l.add(t.Span(), p.Name(), "must be a string")
			}
		}
		if !hasCall(b.Stmt, "secure") {
			l.add(b.Stmt.Type.Span(), b.Name(), "must be secure")
		}
		if d := a.Stmt.Default; d != nil {
			text, plain := literalOf(d.Value)
			if !(plain && strings.HasPrefix(text, "http")) && !mentionsTemplateLink(l.text(d.Value)) {
				l.add(d.Value.Span(), a.Name(), "can default to a URL, or to one made from deployment().properties.templateLink.uri")
			}
		}
		if d := b.Stmt.Default; d != nil {
			if text, plain := literalOf(d.Value); !plain || text != "" {
				l.add(d.Value.Span(), b.Name(), "can default to nothing but an empty string")
			}
		}
	}
	for _, m := range l.b.Modules {
		t := l.m.Referenced(m.Stmt)
		if t == nil {
			continue
		}
		var params *syntax.Object
		if body := syntax.Body(m.Stmt.Value); body != nil {
			params, _ = body.PropertyValue("params").(*syntax.Object)
		}
		for _, p := range t.Parameters() {
			if !equalFold(p.Name, location) && !equalFold(p.Name, token) {
				continue
			}
			if namedProperty(params, named(p.Name)) == nil {
				l.add(m.NameSpan(), p.Name, "of the module "+m.Name()+" should be given a value")
			}
		}
	}
}

// mentionsTemplateLink looks for deployment(….templateLink within a line.
func mentionsTemplateLink(text string) bool {
	for line := range strings.SplitSeq(strings.ToLower(text), "\n") {
		if _, rest, ok := strings.Cut(line, "deployment("); ok && strings.Contains(rest, ".templatelink") {
			return true
		}
	}
	return false
}

// resourceIDFunctions finds IDs that are put together by hand.
func (l *linter) resourceIDFunctions() {
	for _, r := range l.m.DeclaredResources() {
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
				syntax.Children(n, visit)
				return
			}
			name, _ := p.KeyName()
			low := strings.ToLower(name)
			switch {
			case low == skipped || notResourceIDs[low]:
			case !strings.HasSuffix(low, "id"), strings.HasSuffix(name, "uid"), strings.HasSuffix(name, "UID"):
				syntax.Children(n, visit)
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

// idExceptions says whether IDs in resources of a type are looked at, and which property is left out.
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

// notResourceIDs are properties that end in id and hold other things, or that
// hold anything; in lower case.
var notResourceIDs = map[string]bool{
	"appid": true, "clientid": true, "contentid": true, "connectorid": true, "datatypeid": true, "defaultmenuitemid": true,
	"deploymentspecid": true, "detector": true, "groupid": true, "illusiveincidentid": true, "keyid": true, "keyvaultid": true,
	"keyvaultsecretid": true, "locations": true, "menuid": true, "metadata": true, "metricid": true, "nodeagentskuid": true,
	"objectid": true, "parentid": true, "policydefinitionreferenceid": true, "requestedserviceobjectiveid": true, "resource": true,
	"ruleid": true, "schemaid": true, "serviceprincipalclientid": true, "sid": true, "startingdeviceid": true, "subscriptionid": true,
	"storageaccountsubscriptionid": true, "syntheticmonitorid": true, "tags": true, "targetprotectioncontainerid": true,
	"targetworkersizeid": true, "tenantid": true, "timezoneid": true, "vlanid": true, "workersizeid": true, "uniquefindingid": true,
	"principalid": true,
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
			"roleDefinitions", "subscription", "subscriptionResourceId", "tenantResourceId":
			return false
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
