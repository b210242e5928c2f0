package config

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
}

// features are in the order in which a template lists them.
var features = [...]feature{
	{"ociEnabled", func(f *Features) *bool { return &f.OCI }, "OCI registry support", true, false},
	{"symbolicNameCodegen", func(f *Features) *bool { return &f.SymbolicNameCodegen }, "Symbolic name code generation", false, false},
	{"resourceInfoCodegen", func(f *Features) *bool { return &f.ResourceInfoCodegen }, "Resource info code generation", true, true},
	{"resourceTypedParamsAndOutputs", func(f *Features) *bool { return &f.ResourceTypedParamsOutputs }, "Resource-typed parameters and outputs", true, false},
	{"sourceMapping", func(f *Features) *bool { return &f.SourceMapping }, "Source mapping", true, false},
	{"testFramework", func(f *Features) *bool { return &f.TestFramework }, "Test framework", false, false},
	{"assertions", func(f *Features) *bool { return &f.Assertions }, "Asserts", true, true},
	{"waitUntil", func(f *Features) *bool { return &f.WaitUntil }, "Enable waitUntil feature on resource bicep types", true, true},
	{"localDeploy", func(f *Features) *bool { return &f.LocalDeploy }, "Enable local deploy", true, true},
	{"moduleExtensionConfigs", func(f *Features) *bool { return &f.ModuleExtensionConfigs }, "Enable defining extension configs for modules", true, true},
	{"userDefinedConstraints", func(f *Features) *bool { return &f.UserDefinedConstraints }, "Enable @validate() decorator", true, true},
	{"deployCommands", func(f *Features) *bool { return &f.DeployCommands }, "Enable deploy commands", true, true},
	{"runtimeValuesInTagsAndSku", func(f *Features) *bool { return &f.RuntimeValuesInTagsAndSku }, "Enable runtime values in tags and SKU", true, true},
	{"azExtensionConfig", func(f *Features) *bool { return &f.AzExtensionConfig }, "Enable configuration for the built-in 'az' extension", true, true},
	{"legacyFormatter", func(f *Features) *bool { return &f.LegacyFormatter }, "", false, false},
	{"patch", func(f *Features) *bool { return &f.Patch }, "", false, false},
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
