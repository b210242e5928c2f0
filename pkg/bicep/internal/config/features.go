package config

import "github.com/radbicep/rad/pkg/bicep/internal/release"

// Features are the experiments that a configuration enables.
type Features struct {
	OCI                        bool
	SymbolicNameCodegen        bool
	ResourceInfoCodegen        bool
	ResourceTypedParamsOutputs bool
	SourceMapping              bool
	LegacyFormatter            bool
	TestFramework              bool
	Assertions                 bool
	WaitUntil                  bool
	LocalDeploy                bool
	ModuleExtensionConfigs     bool
	UserDefinedConstraints     bool
	DeployCommands             bool
	Patch                      bool
	RuntimeValuesInTagsAndSku  bool
	AzExtensionConfig          bool

	// Those that releases before 0.45 have.
	ExtendableParamFiles   bool
	WaitAndRetry           bool
	ThisNamespace          bool
	ExistingNullIfNotFound bool
}

// feature ties a field to its name in the configuration, to the name under
// which templates and warnings list it ("" for those that are never listed),
// and to what it changes.
type feature struct {
	key    string
	field  func(*Features) *bool
	title  string
	warns  bool // worth a warning before compiling
	engine bool // makes the template ask for an experimental language version

	since, until release.Fact // which releases have it; Always and Never where there is no limit
}

// isOf reports whether a release has the feature.
func (x *feature) isOf(v release.Version) bool { return v.Has(x.since) && !v.Has(x.until) }

// features are in the order in which a template lists them.
var features = [...]feature{
	{"ociEnabled", func(f *Features) *bool { return &f.OCI }, "OCI registry support", true, false, release.Always, release.Never},
	{"symbolicNameCodegen", func(f *Features) *bool { return &f.SymbolicNameCodegen }, "Symbolic name code generation", false, false, release.Always, release.Never},
	{"resourceInfoCodegen", func(f *Features) *bool { return &f.ResourceInfoCodegen }, "Resource info code generation", true, true, release.Always, release.Never},
	{"resourceTypedParamsAndOutputs", func(f *Features) *bool { return &f.ResourceTypedParamsOutputs }, "Resource-typed parameters and outputs", true, false, release.Always, release.Never},
	{"sourceMapping", func(f *Features) *bool { return &f.SourceMapping }, "Source mapping", true, false, release.Always, release.Never},
	{"testFramework", func(f *Features) *bool { return &f.TestFramework }, "Test framework", false, false, release.Always, release.Never},
	{"assertions", func(f *Features) *bool { return &f.Assertions }, "Asserts", true, true, release.Always, release.Never},
	{"waitUntil", func(f *Features) *bool { return &f.WaitUntil }, "Enable waitUntil feature on resource bicep types", true, true, release.RetryOnIsFree, release.Never},
	{"waitAndRetry", func(f *Features) *bool { return &f.WaitAndRetry }, "Enable wait and retry feature", true, true, release.Always, release.RetryOnIsFree},
	{"extendableParamFiles", func(f *Features) *bool { return &f.ExtendableParamFiles }, "Enable extendable parameters", true, false, release.Always, release.ExtendsIsFree},
	{"localDeploy", func(f *Features) *bool { return &f.LocalDeploy }, "Enable local deploy", true, true, release.Always, release.Never},
	{"moduleExtensionConfigs", func(f *Features) *bool { return &f.ModuleExtensionConfigs }, "Enable defining extension configs for modules", true, true, release.Always, release.Never},
	{"userDefinedConstraints", func(f *Features) *bool { return &f.UserDefinedConstraints }, "Enable @validate() decorator", true, true, release.Always, release.Never},
	{"deployCommands", func(f *Features) *bool { return &f.DeployCommands }, "Enable deploy commands", true, true, release.Always, release.Never},
	{"thisNamespace", func(f *Features) *bool { return &f.ThisNamespace }, "Enable 'this' namespace", true, true, release.Always, release.ThisAndNullAreFree},
	{"existingNullIfNotFound", func(f *Features) *bool { return &f.ExistingNullIfNotFound }, "Enable @nullIfNotFound() decorator for existing resources", true, true, release.NullIfNotFound, release.ThisAndNullAreFree},
	{"runtimeValuesInTagsAndSku", func(f *Features) *bool { return &f.RuntimeValuesInTagsAndSku }, "Enable runtime values in tags and SKU", true, true, release.RuntimeValues, release.Never},
	{"azExtensionConfig", func(f *Features) *bool { return &f.AzExtensionConfig }, "Enable configuration for the built-in 'az' extension", true, true, release.AzConfig, release.Never},
	{"legacyFormatter", func(f *Features) *bool { return &f.LegacyFormatter }, "", false, false, release.Always, release.Never},
	{"patch", func(f *Features) *bool { return &f.Patch }, "", false, false, release.Patch, release.Never},
}

// Engine returns the names of the enabled features that need an experimental
// language version, in the order of the template's list.
func (f Features) Engine() []string {
	return f.titles(func(x *feature) bool { return x.engine })
}

// Warned returns the names of the enabled features that a user is warned of.
func (f Features) Warned() []string {
	return f.titles(func(x *feature) bool { return x.warns })
}

func (f Features) titles(want func(*feature) bool) []string {
	var names []string
	for i := range features {
		x := &features[i]
		if x.title != "" && want(x) && *x.field(&f) {
			names = append(names, x.title)
		}
	}
	return names
}
