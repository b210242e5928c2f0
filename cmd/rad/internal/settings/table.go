package settings

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest/aso"
	"github.com/radbicep/rad/pkg/manifest/crossplane"
	"github.com/radbicep/rad/pkg/manifest/kubernetes"
	targetobjects "github.com/radbicep/rad/pkg/manifest/objects"
)

// Setting is one thing that a flag, the environment or a settings file can set: all that the
// program knows of it. Adding a setting is one row of the table below, a field of Values, and a
// row in docs/settings.md.
type Setting struct {
	Key     string   // as in the settings file: generatorVersion
	Short   string   // a letter for the flag
	Default any      // string, bool, time.Duration or []string, which is the setting's type
	Enum    []string // its values, if they are few; of a list, what may stand behind the = of an element, or alone
	Help    string
	Sets    Set      // the commands that have it
	Targets []string // the targets that it is for; nil if it is for all

	Project  Rule // what the settings file of a repository may say
	Rare     bool // few need it: only --help --all shows the flag
	Harmless bool // it makes no difference to what is written
	Zero     bool // a duration of 0 is allowed, and stands for no limit
	Embedded bool // an external compiler does not take it

	isPath func(value string) bool // whether a value in a file is a path; nil if none is
	field  func(*Values) any       // where the value goes: a pointer to a field
}

// Set is a set of settings, by the commands that have them.
type Set uint32

// The sets. They can be united by |.
const (
	Compiler   Set = 1 << iota // of every command that compiles
	Checker                    // of commands that check a program and need no template
	Fetch                      // of commands that only fetch artifacts
	Server                     // of the command that answers other programs
	Cache                      // of the commands about the cache, which is bounded as where files are compiled
	AzTypes                    // what says which types of Azure are used
	manifests                  // of commands that write manifests
	objects                    // of targets that make other objects
	cluster                    // the same, for all targets of a settings file
	Scope                      // of manifests: where they deploy to
	Context                    // what is known of a deployment, as in the official snapshot command
	affected                   // of affected, beside those of a plan
	Timed                      // of every command
	First                      // of the command that writes a repository's first settings
	Registries                 // of commands that read or write bundles or modules in registries themselves
	files                      // of the command that writes manifests into files
	plans                      // of the command that plans deployments
	shows                      // of commands that show objects without writing them
	listed                     // of each target that a settings file lists
	Recorded                   // that a bundle records, beside labels and annotations

	Generate = Manifest | files                                      // of generate-kubernetes-manifest
	Manifest = Compiler | manifests | objects | cluster | Registries // of all commands that make manifests; fn and argocd write no files
	Place    = Compiler | Scope | Context | Registries               // of commands that predict a deployment
	Graph    = Place | shows                                         // of the command that draws a program
	Plan     = Graph | plans
	Affected = Compiler | Scope | affected
	Listed   = listed | objects // that a target in a settings file may have

	all = ^Set(0)
)

// always has every value of a setting a path.
func always(string) bool { return true }

// registry is the set of what every command that needs artifacts has.
const registry = Compiler | Checker | Fetch | Server

// The keys of the settings.
const (
	KeyCompiler          = "compiler"
	KeyTimeout           = "timeout"
	KeyTimeLimit         = "timeLimit"
	KeyRequiredVersion   = "requiredVersion"
	KeyBicepVersion      = "bicepVersion"
	KeyGeneratorVersion  = "generatorVersion"
	KeyAzTypes           = "azTypes"
	KeyConfig            = "config"
	KeyRoot              = "root"
	KeyTrustedFolders    = "trustedFolders"
	KeyHermetic          = "hermetic"
	KeyAllowEnv          = "allowEnv"
	KeyDiagnosticsFormat = "diagnosticsFormat"
	KeyWarningsAsErrors  = "warningsAsErrors"
	KeyColor             = "color"
	KeyRadiusVersion     = "radiusVersion"
	KeyBuiltinTypes      = "builtinTypes"
	KeyOffline           = "offline"
	KeyVendor            = "vendor"
	KeyCacheRoot         = "cacheRootDirectory"
	KeyTrustedRegistries = "trustedRegistries"
	KeyRegistryMirrors   = "registryMirrors"
	KeyTokenServers      = "tokenServers"
	KeyTarget            = "target"
	KeyOutputFormat      = "outputFormat"
	KeyOutdir            = "outdir"
	KeyNamespace         = "namespace"
	KeyGroup             = "group"
	KeyAzureScope        = "azureScope"
	KeyAWSScope          = "awsScope"
	KeyEnvironment       = "environment"
	KeyApplication       = "application"
	KeyCompact           = "compact"
	KeyGeneratorMetadata = "generatorMetadata"
	KeySecureParameters  = "secureParameters"
	KeyHeader            = "header"
	KeyTenantID          = "tenantId"
	KeySubscriptionID    = "subscriptionId"
	KeyManagementGroupID = "managementGroupId"
	KeyLocation          = "location"
	KeyResourceGroup     = "resourceGroup"
	KeyDeploymentName    = "deploymentName"
	KeyCloud             = "cloud"
	KeyCRDs              = "crds"
	KeyFailOnDelete      = "failOnDelete"
)

// The targets that make a DeploymentTemplate, the one whose objects only observe resources, and the one of plain objects.
const (
	DesignTarget     = "design"
	RadiusTarget     = "radius"
	CrossplaneTarget = "crossplane"
	KubernetesTarget = "kubernetes"
)

// TargetNames are the values of the setting target.
var TargetNames = []string{DesignTarget, RadiusTarget, "aso", CrossplaneTarget, KubernetesTarget}

// Values are the values of all settings. A setting that a command does not have has its default.
type Values struct {
	Compiler          string
	Timeout           time.Duration
	TimeLimit         time.Duration // 0 is none
	RequiredVersion   string
	BicepVersion      string
	GeneratorVersion  string
	AzTypes           string
	Config            string
	Root              string
	TrustedFolders    []string
	Hermetic          bool
	AllowEnv          []string
	DiagnosticsFormat string
	WarningsAsErrors  bool
	Color             string

	RadiusVersion     string
	BuiltinTypes      string
	Offline           bool
	Vendor            string
	CacheRoot         string
	TrustedRegistries []string
	RegistryMirrors   []string
	TokenServers      []string

	Target            string
	OutputFormat      string
	Outdir            string
	Namespace         string
	Group             string
	AzureScope        string
	AWSScope          string
	Environment       string
	Application       string
	Compact           bool
	GeneratorMetadata string
	SecureParameters  string
	Header            bool

	ReconcilePolicy []string
	CredentialFrom  []string
	Existing        []string
	SkipUnsupported bool
	CapiPaused      bool
	CreateNamespace bool
	CRDs            string

	TenantID          string
	SubscriptionID    string
	ManagementGroupID string
	Location          string
	ResourceGroup     string
	DeploymentName    string
	Cloud             string

	FailOnDelete bool
}

var (
	noStrings      []string // the default of a list
	asoOnly        = []string{"aso"}
	crossplaneOnly = []string{CrossplaneTarget}
	kubernetesOnly = []string{KubernetesTarget}
	objectTargets  = []string{"aso", CrossplaneTarget, KubernetesTarget}
)

// table has a row for each setting.
var table = [...]Setting{
	{Key: KeyCompiler, Default: "auto", Sets: Compiler, Rare: true,
		Help:    "compiler to use: auto, embedded, bicep, rad or an executable `FILE`",
		Project: Rule{May: "`auto` or `embedded`", refuse: refuseCompiler},
		isPath:  func(value string) bool { return strings.ContainsAny(value, `/\`) }, field: func(v *Values) any { return &v.Compiler }},
	{Key: KeyTimeout, Default: 2 * time.Minute, Sets: Compiler, Rare: true, Harmless: true,
		Help:    "longest `TIME` that an external compiler may take",
		Project: Rule{May: "to shorten it", refuse: refuseLonger}, field: func(v *Values) any { return &v.Timeout }},
	{Key: KeyTimeLimit, Default: time.Minute, Sets: Timed | Compiler | Checker | Fetch | Cache | AzTypes | Server,
		Rare: true, Harmless: true, Zero: true,
		Help:    "longest `TIME` that the command may take, or each round of --watch or request of jsonrpc; 0 is no limit",
		Project: Rule{May: "to shorten it", refuse: refuseLonger}, field: func(v *Values) any { return &v.TimeLimit }},
	{Key: KeyRequiredVersion, Default: "", Sets: Compiler, Rare: true, Harmless: true,
		Help:    "`VERSION` that an external compiler must have, such as 0.46",
		Project: mayAlways, field: func(v *Values) any { return &v.RequiredVersion }},
	{Key: KeyBicepVersion, Default: "", Sets: Compiler | Checker | Server,
		Help:    "release of Bicep to behave as: `VERSION`, such as 0.49.2, or a range",
		Project: mayAlways, field: func(v *Values) any { return &v.BicepVersion }},
	{Key: KeyGeneratorVersion, Default: "", Sets: Compiler | Server, Embedded: true, Rare: true,
		Help:    "`VERSION` that the embedded compiler writes into templates",
		Project: mayAlways, field: func(v *Values) any { return &v.GeneratorVersion }},
	{Key: KeyAzTypes, Default: "", Sets: Compiler | Checker | AzTypes | Server, Embedded: true, Rare: true,
		Help:    "library of Azure's types, or archive of them: `FILE`, or none (default: the one built in or imported)",
		Project: Rule{May: "`none`, or below the root", refuse: refuseTypes},
		isPath:  func(value string) bool { return value != bicep.NoAzTypes }, field: func(v *Values) any { return &v.AzTypes }},
	{Key: KeyConfig, Default: "", Sets: registry, Rare: true,
		Help:    "use the configuration `FILE` for all files, instead of the nearest bicepconfig.json",
		Project: mayBelowRoot, isPath: always, field: func(v *Values) any { return &v.Config }},
	{Key: KeyRoot, Default: "", Sets: Compiler | Checker | Fetch | Cache | Server,
		Help:    "`DIR` outside of which no file is read (default: the git work tree)",
		Project: Rule{May: "to narrow it", refuse: refuseWiderRoot}, isPath: always, field: func(v *Values) any { return &v.Root }},
	{Key: KeyTrustedFolders, Default: noStrings, Sets: Compiler | Checker | Fetch | Cache | Server, Rare: true,
		Help:    "`DIR[,DIR]` whose .rad/bicep.yaml may set every setting",
		Project: never("a repository cannot make itself trusted"), field: func(v *Values) any { return &v.TrustedFolders }},
	{Key: KeyHermetic, Default: false, Sets: Compiler | Cache | Server,
		Help:    "no network, and no environment variables for parameter files except those of --allow-env",
		Project: mayClose, field: func(v *Values) any { return &v.Hermetic }},
	{Key: KeyAllowEnv, Default: noStrings, Sets: Compiler | Server, Rare: true,
		Help:    "environment variables that parameter files may read with --hermetic: `NAME[,PREFIX_*]`",
		Project: never("it opens the environment of the user who runs the command"), field: func(v *Values) any { return &v.AllowEnv }},
	{Key: KeyDiagnosticsFormat, Default: "text", Sets: Compiler | Checker | Fetch, Harmless: true,
		Enum:    []string{"text", "json", "sarif", "github", "gitlab", "azure"},
		Help:    "`FORM` of diagnostics: text, json, sarif, github, gitlab or azure",
		Project: mayAlways, field: func(v *Values) any { return &v.DiagnosticsFormat }},
	{Key: KeyWarningsAsErrors, Default: false, Sets: Compiler | Checker | Server, Harmless: true,
		Help:    "treat warnings as errors",
		Project: mayAlways, field: func(v *Values) any { return &v.WarningsAsErrors }},
	{Key: KeyColor, Default: "auto", Sets: Compiler | Checker | Fetch, Harmless: true, Enum: []string{"auto", "always", "never"},
		Help:    "`WHEN` to colour: auto, always or never",
		Project: mayAlways, field: func(v *Values) any { return &v.Color }},
	{Key: KeyRadiusVersion, Default: "", Sets: registry, Embedded: true, Rare: true,
		Help:    "take the types of Radius from its release `TAG`, such as 0.58",
		Project: mayAlways, field: func(v *Values) any { return &v.RadiusVersion }},
	{Key: KeyBuiltinTypes, Default: "when-absent", Enum: []string{"never", "when-absent", "always"},
		Sets: registry, Embedded: true, Rare: true,
		Help:    "`WHEN` built-in types stand in for those that Radius publishes: never, when-absent (from cache and lock file) or always",
		Project: mayAlways, field: func(v *Values) any { return &v.BuiltinTypes }},
	{Key: KeyOffline, Default: false, Sets: registry, Harmless: true,
		Help:    "do not open network connections",
		Project: mayClose, field: func(v *Values) any { return &v.Offline }},
	{Key: KeyVendor, Default: "", Sets: registry, Embedded: true, Rare: true,
		Help:    "`DIR` that holds artifacts of registries, in the layout of the cache, and is read first",
		Project: mayBelowRoot, isPath: always, field: func(v *Values) any { return &v.Vendor }},
	{Key: KeyCacheRoot, Default: "", Sets: registry | Cache, Embedded: true, Rare: true,
		Help:    "`DIR` of the cache of artifacts, before cacheRootDirectory in bicepconfig.json",
		Project: mayBelowRoot, isPath: always, field: func(v *Values) any { return &v.CacheRoot }},
	{Key: KeyTrustedRegistries, Default: noStrings, Sets: registry, Embedded: true, Rare: true,
		Help:    "registries that are trusted beside the well-known ones: `HOST[,*.SUFFIX]`",
		Project: never("it decides who gets credentials"), field: func(v *Values) any { return &v.TrustedRegistries }},
	{Key: KeyRegistryMirrors, Default: noStrings, Sets: registry, Embedded: true, Rare: true,
		Help:    "mirrors to fetch the content of registries from: `HOST=HOST[/PREFIX]`",
		Project: never("it decides who gets credentials"), field: func(v *Values) any { return &v.RegistryMirrors }},
	{Key: KeyTokenServers, Default: noStrings, Sets: registry, Embedded: true, Rare: true,
		Help:    "hosts that may be given the credentials of registries: `HOST[:PORT]`",
		Project: never("it decides who gets credentials"), field: func(v *Values) any { return &v.TokenServers }},
	{Key: KeyTarget, Default: DesignTarget, Enum: TargetNames, Sets: manifests | First | shows | affected | listed | Recorded,
		Help: "`SHAPE` of the manifest: design, radius for the CRD of Radius 0.43 to 0.60, aso or crossplane for objects of these, " +
			"or kubernetes for plain objects",
		Project: mayAlways, field: func(v *Values) any { return &v.Target }},
	{Key: KeyOutputFormat, Default: "yaml", Enum: []string{"yaml", "json"}, Sets: files | affected,
		Help:    "`FORMAT` of the manifest: yaml or json",
		Project: mayAlways, field: func(v *Values) any { return &v.OutputFormat }},
	{Key: KeyOutdir, Default: "", Sets: files | affected,
		Help:    "`DIR` to write the manifests to",
		Project: mayBelowRoot, isPath: always, field: func(v *Values) any { return &v.Outdir }},
	{Key: KeyNamespace, Default: "", Sets: manifests | shows | listed | Recorded,
		Help:    "`NAMESPACE` of the manifest (default: radius-system with --target design, else none)",
		Project: mayAlways, field: func(v *Values) any { return &v.Namespace }},
	{Key: KeyGroup, Short: "g", Default: "", Sets: manifests | Scope | First | listed | Recorded,
		Help:    "Radius resource `GROUP` to deploy to",
		Project: mayAlways, field: func(v *Values) any { return &v.Group }},
	{Key: KeyAzureScope, Default: "", Sets: manifests | Scope | Recorded, Rare: true,
		Help:    "Azure `SCOPE`: /subscriptions/ID/resourceGroups/NAME",
		Project: mayAlways, field: func(v *Values) any { return &v.AzureScope }},
	{Key: KeyAWSScope, Default: "", Sets: manifests | Scope | Recorded, Rare: true,
		Help:    "AWS `SCOPE`: /planes/aws/aws/accounts/ID/regions/NAME",
		Project: mayAlways, field: func(v *Values) any { return &v.AWSScope }},
	{Key: KeyEnvironment, Default: "", Sets: manifests | Scope | First | listed,
		Help:    "value of the parameter environment, if the template declares it: an `ID`, or a name within --group",
		Project: mayAlways, field: func(v *Values) any { return &v.Environment }},
	{Key: KeyApplication, Default: "", Sets: manifests | Scope | First | listed,
		Help:    "value of the parameter application, if the template declares it: an `ID`, or a name within --group",
		Project: mayAlways, field: func(v *Values) any { return &v.Application }},
	{Key: KeyCompact, Default: false, Sets: manifests | Recorded, Rare: true,
		Help:    "write the template's JSON without white space",
		Project: mayAlways, field: func(v *Values) any { return &v.Compact }},
	{Key: KeyGeneratorMetadata, Default: "keep", Enum: []string{"keep", "drop"}, Sets: manifests | Recorded, Rare: true,
		Help:    "how to handle the compiler's version and hash in the template, by `MODE`: keep or drop",
		Project: mayAlways, field: func(v *Values) any { return &v.GeneratorMetadata }},
	{Key: KeySecureParameters, Default: "error", Enum: []string{"error", "omit", "reference", "allow"}, Sets: manifests,
		Help:    "how to handle values of @secure() parameters, by `MODE`: error, omit, reference or allow",
		Project: Rule{May: "`error`, `omit` or `reference`", refuse: refuseSecrets},
		field:   func(v *Values) any { return &v.SecureParameters }},
	{Key: KeyHeader, Default: false, Sets: files,
		Help:    "begin manifests with a comment that says what generated them, and from which file",
		Project: mayAlways, field: func(v *Values) any { return &v.Header }},
	{Key: aso.ReconcilePolicy, Default: noStrings, Enum: aso.Policies, Sets: objects, Targets: asoOnly, Rare: true,
		Help:    "what Azure Service Operator does with the resources, manage, skip or detach-on-delete, by `[PATTERN=]POLICY`",
		Project: mayAlways, field: func(v *Values) any { return &v.ReconcilePolicy }},
	{Key: aso.CredentialFrom, Default: noStrings, Sets: objects, Targets: asoOnly, Rare: true,
		Help:    "secret that holds Azure Service Operator's credential for the resources: `[PATTERN=]NAME`",
		Project: mayAlways, field: func(v *Values) any { return &v.CredentialFrom }},
	{Key: aso.Existing, Default: noStrings, Enum: aso.ExistingForms, Sets: objects, Targets: asoOnly, Rare: true,
		Help:    "what becomes of existing resources, refer (by ID) or skip (objects that are only read), by `[PATTERN=]FORM`",
		Project: mayAlways, field: func(v *Values) any { return &v.Existing }},
	{Key: targetobjects.SkipUnsupported, Default: false, Sets: objects | shows, Targets: []string{"aso", KubernetesTarget}, Rare: true,
		Help:    "leave out the resources that cannot be written as objects, and all that need them, and list them",
		Project: mayAlways, field: func(v *Values) any { return &v.SkipUnsupported }},
	{Key: KeyTenantID, Default: "", Sets: objects | Context, Targets: objectTargets, Rare: true,
		Help:    "`ID` of the tenant that is deployed to",
		Project: mayAlways, field: func(v *Values) any { return &v.TenantID }},
	{Key: KeySubscriptionID, Default: "", Sets: objects | Context | First, Targets: objectTargets, Rare: true,
		Help:    "`ID` of the subscription that is deployed to",
		Project: mayAlways, field: func(v *Values) any { return &v.SubscriptionID }},
	{Key: KeyManagementGroupID, Default: "", Sets: objects | Context, Targets: objectTargets, Rare: true,
		Help:    "`ID` of the management group that is deployed to",
		Project: mayAlways, field: func(v *Values) any { return &v.ManagementGroupID }},
	{Key: KeyLocation, Default: "", Sets: objects | Context | First, Targets: objectTargets, Rare: true,
		Help:    "location of the resource group, or of the deployment: `REGION`",
		Project: mayAlways, field: func(v *Values) any { return &v.Location }},
	{Key: KeyResourceGroup, Default: "", Sets: objects | Context | First, Targets: objectTargets, Rare: true,
		Help:    "`NAME` of the Azure resource group that is deployed to",
		Project: mayAlways, field: func(v *Values) any { return &v.ResourceGroup }},
	{Key: KeyDeploymentName, Default: "", Sets: objects | Context, Targets: objectTargets, Rare: true,
		Help:    "`NAME` of the deployment",
		Project: mayAlways, field: func(v *Values) any { return &v.DeploymentName }},
	{Key: KeyCloud, Default: "", Enum: expand.Clouds, Sets: objects | Context, Targets: objectTargets, Rare: true,
		Help:    "cloud that is deployed to, which environment() tells of: `NAME`, AzureCloud, AzureChinaCloud or AzureUSGovernment",
		Project: mayAlways, field: func(v *Values) any { return &v.Cloud }},
	{Key: crossplane.CapiPaused, Default: false, Sets: objects, Targets: crossplaneOnly, Rare: true,
		Help:    "pause the objects of Cluster API's providers that are made for clusters of AKS and EKS",
		Project: mayAlways, field: func(v *Values) any { return &v.CapiPaused }},
	{Key: kubernetes.CreateNamespace, Default: false, Sets: objects | shows, Targets: kubernetesOnly, Rare: true,
		Help:    "write the namespaces of the objects, too, but for those that every cluster has",
		Project: mayAlways, field: func(v *Values) any { return &v.CreateNamespace }},
	{Key: KeyCRDs, Default: "", Sets: cluster | affected | shows, Targets: objectTargets, Rare: true,
		Help:    "definitions of kinds, to check objects; for --target aso, those of the operator that is there: `FILE` or folder of CRDs",
		Project: mayBelowRoot, isPath: always, field: func(v *Values) any { return &v.CRDs }},
	{Key: KeyFailOnDelete, Default: false, Sets: plans, Harmless: true,
		Help:    "exit 1 if something is, or may be, deleted or replaced, and name it",
		Project: mayClose, field: func(v *Values) any { return &v.FailOnDelete }},
}

// All returns the settings of a set, in the order of the table.
func (s Set) All() []*Setting {
	list := make([]*Setting, 0, len(table))
	for i := range table {
		if table[i].Sets&s != 0 {
			list = append(list, &table[i])
		}
	}
	return list
}

// Of returns the setting of a key, or nil.
func Of(key string) *Setting {
	for i := range table {
		if table[i].Key == key {
			return &table[i]
		}
	}
	return nil
}

// OfTarget returns the settings that are for a target, and not for all of them.
func OfTarget(name string) []*Setting {
	return slices.DeleteFunc(OfTargets(), func(s *Setting) bool { return !slices.Contains(s.Targets, name) })
}

// Deployed are the settings of which a revision has its own: where a program is deployed to, and what it becomes there.
func Deployed() []*Setting {
	return slices.DeleteFunc((Scope | Context | shows | registry).All(),
		func(s *Setting) bool { return s.Sets&(Scope|Context|shows) == 0 && s.Key != KeyRadiusVersion })
}

// OfTargets returns the settings that only some targets have.
func OfTargets() []*Setting { return (objects | cluster).All() }

// OnlyObjects returns those of them that say nothing of a deployment, so that other commands have a use for them with some targets only.
func OnlyObjects() []*Setting {
	return slices.DeleteFunc(OfTargets(), func(s *Setting) bool { return s.Sets&Context != 0 })
}

// envPrefix begins the names of the variables that are settings.
const envPrefix = "RAD_BICEP_"

// names are the names of flags and variables, by key. They are made once, because every setting is
// asked for in every run.
var names = sync.OnceValue(func() map[string][2]string {
	list := make(map[string][2]string, len(table))
	for i := range table {
		flag := cli.Kebab(table[i].Key)
		own := strings.TrimPrefix(flag, "bicep-") // the prefix says that
		list[table[i].Key] = [2]string{flag, envPrefix + strings.ToUpper(strings.ReplaceAll(own, "-", "_"))}
	}
	return list
})

// Flag returns the name of the setting's flag: generator-version.
func (s *Setting) Flag() string { return names()[s.Key][0] }

// Env returns the name of the setting's variable: RAD_BICEP_GENERATOR_VERSION.
func (s *Setting) Env() string { return names()[s.Key][1] }

// HelpIn returns the help of the setting in a set: that of a deployment's context is only for
// some targets where manifests are written.
func (s *Setting) HelpIn(set Set) string {
	if s.Sets&Context != 0 && set&Context == 0 {
		return s.Help + " (--target " + strings.Join(s.Targets, ", ") + ")"
	}
	return s.Help
}
