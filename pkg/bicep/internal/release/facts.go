package release

// Fact is something that a release of Bicep does and an earlier one does not.
type Fact uint8

// The facts, oldest first. The table below says what they are.
const (
	Always Fact = iota // of every release
	Never              // of no release
	NullIfNotFound
	RoleDefinitions
	DistinctAndLike
	ModuleNameRule
	RecognizedTypeRule
	ThisAndNullAreFree
	HardcodedOutputsRule
	SecureInParamsFileRule
	RetryOnIsFree
	UnusedTypesRule
	Patch
	RuntimeValues
	AzConfig
	ConfigExtends
	DescriptionRules
	RoleAssignmentName
	NullAndThisAreFinal
	InheritedAtExtends
	VersionConstraints
	BleuCloud
	DocumentationValues
	SecureAliases
	AzPowerShell15
	AzTypes972

	factCount
)

// facts says of each what it is, which release brought it, and a test of it: a case of the family
// version of the recorded answers, or a test in cmd/rad/testdata/script.
var facts = [factCount]struct {
	what  string
	since Version
	early bool // Default has it, though its release had not
	test  string
}{
	Always:                 {what: "what every release has"},
	Never:                  {what: "what no release has", since: count},
	NullIfNotFound:         {what: "the decorator nullIfNotFound, behind existingNullIfNotFound", since: v0_41_2, test: "version/feature-existing-null"},
	RoleDefinitions:        {what: "the function roleDefinitions", since: v0_42_1, test: "version/role-definitions"},
	DistinctAndLike:        {what: "the functions distinct and like", since: v0_43_8, test: "version/distinct"},
	ModuleNameRule:         {what: "the rule no-module-name", since: v0_43_8, test: "version/module-name"},
	RecognizedTypeRule:     {what: "the rule use-recognized-resource-type", since: v0_43_8, test: "version/recognized-type"},
	ThisAndNullAreFree:     {what: "this and nullIfNotFound need no feature", since: v0_44_1, test: "version/this-exists"},
	HardcodedOutputsRule:   {what: "the rule no-hardcoded-outputs", since: v0_45_15, test: "version/hardcoded-output"},
	SecureInParamsFileRule: {what: "the rule secure-params-in-parameters-file", since: v0_45_15, test: "bicep_version.txtar"},
	RetryOnIsFree:          {what: "retryOn needs no feature, and waitAndRetry is waitUntil", since: v0_45_15, test: "version/retry-on"},
	UnusedTypesRule:        {what: "the rule no-unused-types", since: v0_46_1, test: "version/unused-type"},
	Patch:                  {what: "the feature patch", since: v0_46_1, test: "bicep_version.txtar"},
	RuntimeValues:          {what: "the feature runtimeValuesInTagsAndSku", since: v0_46_1, test: "version/runtime-tags"},
	AzConfig:               {what: "the feature azExtensionConfig", since: v0_46_1, test: "bicep_version.txtar"},
	ConfigExtends:          {what: "a configuration extends another", since: v0_49_2, early: true, test: "version/config-extends-override"},
	DescriptionRules:       {what: "the rules use-description-…", since: v0_49_2, early: true, test: "version/use-description-params"},
	RoleAssignmentName:     {what: "the function getRoleAssignmentName", since: v0_49_2, test: "version/role-assignment-name"},
	NullAndThisAreFinal:    {what: "this and nullIfNotFound make no experimental template", since: v0_49_2, test: "version/null-if-not-found"},
	InheritedAtExtends:     {what: "findings in inherited values lie on the path of extends", since: v0_49_2, test: "version/inherited-property"},
	VersionConstraints:     {what: "bicep.version of configurations, and the two rules about it", since: v0_49_2, early: true, test: "version/config-version-conflict"},
	BleuCloud:              {what: "the cloud profile AzureBleuCloud", since: v0_49_2, test: "version/config-cloud-bleu"},
	DocumentationValues:    {what: "documentation.template of configurations has no values", since: v0_49_2, test: "version/config-documentation-values"},
	SecureAliases:          {what: "secure-secrets-in-params knows types that are secure", since: v0_49_2, test: "version/secret-param-secure-alias"},
	AzTypes972:             {what: "extension az writes 0.2.972 as its version", since: v0_49_2, test: "bicep_version.txtar"},
	AzPowerShell15:         {what: "use-recent-az-powershell-version wants 15.0", since: v0_49_2, test: "version/az-powershell-11.0"},
}
