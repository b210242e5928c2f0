package plan

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/secret"
)

var marks = map[Action]string{Deploy: " ", Unchanged: " ", Create: "+", Update: "~", Delete: "-", Rename: ">", Replace: "-/+", Unknown: "?"}

var colors = map[Action]string{Create: "\x1b[32m", Update: "\x1b[33m",
	Delete: "\x1b[31m", Rename: "\x1b[36m", Replace: "\x1b[31m", Unknown: "\x1b[35m"}

// Section is a plan with its title.
type Section struct {
	Title string
	Plan  *Plan
}

// Style says how plans are written for people.
type Style struct {
	Color   bool
	Details Details
	Base    string                   // what the state before is called, such as a revision; resources that are deleted are of it
	File    func(path string) string // how a file is called; nil names it in full
}

// Details says whether the properties of resources are listed that nothing is compared with.
type Details int

const (
	FewDetails Details = iota // those of up to 20 resources, and up to 40 of each
	AllDetails                // those of all resources
	NoDetails                 // none
)

// fewResources and fewProperties are how much FewDetails lists.
const fewResources, fewProperties = 20, 40

// Lengths of what is written on a line.
const (
	maxValue     = 120 // of a value
	maxCompared  = 100 // of each of two values that are compared
	maxCondition = 80
	maxUnknown   = 50 // of the name of something unknown
	maxSummary   = 200
	maxNamed     = 400
	fewNamed     = 30 // long expressions that are listed
)

// Summary returns what would happen in a few words.
func (p *Plan) Summary() string {
	if !p.Compared {
		n, made, not := p.made(false, Deploy), 0, ""
		for _, i := range p.Items {
			if i.Resource.NotKnown != "" {
				not = ", and objects that are not known"
			} else if i.Resource.Maker != nil {
				made++
			}
		}
		text := fmt.Sprintf("%d %s", n, plural(n, "resource", "resources"))
		if made > 0 {
			text += fmt.Sprintf(", %d %s", made, plural(made, "object", "objects"))
		}
		return text + not
	}
	return summaryOf(p)
}

// summaryOf returns what would happen by all of some plans.
func summaryOf(plans ...*Plan) string {
	parts := countsOf(plans, false)
	n := 0
	for _, p := range plans {
		n += len(p.Outputs)
	}
	if n > 0 {
		parts = append(parts, fmt.Sprintf("%d %s changed", n, plural(n, "output", "outputs")))
	}
	text, objects := strings.Join(parts, ", "), strings.Join(countsOf(plans, true), ", ")
	made := slices.ContainsFunc(plans, func(p *Plan) bool { return p.made(true, Unchanged) > 0 })
	switch {
	case text == "" && objects == "":
		return "no changes"
	case objects == "" && made:
		return text + "; no object changes"
	case objects == "":
		return text
	case text == "":
		return "objects: " + objects
	}
	return text + "; objects: " + objects
}

// countsOf says what happens to how many resources of some plans: to those that recipes make, or to the others.
func countsOf(plans []*Plan, byRecipes bool) (parts []string) {
	for _, x := range []struct {
		action Action
		text   string
	}{{Create, "to create"}, {Update, "to update"}, {Delete, "to delete"}, {Rename, "renamed"}, {Unknown, "unknown"}} {
		n, replaced := 0, 0
		for _, p := range plans {
			n += p.count(byRecipes, x.action)
			replaced += p.made(byRecipes, Replace)
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, x.text))
		}
		if x.action == Delete && replaced > 0 {
			parts[len(parts)-1] += fmt.Sprintf(" (%d replaced)", replaced)
		}
	}
	return parts
}

// inAll returns the last line of several plans, and tells which of them it leaves out since they are empty.
func inAll(sections []Section) (line string, left []Section) {
	var plans []*Plan
	unchanged := 0
	for _, s := range sections {
		switch {
		case !s.Plan.Compared:
			return "", sections
		case s.Plan.Empty():
			unchanged++
		default:
			left, plans = append(left, s), append(plans, s.Plan)
		}
	}
	if len(sections) < 2 {
		return "", sections
	}
	if unchanged > 0 {
		line = fmt.Sprintf("%d %s unchanged", unchanged, plural(unchanged, "target", "targets"))
	}
	if len(plans) > 0 {
		if line != "" {
			line += "; "
		}
		line += "in all: " + summaryOf(plans...)
	}
	return line, left
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// WriteText writes plans for a terminal. Of several, those without changes are counted only.
func WriteText(w io.Writer, sections []Section, style Style) error {
	last, sections := inAll(sections)
	t := textWriter{Style: style}
	alike := groups(sections, func(p *Plan) string {
		one := textWriter{Style: style}
		one.plan(p)
		return one.b.String()
	})
	for _, g := range alike {
		if t.b.Len() > 0 {
			t.line("")
		}
		for _, title := range g.titles {
			t.line("%s", report.Visible(title))
		}
		t.b.WriteString(g.body)
	}
	if last != "" {
		if t.b.Len() > 0 {
			t.line("")
		}
		t.line("%s", last)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

// group is what plans of several targets say in the same words.
type group struct {
	titles []string
	body   string
}

// groups puts together what reads alike.
func groups(sections []Section, body func(*Plan) string) []*group {
	var list []*group
	by := map[string]*group{}
	for _, s := range sections {
		text := body(s.Plan)
		g := by[text]
		if g == nil {
			g = &group{body: text}
			by[text] = g
			list = append(list, g)
		}
		if s.Title != "" {
			g.titles = append(g.titles, s.Title)
		}
	}
	return list
}

// WriteText writes the plan for a terminal, without a title.
func (p *Plan) WriteText(w io.Writer, style Style) error {
	return WriteText(w, []Section{{Plan: p}}, style)
}

type textWriter struct {
	Style
	b strings.Builder
}

func (t *textWriter) line(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

func (t *textWriter) paint(a Action, s string) string {
	if c := colors[a]; t.Color && c != "" {
		return c + s + "\x1b[0m"
	}
	return s
}

// row is a line about a resource.
type row struct {
	action              Action
	called, what, place string
	item                *Item
	indent              string
}

// rows returns the lines about resources, with marks.
func (t *textWriter) rows(p *Plan) (rows []row) {
	for _, e := range p.entries() {
		rows = append(rows, t.row(p, e))
		for _, o := range e.objects {
			rows = append(rows, t.objectRow(p, e, o))
			rows[len(rows)-1].indent = "    "
		}
	}
	for i := range rows {
		rows[i].called = rows[i].indent + marks[rows[i].action] + " " + rows[i].called
	}
	return rows
}

func (t *textWriter) plan(p *Plan) {
	p.mentioned = map[string]bool{}
	rows := t.rows(p)
	called, what := 0, 0 // widths of the columns
	for _, r := range rows {
		const widestCalled, widestWhat = 32, 50
		if n := utf8.RuneCountInString(r.called); n <= widestCalled && r.what != "" {
			called = max(called, n)
		}
		if n := utf8.RuneCountInString(r.what); n <= widestWhat {
			what = max(what, n)
		}
	}
	for _, r := range rows {
		if r.what == "" && r.place != "" { // a long entry takes both columns
			r.called = pad(r.called, called+2+what)
		}
		line := r.called
		if r.what != "" {
			line = pad(line, called) + "  " + r.what
		}
		if r.place != "" {
			line = pad(line, called+2+what) + "  " + r.place
		}
		t.line("  %s", t.paint(r.action, report.Visible(line)))
		t.details(p, r.item, r.indent)
	}
	for _, c := range p.Outputs {
		t.change(p, c, "  ", "output ")
	}
	named := p.named(maxNamed)
	for _, v := range named[max(len(named)-fewNamed, 0):] { // the last mention those before them
		t.line("    %s = %s", v[0], report.Visible(v[1]))
	}
	if len(named) > fewNamed {
		t.line("    … and %d more", len(named)-fewNamed)
	}
	s := p.Summary()
	if off := t.notDeployed(p); off != "" {
		s += " with these parameters; " + off
	}
	unknown := p.unknowns()
	switch one := s + "; unknown: " + strings.Join(unknown, "; "); {
	case len(unknown) == 0:
		t.line("%s", report.Visible(s))
	case len(one) <= maxSummary:
		t.line("%s", report.Visible(one))
	default:
		t.line("%s; unknown:", report.Visible(s))
		for _, u := range unknown {
			t.line("    %s", report.Visible(u))
		}
	}
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-utf8.RuneCountInString(s), 0))
}

// row returns the line about a resource, or about rounds of a loop.
func (t *textWriter) row(p *Plan, i *entry) row {
	r := row{action: i.Action, called: p.called(i.Resource), what: kind(i.Resource), place: t.place(i.Resource.Position), item: i.Item}
	if len(i.rounds) > 1 {
		r.called = p.calledAll(i.rounds)
	}
	if i.Resource.Unfetched() {
		r.action = Unknown
	}
	if i.Resource.NotKnown != "" {
		r.what = "not known: " + i.Resource.NotKnown
	}
	if i.RenamedFrom != "" {
		if was := p.called(i.Was); was != r.called {
			r.called = was + " -> " + r.called
		}
		r.what += " (" + p.renaming(i.Item) + ")"
	}
	if c := p.why(i.Item); c != "" {
		r.what += ", " + c
	}
	if i.Was == i.Resource && r.place != "" && t.Base != "" {
		r.place += " of " + t.Base
	}
	return r
}

// objectRow returns the line about what the recipe of an entry makes: its symbol in the recipe, and its name.
func (t *textWriter) objectRow(p *Plan, of *entry, i *Item) row {
	r := t.row(p, &entry{Item: i})
	within := func(x *expand.Resource) string {
		s := strings.TrimPrefix(symbol(x), symbol(x.Maker)+"/")
		switch name, known := expand.Known(x.Name); {
		case x.NotKnown != "":
			return "objects"
		case !known || (len(of.rounds) > 1 || i.RenamedFrom != "") && s != "":
			return cmp.Or(s, p.called(x))
		default:
			return strings.TrimPrefix(s+" ", " ") + clip(types.QuoteString(name), longestSymbol)
		}
	}
	if r.called = within(i.Resource); i.RenamedFrom != "" && within(i.Was) != r.called {
		r.called = within(i.Was) + " -> " + r.called
	}
	if i.Resource.NotKnown != "" || i.Resource.Position == of.Resource.Position { // nothing else says where it is
		r.place = ""
	}
	return r
}

// kind returns the type of a resource, or which module or import it stands for.
func kind(r *expand.Resource) string {
	switch {
	case r.NotKnown != "":
		return "what its recipe makes"
	case !r.Unfetched():
		return r.Type
	case r.Symbol == "":
		return "module " + clip(r.APIVersion, maxValue) + ", could not be fetched"
	}
	return "import " + clip(r.APIVersion, maxValue) + ", could not be fetched"
}

// renaming says what becomes of a resource that gets another name.
func (p *Plan) renaming(i *Item) string {
	if !p.removes(i) {
		return "renamed; the old one stays"
	}
	verb := "replaced: "
	if i.Action == Unknown {
		verb = "may be replaced: "
	}
	was, is := p.difference(i.Was.Name, i.Resource.Name, maxUnknown)
	if !slices.ContainsFunc(i.Changes, func(c Change) bool { return c.Path == "name" }) {
		return verb + was + " is deleted, and created in another scope"
	}
	return verb + was + " is deleted, " + is + " is created"
}

// why says on what it depends whether a resource is deployed; "" if it is in any case.
func (p *Plan) why(i *Item) string {
	switch r := i.Resource; {
	case i.Action == Unknown && i.Was != nil && i.Was != r && (r.TooLarge || i.Was.TooLarge):
		return "too large to be compared"
	case r.Copies != nil:
		return p.copies(r.Copies) + ", not known"
	case r.Condition != nil:
		return "if " + p.bicep(r.Condition, maxCondition)
	case i.mayBe != nil && i.RenamedFrom == "":
		verb, in := "created", ""
		if i.Was == r {
			verb = "deleted"
		}
		switch {
		case i.mayBe.NotKnown != "":
			in = "among what is not known of "
		case i.mayBe.Unfetched() && !r.Unfetched():
			in = "in "
		}
		return verb + " unless it is " + in + p.called(i.mayBe)
	}
	return ""
}

// copies says how many rounds loops have.
func (p *Plan) copies(v expand.Value) string {
	if list, ok := v.(armjson.Array); ok {
		loops := make([]string, len(list))
		for i, x := range list {
			loops[i] = p.copies(x)
		}
		return strings.Join(loops, ", and ")
	}
	s := p.bicep(v, maxCondition)
	if inner, ok := strings.CutPrefix(s, "length("); ok && strings.HasSuffix(inner, ")") && !strings.Contains(inner, "(") {
		return "one for each of " + strings.TrimSuffix(inner, ")")
	}
	return "as many as " + s
}

// notDeployed says which resources a change is about that are not deployed, and why; "" if there are none.
func (t *textWriter) notDeployed(p *Plan) string {
	const few = 5
	var list []string
	for _, i := range p.NotDeployed {
		at := t.place(i.Resource.Position)
		if end := i.Resource.Position.EndLine; end > i.Resource.Position.Line {
			at += fmt.Sprintf("-%d", end)
		}
		if at == "" {
			at = p.called(i.Resource)
		}
		if i.Action == Delete && t.Base != "" {
			at += " of " + t.Base
		}
		s := at
		if why := p.whyNot(i.Resource.Condition); why != "" {
			s += " (" + why + ")"
		}
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return ""
	}
	verb := plural(len(list), "is", "are")
	if len(list) > few {
		list = append(list[:few], fmt.Sprintf("and %d more", len(list)-few))
	}
	return strings.Join(list, ", ") + " " + verb + " not deployed with them"
}

// whyNot says why a condition is false: of x that x is false, of x != null that x is null.
func (p *Plan) whyNot(condition expand.Value) string {
	s := p.bicep(condition, maxCondition)
	if condition == nil || s == "false" {
		return ""
	}
	simple := func(s string) bool { return !strings.ContainsAny(s, " !(") }
	if x, ok := strings.CutSuffix(s, " != null"); ok && simple(x) {
		return x + " is null"
	}
	if x, ok := strings.CutSuffix(s, " == null"); ok && simple(x) {
		return x + " is not null"
	}
	if x, ok := strings.CutPrefix(s, "!"); ok && simple(x) {
		return x + " is true"
	}
	return s + " is false"
}

// place returns a position as people read it.
func (t *textWriter) place(at expand.Position) string {
	if at.File == "" {
		return ""
	}
	file := at.File
	if t.File != nil {
		file = t.File(file)
	}
	return fmt.Sprintf("%s:%d", file, at.Line)
}

// details writes what changes in a resource, or all of it if nothing is compared with it.
func (t *textWriter) details(p *Plan, i *Item, indent string) {
	if i.Was != nil { // without changes if it is deleted
		for _, c := range i.Changes {
			t.change(p, c, indent+"    ", "")
		}
		return
	}
	list, left := p.properties(i, t.Details)
	for _, c := range list {
		t.line("%s      %s: %s", indent, report.Visible(c.Path), report.Visible(c.text(p, c.After, maxValue)))
	}
	if left > 0 {
		t.line("%s      … and %d more", indent, left)
	}
}

func (t *textWriter) change(p *Plan, c Change, indent, before string) {
	mark := marks[c.Action]
	if c.Action == Update && before == "" {
		mark = " "
	}
	t.line("%s%s %s", indent, t.paint(c.Action, mark), report.Visible(before+c.Path+": "+c.words(p, maxValue, maxCompared, " -> ")))
}

// words returns the values of a change.
func (c *Change) words(p *Plan, one, each int, arrow string) string {
	switch c.Action {
	case Create, Deploy:
		return c.text(p, c.After, one)
	case Delete:
		return c.text(p, c.Before, one)
	}
	before, after := c.texts(p, each)
	return before + arrow + after
}

// texts returns the two values as one line each, of a length that can be read.
func (c *Change) texts(p *Plan, limit int) (before, after string) {
	if c.Secure {
		return c.text(p, c.Before, limit), c.text(p, c.After, limit)
	}
	return p.difference(c.Before, c.After, limit)
}

func (c *Change) text(p *Plan, v expand.Value, limit int) string {
	if v != nil && c.Secure {
		return secret.Text
	}
	return p.bicep(v, limit)
}

// properties returns what a resource sets that is created, as changes, and how many properties that leaves out; none
// if they are not to be listed.
func (p *Plan) properties(i *Item, details Details) (list []Change, left int) {
	most := fewProperties
	switch {
	case details == NoDetails || i.Was != nil || i.Resource.NotKnown != "" || details == FewDetails && p.fresh > fewResources:
		return nil, 0
	case details == AllDetails:
		most = maxProperties
	}
	add := func(path string, v expand.Value) {
		if len(list) == most {
			left++
			return
		}
		list = append(list, Change{Path: path, Action: Create, After: v, Secure: expand.IsSecure(v)})
	}
	r := i.Resource
	if r.Extension == nil && r.Name != nil && !r.Unfetched() {
		add("name", r.Name)
	}
	var walk func(path string, v expand.Value)
	walk = func(path string, v expand.Value) {
		switch v := v.(type) {
		case *armjson.Object:
			if v.Len() > 0 && len(list) < most {
				for k, x := range v.All() {
					walk(segment(path, k), x)
				}
				return
			}
		case armjson.Array:
			if len(list) < most && p.isLong(v) {
				name, _, _, named := elementKeys(v, v)
				for i, x := range v {
					if !named {
						walk(join(path, "["+strconv.Itoa(i)+"]"), x)
						continue
					}
					o := x.(*armjson.Object)
					for k, y := range o.All() {
						if k != name || o.Len() == 1 { // the path says the name
							walk(segment(elementPath(path, name, o), k), y)
						}
					}
				}
				return
			}
		}
		add(path, v)
	}
	for k, v := range r.Body.All() {
		walk(segment("", k), v)
	}
	return list, left
}

// isLong reports whether an array does not fit on a line.
func (p *Plan) isLong(list armjson.Array) bool {
	w := bicepWriter{plan: p, most: maxValue, depth: deepest}
	w.value(list)
	return w.full()
}

// maxProperties is how many properties of a resource are listed at most.
const maxProperties = 2000

// unknowns names what is unknown, and says how it can be known: a text for each way.
func (p *Plan) unknowns() []string {
	if len(p.Unknowns) == 0 || p.Compared && p.Empty() {
		return nil
	}
	type group struct {
		names []string
		more  int
	}
	var order []string
	groups := map[string]*group{}
	for _, c := range p.Unknowns {
		how := p.howKnown(c)
		g := groups[how]
		if g == nil {
			g = &group{}
			groups[how] = g
			order = append(order, how)
		}
		name := p.unknownName(c)
		const few = 8 // names of a group
		switch {
		case slices.Contains(g.names, name):
		case len(g.names) < few:
			g.names = append(g.names, name)
		default:
			g.more++
		}
	}
	var parts []string
	for _, how := range order {
		g := groups[how]
		s := strings.Join(g.names, ", ")
		if g.more > 0 {
			s += fmt.Sprintf(" and %d more", g.more)
		}
		if option, ok := strings.CutPrefix(how, "--"); ok {
			how = fmt.Sprintf("give %s with --%s", plural(len(g.names)+g.more, "it", "them"), option)
		} else if how == fromEnvironment {
			how += fmt.Sprintf("; -p %s=… plans with a value", g.names[0])
		}
		parts = append(parts, s+" ("+how+")")
	}
	return parts
}

// fromEnvironment is howKnown of a parameter whose value an environment variable gives.
const fromEnvironment = "from the environment"

// howKnown says when something unknown becomes known, or the option that gives it.
func (p *Plan) howKnown(c Cause) string {
	if p.Remedy != nil {
		if option := p.Remedy(c); option != "" {
			return option
		}
	}
	switch c.Kind {
	case expand.Function:
		if strings.HasPrefix(c.Call, armexpr.UnfetchedValue) || strings.HasPrefix(c.Call, armexpr.UnfetchedCall) {
			return "in what could not be fetched"
		}
	case expand.NoValue:
		return "without a value"
	case expand.Time:
		return "new in each deployment"
	case expand.Vault:
		return "in a key vault"
	case expand.Input:
		return "an external input"
	case expand.Environment:
		return fromEnvironment
	}
	return "known when deployed"
}

// unknownName returns what something unknown is called in Bicep.
func (p *Plan) unknownName(c Cause) string {
	e, err := armexpr.Parse("[" + c.Call + "]")
	if err != nil {
		return clip(c.Call, maxUnknown)
	}
	w := bicepWriter{plan: p, most: maxUnknown, depth: 2}
	w.expr(e, anything)
	return clip(string(w.b), maxUnknown)
}

// clip shortens a text.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
