package diag

// What the linter says of itself, where the configuration is verbose.
var (
	LinterEnabled  = &Rule{"Bicep Linter Configuration", Info, "The linter follows %s.", ""}
	LinterDisabled = &Rule{"Linter Disabled", Info, "The linter is turned off in %s.", ""}
)

// The linter's rules. Those whose level is Off speak only where the configuration asks for them.
var (
	LintAdminUsername          = &Rule{"adminusername-should-not-be-literal", Warning, "The administrator's name is written in the source. Take it from a parameter.", ""}
	LintArtifactsParameters    = &Rule{"artifacts-parameters", Warning, "Parameters for artifacts are used in one way only: %s %s.", ""}
	LintDecompilerCleanup      = &Rule{"decompiler-cleanup", Warning, "The name %q was made by the decompiler. Choose one that says what this is.", ""}
	LintExplicitLocations      = &Rule{"explicit-values-for-loc-params", Off, "The parameter %q of the module %q is a location. Give it a value, rather than leaving it to its default.", ""}
	LintMaxAsserts             = &Rule{"max-asserts", Error, "There are %d assertions, and a template can hold %d.", ""}
	LintMaxOutputs             = &Rule{"max-outputs", Error, "There are %d outputs, and a template can hold %d. Put some together in an object.", ""}
	LintMaxParams              = &Rule{"max-params", Error, "There are %d parameters, and a template can hold %d. Put some together in an object.", ""}
	LintMaxResources           = &Rule{"max-resources", Error, "There are %d resources, and a template can hold %d. Move some to modules, or use loops.", ""}
	LintMaxVariables           = &Rule{"max-variables", Error, "There are %d variables, and a template can hold %d. Put some together in an object.", ""}
	LintConflictingMetadata    = &Rule{"no-conflicting-metadata", Warning, "@description() gives the description already, and replaces this one.", ""}
	LintDeploymentsResources   = &Rule{"no-deployments-resources", Warning, "The resource %q is a nested deployment. Make it a module.", ""}
	LintExplicitAny            = &Rule{"no-explicit-any", Warning, "The type any lets every mistake pass. Say what the value is.", ""}
	LintHardcodedURLs          = &Rule{"no-hardcoded-env-urls", Warning, "The host %q differs in other clouds. Take it from environment().", ""}
	LintHardcodedLocation      = &Rule{"no-hardcoded-location", Off, "A location is written in the source. Take it from a parameter.", ""}
	LintHardcodedOutputs       = &Rule{"no-hardcoded-outputs", Off, "The output %q is a constant. Export a variable, which can be imported without a deployment.", ""}
	LintLocationOutsideParams  = &Rule{"no-loc-expr-outside-params", Off, "Use this as the default of a parameter only, so that others can choose another location.", ""}
	LintModuleName             = &Rule{"no-module-name", Off, "A module needs no name: it gets one of its own.", ""}
	LintNestedScoping          = &Rule{"nested-deployment-template-scoping", Error, "The template of a nested deployment that is evaluated on its own does not know %q. Make it a module, or pass the value as a parameter.", ""}
	LintUnnecessaryDependsOn   = &Rule{"no-unnecessary-dependson", Warning, "The dependency on %q is known without being listed. Remove it.", ""}
	LintUnusedExisting         = &Rule{"no-unused-existing-resources", Warning, "Nothing uses the existing resource %q. Remove it.", ""}
	LintUnusedImports          = &Rule{"no-unused-imports", Warning, "Nothing uses the imported %q. Remove it.", ""}
	LintUnusedParams           = &Rule{"no-unused-params", Warning, "Nothing uses the parameter %q. Remove it.", ""}
	LintUnusedTypes            = &Rule{"no-unused-types", Warning, "Nothing uses the type %q. Remove it, or export it.", ""}
	LintUnusedVars             = &Rule{"no-unused-vars", Warning, "Nothing uses the variable %q. Remove it, or export it.", ""}
	LintSecretOutputs          = &Rule{"outputs-should-not-contain-secrets", Warning, "Everyone who can read the deployment can read its outputs, and this one may hold a secret: %s.", ""}
	LintPreferInterpolation    = &Rule{"prefer-interpolation", Warning, "Write '${a}${b}' rather than concat(a, b).", ""}
	LintUnquotedNames          = &Rule{"prefer-unquoted-property-names", Warning, "The quotes are not needed.", ""}
	LintSecretParams           = &Rule{"secure-secrets-in-params", Warning, "The parameter %q seems to hold a secret. Add @secure().", ""}
	LintSecureDefault          = &Rule{"secure-parameter-default", Warning, "The default of the secure parameter %q is written in the source. Leave it out, or make it newGuid().", ""}
	LintSecureInNested         = &Rule{"secure-params-in-nested-deploy", Warning, "The nested deployment %q shows secrets in its history: it uses %s. Set expressionEvaluationOptions.scope to 'inner', or make it a module.", ""}
	LintSecureInParamsFile     = &Rule{"secure-params-in-parameters-file", Warning, "The parameter %q is not secure, but takes values of parameters that are: %s.", ""}
	LintSimplifyInterpolation  = &Rule{"simplify-interpolation", Warning, "The string is nothing but one ${…}. Write the expression alone.", ""}
	LintSimplifyJSONNull       = &Rule{"simplify-json-null", Warning, "Write null rather than json('null').", ""}
	LintStacksExtensions       = &Rule{"stacks-extensibility-compat", Info, "Deployment stacks take secrets of extensions from a Key Vault, and nothing else from there: %s.", ""}
	LintDescribeOutputs        = &Rule{"use-description-outputs", Off, "The output %q has no description. Add @description('…').", ""}
	LintDescribeParams         = &Rule{"use-description-params", Off, "The parameter %q has no description. Add @description('…').", ""}
	LintDescribeTypeProperties = &Rule{"use-description-type-properties", Off, "The property %q has no description. Add @description('…').", ""}
	LintDescribeTypes          = &Rule{"use-description-types", Off, "The type %q has no description. Add @description('…').", ""}
	LintDescribeVars           = &Rule{"use-description-vars", Off, "The variable %q has no description. Add @description('…').", ""}
	LintUseParent              = &Rule{"use-parent-property", Warning, "The resource %q is named after its parent. Set the property parent to %s, and leave the parent's name out of this one.", ""}
	LintProtectCommand         = &Rule{"protect-commandtoexecute-secrets", Warning, "The command may hold a secret (%s), and settings are not protected. Use protectedSettings.", ""}
	LintRecentAPIVersions      = &Rule{"use-recent-api-versions", Off, "The version of an API cannot be compared with the most recent: %s.", ""}
	LintAzPowerShell           = &Rule{"use-recent-az-powershell-version", Warning, "Deployment scripts should use a recent Azure PowerShell: %s.", ""}
	LintRecentModules          = &Rule{"use-recent-module-versions", Off, "Which versions there are of %q is known to its registry only, which is not asked. Compare the version by hand.", ""}
	LintRecognizedType         = &Rule{"use-recognized-resource-type", Warning, "There is no resource type %q in Azure.", ""}
	LintResourceIDFunctions    = &Rule{"use-resource-id-functions", Off, "The property %q takes an ID. Make it with the id of a resource, or with resourceId() and its kin.", ""}
	LintUseSymbol              = &Rule{"use-resource-symbol-reference", Warning, "The resource is declared in this file. Use its name rather than %s().", ""}
	LintSafeAccess             = &Rule{"use-safe-access", Warning, "Write .? rather than %s.", ""}
	LintSecureValue            = &Rule{"use-secure-value-for-secure-inputs", Warning, "The property %q takes a secret, but its value (of type %q) is not kept as one. Use a secure parameter.", ""}
	LintStableIdentifiers      = &Rule{"use-stable-resource-identifiers", Warning, "The %s of %q changes with each deployment, which then makes a new resource: %s.", ""}
	LintStableImage            = &Rule{"use-stable-vm-image", Warning, "The %s of the image is a preview. Use a released one.", ""}
	LintUserTypes              = &Rule{"use-user-defined-types", Off, "This type says nothing of what it holds. Write out its properties or items.", ""}
	LintWhatIf                 = &Rule{"what-if-short-circuiting", Off, "%s of the module %q is part of a resource's name, scope, version or condition, and this value is known only during the deployment, so that what-if cannot look beyond it. Pass one that is known before.", ""}
)
