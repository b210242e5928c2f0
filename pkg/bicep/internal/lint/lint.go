// Package lint is the linter: it looks at a file that is correct, or nearly so, and says what could
// be better. Each rule has a level, which the configuration may set; rules of level error block the
// compilation as errors do.
//
// Begin with the table of rules in lint.go. One walk gathers the nodes that the rules look at. The
// package changes no source: repairs of what it finds are made by package repair.
package lint

import (
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// table holds the rules, in the order in which their findings are reported.
var table = [...]struct {
	rule diag.Kind
	find func(*linter)
}{
	{diag.LintAdminUsername, (*linter).adminUsername},
	{diag.LintArtifactsParameters, (*linter).artifactsParameters},
	{diag.LintDecompilerCleanup, (*linter).decompilerCleanup},
	{diag.LintExplicitLocations, (*linter).explicitLocations},
	{diag.LintMaxAsserts, (*linter).maxAsserts},
	{diag.LintMaxOutputs, (*linter).maxOutputs},
	{diag.LintMaxParams, (*linter).maxParams},
	{diag.LintMaxResources, (*linter).maxResources},
	{diag.LintMaxVariables, (*linter).maxVariables},
	{diag.LintConstraintsConflict, (*linter).constraintsConflict},
	{diag.LintEntryTooWide, (*linter).entryTooWide},
	{diag.LintConflictingMetadata, (*linter).conflictingMetadata},
	{diag.LintDeploymentsResources, (*linter).deploymentsResources},
	{diag.LintExplicitAny, (*linter).explicitAny},
	{diag.LintHardcodedURLs, (*linter).hardcodedURLs},
	{diag.LintHardcodedLocation, (*linter).hardcodedLocation},
	{diag.LintHardcodedOutputs, (*linter).hardcodedOutputs},
	{diag.LintLocationOutsideParams, (*linter).locationOutsideParams},
	{diag.LintModuleName, (*linter).moduleName},
	{diag.LintNestedScoping, (*linter).nestedScoping},
	{diag.LintUnnecessaryDependsOn, (*linter).unnecessaryDependsOn},
	{diag.LintUnusedExisting, (*linter).unusedExisting},
	{diag.LintUnusedImports, (*linter).unusedImports},
	{diag.LintUnusedParams, (*linter).unusedParams},
	{diag.LintUnusedTypes, (*linter).unusedTypes},
	{diag.LintUnusedVars, (*linter).unusedVars},
	{diag.LintSecretOutputs, (*linter).secretOutputs},
	{diag.LintPreferInterpolation, (*linter).preferInterpolation},
	{diag.LintUnquotedNames, (*linter).unquotedNames},
	{diag.LintSecretParams, (*linter).secretParams},
	{diag.LintSecureDefault, (*linter).secureDefault},
	{diag.LintSecureInNested, (*linter).secureInNested},
	{diag.LintSecureInParamsFile, (*linter).secureInParamsFile},
	{diag.LintSimplifyInterpolation, (*linter).simplifyInterpolation},
	{diag.LintSimplifyJSONNull, (*linter).simplifyJSONNull},
	{diag.LintStacksExtensions, (*linter).stacksExtensions},
	{diag.LintDescribeOutputs, (*linter).describeOutputs},
	{diag.LintDescribeParams, (*linter).describeParams},
	{diag.LintDescribeTypeProperties, (*linter).describeTypeProperties},
	{diag.LintDescribeTypes, (*linter).describeTypes},
	{diag.LintDescribeVars, (*linter).describeVars},
	{diag.LintUseParent, (*linter).useParent},
	{diag.LintProtectCommand, (*linter).protectCommand},
	{diag.LintRecentAPIVersions, (*linter).recentAPIVersions},
	{diag.LintAzPowerShell, (*linter).azPowerShell},
	{diag.LintRecentModules, (*linter).recentModules},
	{diag.LintRecognizedType, (*linter).recognizedType},
	{diag.LintResourceIDFunctions, (*linter).resourceIDFunctions},
	{diag.LintUseSymbol, (*linter).useSymbol},
	{diag.LintSafeAccess, (*linter).safeAccess},
	{diag.LintSecureValue, (*linter).secureValue},
	{diag.LintStableIdentifiers, (*linter).stableIdentifiers},
	{diag.LintStableImage, (*linter).stableImage},
	{diag.LintUserTypes, (*linter).userTypes},
	{diag.LintWhatIf, (*linter).whatIf},
	{diag.LintRemovedType, (*linter).removedTypes},
}

// Inspector is the linter, as package check calls it.
type Inspector struct {
	Advice Advice
}

// Advice says for whom findings are that the official compiler does not have.
type Advice uint8

const (
	NoAdvice       Advice = iota // nobody
	AdviceToDeploy               // somebody who deploys: what is wrong or soon will be
	AdviceToAuthor               // somebody who works on the source: notes, too
)

// Inspect reports what the rules find in a file. If the configuration is verbose, it also reports
// which configuration is used.
func (in Inspector) Inspect(m *check.Model, report diag.Sink) {
	settings := m.Config().Analyzers
	enabled := settings.Enabled()
	if settings.Verbose() {
		rule := diag.LinterEnabled
		if !enabled {
			rule = diag.LinterDisabled
		}
		report(rule.At(source.Span{}, m.Config().Source()))
	}
	if !enabled {
		return
	}
	l := &linter{m: m, advice: in.Advice, analysis: flow.Analyze(m), b: m.Binding(), sink: report, plain: map[types.Type]bool{}}
	l.gather()
	for i := range table {
		r := &table[i]
		if !m.Has(since(r.rule)) {
			continue
		}
		l.rule, l.level = r.rule, r.rule.Level()
		if r.rule == diag.LintRemovedType {
			if l.level = l.removalLevel(); l.level == diag.Off {
				continue
			}
		}
		if set, ok := settings.Level(r.rule.Code()); ok {
			l.level = set
		}
		if l.level != diag.Off {
			r.find(l)
		}
	}
}

// since returns the fact that brought a rule.
func since(rule diag.Kind) release.Fact {
	switch rule {
	case diag.LintModuleName:
		return release.ModuleNameRule
	case diag.LintRecognizedType:
		return release.RecognizedTypeRule
	case diag.LintHardcodedOutputs:
		return release.HardcodedOutputsRule
	case diag.LintSecureInParamsFile:
		return release.SecureInParamsFileRule
	case diag.LintUnusedTypes:
		return release.UnusedTypesRule
	case diag.LintConstraintsConflict, diag.LintEntryTooWide:
		return release.VersionConstraints
	case diag.LintDescribeOutputs, diag.LintDescribeParams, diag.LintDescribeTypeProperties, diag.LintDescribeTypes, diag.LintDescribeVars:
		return release.DescriptionRules
	}
	return release.Always
}

// linter holds the file and the lists of its nodes that the rules share.
type linter struct {
	m        *check.Model
	advice   Advice
	analysis *flow.Analysis
	b        *bind.Binding
	sink     diag.Sink

	rule  diag.Kind // the rule that is running
	level diag.Severity

	used       []uint64      // by the ID of a declaration's node: a bit, set if something names what it declares
	calls      []syntax.Expr // *syntax.Call, *syntax.InstanceCall
	properties []*syntax.Property
	ternaries  []*syntax.Ternary
	typeNames  []*syntax.TypeName
	typeParts  []*syntax.TypePropertyAccess
	resources  []*syntax.Resource
	outputs    []*syntax.Output
	plain      map[types.Type]bool // types that are known to hold no secrets
	needs      flow.Dependencies   // without dependsOn; nil until a rule needs them
}

// add reports the current rule at a place.
func (l *linter) add(at source.Span, args ...any) { l.sink(l.rule.At(at, args...).As(l.level)) }

// setting returns a setting of the current rule.
func (l *linter) setting(name string) (armjson.Value, bool) {
	return l.m.Config().Analyzers.Rule(l.rule.Code(), name)
}

// gather goes through the nodes once and keeps what the rules ask for.
func (l *linter) gather() {
	nodes := l.m.Tree().Nodes()
	l.used = make([]uint64, len(nodes)/64+1)
	properties := 0
	for _, n := range nodes {
		if _, ok := n.(*syntax.Property); ok {
			properties++
		}
	}
	l.properties = make([]*syntax.Property, 0, properties)
	for _, n := range nodes {
		switch n := n.(type) {
		case *syntax.VarRef, *syntax.NestedAccess, *syntax.TypeCall:
			l.use(n)
		case *syntax.Call:
			l.use(n)
			l.calls = append(l.calls, n)
		case *syntax.InstanceCall:
			l.calls = append(l.calls, n)
		case *syntax.Property:
			l.properties = append(l.properties, n)
		case *syntax.Ternary:
			l.ternaries = append(l.ternaries, n)
		case *syntax.TypeName:
			l.use(n)
			l.typeNames = append(l.typeNames, n)
		case *syntax.TypePropertyAccess:
			l.typeParts = append(l.typeParts, n)
		case *syntax.Resource:
			l.resources = append(l.resources, n)
		case *syntax.Output:
			l.outputs = append(l.outputs, n)
		}
	}
}

// use notes that a node names a declaration of this file.
func (l *linter) use(n syntax.Node) {
	switch s := l.b.Symbol(n).(type) {
	case *bind.Function, *bind.Local: // these are never unused
	case *bind.Param: // the first three are named most often
		l.useOf(s.Binding(), s.Decl())
	case *bind.Var:
		l.useOf(s.Binding(), s.Decl())
	case *bind.Resource:
		l.useOf(s.Binding(), s.Decl())
	case bind.Declared:
		l.useOf(s.Binding(), s.Decl())
	}
}

func (l *linter) useOf(of *bind.Binding, decl syntax.Node) {
	if of == l.b && decl != nil {
		id := decl.ID()
		l.used[id/64] |= 1 << (id % 64)
	}
}

// isUsed reports whether something names a declaration.
func (l *linter) isUsed(d bind.Declared) bool {
	id := d.Decl().ID()
	return l.used[id/64]&(1<<(id%64)) != 0
}

// sourceText returns how a node is written.
func (l *linter) sourceText(n syntax.Node) string { return l.m.Source().Slice(n.Span()) }

// function returns the function of a namespace that n calls, or nil.
func (l *linter) function(n syntax.Node, namespace string) *bind.Function {
	switch n.(type) {
	case *syntax.Call, *syntax.InstanceCall:
	default:
		return nil
	}
	f, ok := l.m.Symbol(n).(*bind.Function)
	if !ok || f.Namespace == nil || f.Namespace.Settings.ExtensionName != namespace {
		return nil
	}
	return f
}

// callsNamed returns the calls of a function of a namespace.
func (l *linter) callsNamed(namespace, name string) []syntax.Expr {
	var found []syntax.Expr
	for _, c := range l.calls {
		if id, _, _ := syntax.CallName(c); id.Name == name && l.function(c, namespace) != nil {
			found = append(found, c)
		}
	}
	return found
}

// literal returns the string that an expression is known to come to.
func (l *linter) literal(n syntax.Expr) (string, bool) { return literalType(l.m, n) }

func literalType(m *check.Model, n syntax.Expr) (string, bool) {
	if s, ok := m.TypeOf(n).(*types.StringLiteral); ok {
		return s.Value, true
	}
	return "", false
}

// isString reports whether every value of the type is a string.
func isString(t types.Type) bool {
	return t != types.TAny && types.AreAssignable(t, types.TString)
}

func isObject(t types.Type) bool {
	return t != types.TAny && types.AreAssignable(t, types.TObject)
}
