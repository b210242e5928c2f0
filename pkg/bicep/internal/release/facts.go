package release

// Fact is something that a release of Bicep does and an earlier one does not.
type Fact uint8

// The facts, oldest first. The table below says what they are.
const (
	Always Fact = iota // of every release
	Never              // of no release
	NullIfNotFound
	ExtensionsInParams
	InputsOnce
	RoleDefinitions
	DistinctAndLike
	ModuleNameRule
	RecognizedTypeRule
	TypedBase
	MalformedTypes
	LoopsInParams
	ThisAndNullAreFree
	ThisIsReserved
	ExtendsIsFree
	EarlyIdentifiers
	NestedSpreadLoops
	HardcodedOutputsRule
	SecureInParamsFileRule
	RetryOnIsFree
	NullableBranches
	OptionalAny
	QualifiedPlaces
	ResourcesInFunctions
	InheritedSurplus
	RoleDefinitionIDs
	MappedAliases
	UnusedTypesRule
	ImportsBeforeDeployment
	BaseSpreads
	YAMLAliases
	Patch
	RuntimeValues
	AzConfig
	ConfigExtends
	DescriptionRules
	YAMLScalarAliases
	Placement
	ConstantIDs
	RecognizedTypesByType
	RoleAssignmentName
	NullAndThisAreFinal
	InheritedAtExtends
	VersionConstraints
	BleuCloud
	TrustedClouds
	SealedParts
	DocumentationValues
	SecureAliases
	AzPowerShell15
	AzTypes972

	factCount
)

// facts says of each what it is, which release brought it, and a test of it: a case of the family
// version of the recorded answers, or a test in cmd/rad/test/testdata/script.
var facts = [factCount]struct {
	what  string
	since Version
	test  string
}{
	Always:                  {what: "what every release has"},
	Never:                   {what: "what no release has", since: count},
	NullIfNotFound:          {what: "the decorator nullIfNotFound, behind existingNullIfNotFound", since: v0_41_2, test: "version/feature-existing-null"},
	ExtensionsInParams:      {what: "the statement extension in parameter files", since: v0_41_2, test: "version/param-file-extension"},
	InputsOnce:              {what: "equal calls of externalInput share a definition", since: v0_41_2, test: "version/external-input-twice"},
	RoleDefinitions:         {what: "the function roleDefinitions", since: v0_42_1, test: "version/role-definitions"},
	DistinctAndLike:         {what: "the functions distinct and like", since: v0_43_8, test: "version/distinct"},
	ModuleNameRule:          {what: "the rule no-module-name", since: v0_43_8, test: "version/module-name"},
	RecognizedTypeRule:      {what: "the rule use-recognized-resource-type", since: v0_43_8, test: "version/recognized-type"},
	TypedBase:               {what: "base has a type, and its name is taken", since: v0_43_8, test: "version/feature-base-taken"},
	LoopsInParams:           {what: "loops as values of parameters, and of variables that they use", since: v0_43_8, test: "version/param-file-for-variable"},
	MalformedTypes:          {what: "what is no string where a resource's type belongs is BCP068, and not BCP029, too", since: v0_43_8, test: "bicep_version.txtar"},
	ThisIsReserved:          {what: "no declaration of a file is named this", since: v0_44_1, test: "version/this-reserved"},
	ExtendsIsFree:           {what: "extends needs no feature", since: v0_44_1, test: "version/inherited-null"},
	EarlyIdentifiers:        {what: "what identifies a resource of an extension can be read before it is deployed", since: v0_44_1, test: "bicep_version.txtar"},
	NestedSpreadLoops:       {what: "no spread beside a property that holds a loop at any depth", since: v0_44_1, test: "version/nested-spread-and-for"},
	ThisAndNullAreFree:      {what: "this and nullIfNotFound need no feature", since: v0_44_1, test: "version/this-exists"},
	HardcodedOutputsRule:    {what: "the rule no-hardcoded-outputs", since: v0_45_15, test: "version/hardcoded-output"},
	SecureInParamsFileRule:  {what: "the rule secure-params-in-parameters-file", since: v0_45_15, test: "bicep_version.txtar"},
	RetryOnIsFree:           {what: "retryOn needs no feature, and waitAndRetry is waitUntil", since: v0_45_15, test: "version/retry-on"},
	NullableBranches:        {what: "operands that may be null are accepted in branches of ?:", since: v0_45_15, test: "version/nullable-ternary-int"},
	OptionalAny:             {what: "a parameter of the type any? need not be given", since: v0_45_15, test: "version/any-optional-module"},
	QualifiedPlaces:         {what: "functions that are called by their namespace are held to their places", since: v0_45_15, test: "version/qualified-new-guid"},
	ResourcesInFunctions:    {what: "functions may read constants of resources", since: v0_45_15, test: "version/function-of-resource-property"},
	InheritedSurplus:        {what: "inherited values that the template has no parameter for are left out", since: v0_45_15, test: "version/inherited-not-declared"},
	RoleDefinitionIDs:       {what: "use-resource-id-functions knows roleDefinitions", since: v0_45_15, test: "version/role-definitions-id-rule"},
	MappedAliases:           {what: "moduleAliasesMock maps aliases to folders", since: v0_45_15, test: "version/map-to-file-path"},
	ImportsBeforeDeployment: {what: "what a parameter file imports needs no deployment", since: v0_46_1, test: "version/import-subscription"},
	BaseSpreads:             {what: "base is spread beside external inputs", since: v0_46_1, test: "version/base-spread-beside-external"},
	YAMLAliases:             {what: "aliases of objects and lists in YAML", since: v0_46_1, test: "bicep_version.txtar"},
	YAMLScalarAliases:       {what: "aliases of scalars in YAML", since: v0_49_2, test: "version/yaml-scalar"},
	Placement:               {what: "resources without types know placement", since: v0_49_2, test: "version/placement-bad"},
	ConstantIDs:             {what: "functions that make IDs need no deployment if their scopes are given", since: v0_49_2, test: "version/import-resource-id"},
	RecognizedTypesByType:   {what: "use-recognized-resource-type goes by the type of an argument", since: v0_49_2, test: "version/recognized-type-ternary"},
	UnusedTypesRule:         {what: "the rule no-unused-types", since: v0_46_1, test: "version/unused-type"},
	Patch:                   {what: "the feature patch", since: v0_46_1, test: "bicep_version.txtar"},
	RuntimeValues:           {what: "the feature runtimeValuesInTagsAndSku", since: v0_46_1, test: "version/runtime-tags"},
	AzConfig:                {what: "the feature azExtensionConfig", since: v0_46_1, test: "bicep_version.txtar"},
	ConfigExtends:           {what: "a configuration extends another", since: v0_49_2, test: "version/config-extends-override"},
	DescriptionRules:        {what: "the rules use-description-…", since: v0_49_2, test: "version/use-description-params"},
	RoleAssignmentName:      {what: "the function getRoleAssignmentName", since: v0_49_2, test: "version/role-assignment-name"},
	NullAndThisAreFinal:     {what: "this and nullIfNotFound make no experimental template", since: v0_49_2, test: "version/null-if-not-found"},
	InheritedAtExtends:      {what: "findings in inherited values lie on the path of extends", since: v0_49_2, test: "version/inherited-property"},
	VersionConstraints:      {what: "bicep.version of configurations, and the two rules about it", since: v0_49_2, test: "version/config-version-conflict"},
	BleuCloud:               {what: "the cloud profile AzureBleuCloud", since: v0_49_2, test: "version/config-cloud-bleu"},
	TrustedClouds:           {what: "clouds that are not Azure's own must be trusted", since: v0_49_2, test: "bicep_version.txtar"},
	SealedParts:             {what: "no @sealed on a part of a resource's type", since: v0_49_2, test: "bicep_version.txtar"},
	DocumentationValues:     {what: "documentation.template of configurations has no values", since: v0_49_2, test: "version/config-documentation-values"},
	SecureAliases:           {what: "secure-secrets-in-params knows types that are secure", since: v0_49_2, test: "version/secret-param-secure-alias"},
	AzTypes972:              {what: "extension az writes 0.2.972 as its version", since: v0_49_2, test: "bicep_version.txtar"},
	AzPowerShell15:          {what: "use-recent-az-powershell-version wants 15.0", since: v0_49_2, test: "version/az-powershell-11.0"},
}
