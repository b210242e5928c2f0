package diag

// Configuration files.
var (
	BCP204 = &Rule{"BCP204", Error, "No extension is called %q: name one that is built in or listed under \"extensions\" in bicepconfig.json.", ""}
	BCP211 = &Rule{"BCP211", Error, "%q cannot be a module alias: use letters, digits, \"_\" and \"-\" only.", ""}
	BCP212 = &Rule{"BCP212", Error, "There is no template spec alias %q in %s.", ""}
	BCP213 = &Rule{"BCP213", Error, "There is no registry module alias %q in %s.", ""}
	BCP214 = &Rule{"BCP214", Error, "The template spec alias %q in %s lacks its \"subscription\".", ""}
	BCP215 = &Rule{"BCP215", Error, "The template spec alias %q in %s lacks its \"resourceGroup\".", ""}
	BCP216 = &Rule{"BCP216", Error, "The registry module alias %q in %s lacks its \"registry\".", ""}
	BCP271 = &Rule{"BCP271", Error, "The configuration file %s cannot be read as JSON: %s.", ""}
	BCP272 = &Rule{"BCP272", Error, "The configuration file %s cannot be read: %s.", ""}
	BCP273 = &Rule{"BCP273", Error, "The configuration file %s holds a setting that cannot be used: %s.", ""}
	BCP274 = &Rule{"BCP274", Info, "The directory %s could not be searched for bicepconfig.json: %s. The built-in settings are used.", ""}
	BCP407 = &Rule{"BCP407", Error, "The built-in extension \"microsoftGraph\" is gone: use its published extension from a registry.", ""}
	BCP453 = &Rule{"BCP453", Error, "\"extends\" in the configuration file %s must be a relative path.", ""}
	BCP454 = &Rule{"BCP454", Error, "The configuration file %s extends itself: %s.", ""}
	BCP455 = &Rule{"BCP455", Error, "The configuration file %s has more than 64 files in its chain of \"extends\".", ""}
)

// References to files, modules and extensions.
var (
	BCP050 = &Rule{"BCP050", Error, "The path is empty.", ""}
	BCP051 = &Rule{"BCP051", Error, "The path must be relative: it cannot begin with \"/\" or a drive.", ""}
	BCP085 = &Rule{"BCP085", Error, "A path cannot hold any of the characters \" * : < > ? \\ |.", ""}
	BCP086 = &Rule{"BCP086", Error, "A path cannot end in a space or a dot.", ""}
	BCP090 = &Rule{"BCP090", Error, "The path of the module is missing.", ""}
	BCP091 = &Rule{"BCP091", Error, "The file cannot be read: %s.", ""}
	BCP092 = &Rule{"BCP092", Error, "The path must be a plain string, without ${…}.", ""}
	BCP094 = &Rule{"BCP094", Error, "A file cannot be a module of itself.", ""}
	BCP095 = &Rule{"BCP095", Error, "These files refer to one another in a circle: %s.", ""}
	BCP098 = &Rule{"BCP098", Error, "Write \"/\" in paths, not \"\\\".", ""}
	BCP111 = &Rule{"BCP111", Error, "A path cannot hold control characters.", ""}
	BCP184 = &Rule{"BCP184", Error, "The file %s is larger than the %d %s that can be loaded.", ""}
	BCP189 = &Rule{"BCP189", Error, "%q is not a scheme of references: use a relative path, br: or ts:.", ""}
	BCP190 = &Rule{"BCP190", Error, "%s is not in the local cache: fetch it with bicep restore.", ""}
	BCP192 = &Rule{"BCP192", Error, "%s could not be restored: %s.", ""}
	BCP193 = &Rule{"BCP193", Error, "%s is not a reference to an artifact: write br:<registry>/<path>:<tag>.", ""}
	BCP194 = &Rule{"BCP194", Error, "%s is not a reference to a template spec: write ts:<subscription>/<resource group>/<name>:<version>.", ""}
	BCP195 = &Rule{"BCP195", Error, "%s: %q cannot be part of an artifact's path: use lower-case letters and digits, with single separators . _ - between them.", ""}
	BCP196 = &Rule{"BCP196", Error, "%s lacks its tag or digest.", ""}
	BCP197 = &Rule{"BCP197", Error, "%s: the tag %q is longer than %d characters.", ""}
	BCP198 = &Rule{"BCP198", Error, "%s: %q cannot be a tag: use letters, digits, \".\", \"_\" and \"-\", beginning with a letter, digit or \"_\".", ""}
	BCP199 = &Rule{"BCP199", Error, "%s: the path %q is longer than %d characters.", ""}
	BCP200 = &Rule{"BCP200", Error, "%s: the registry %q is longer than %d characters.", ""}
	BCP217 = &Rule{"BCP217", Error, "%s: the subscription %q is not a GUID.", ""}
	BCP218 = &Rule{"BCP218", Error, "%s: the resource group %q is longer than %d characters.", ""}
	BCP219 = &Rule{"BCP219", Error, "%s: %q cannot be a resource group: use letters, digits and - _ . ( ), and no dot at the end.", ""}
	BCP220 = &Rule{"BCP220", Error, "%s: the template spec %q is longer than %d characters.", ""}
	BCP221 = &Rule{"BCP221", Error, "%s: %q cannot be a template spec: use letters, digits and - _ . ( ), and no dot at the end.", ""}
	BCP222 = &Rule{"BCP222", Error, "%s: the version %q is longer than %d characters.", ""}
	BCP223 = &Rule{"BCP223", Error, "%s: %q cannot be a version: use letters, digits and - _ . ( ), and no dot at the end.", ""}
	BCP224 = &Rule{"BCP224", Error, "%s: %q is not a digest: write sha256: and 64 hexadecimal digits.", ""}
	BCP256 = &Rule{"BCP256", Error, "The path of the template is missing after \"using\".", ""}
	BCP275 = &Rule{"BCP275", Error, "%q is a directory, and a file is needed.", ""}
	BCP276 = &Rule{"BCP276", Error, `"using" takes a Bicep file, a template or a template spec.`, ""}
	BCP277 = &Rule{"BCP277", Error, "Only a Bicep file, a template or a template spec can be used here.", ""}
	BCP278 = &Rule{"BCP278", Error, "A parameters file cannot refer to itself.", ""}
	BCP303 = &Rule{"BCP303", Error, "The name of an extension must be a plain string, without ${…}.", ""}
	BCP319 = &Rule{"BCP319", Error, "A type of the ARM template cannot be resolved: %s.", ""}
	BCP358 = &Rule{"BCP358", Error, "The path of the file is missing.", ""}
	BCP380 = &Rule{"BCP380", Error, "An extension cannot come from a template spec or through an alias: write br:<registry>/<path>:<tag>.", ""}
	BCP428 = &Rule{"BCP428", Error, "There is no directory %q, or it cannot be opened.", ""}
	BCP429 = &Rule{"BCP429", Error, "The directory cannot be listed: %s.", ""}
	BCP430 = &Rule{"BCP430", Error, "%q is a file, and a directory is needed.", ""}
	BCP446 = &Rule{"BCP446", Error, "%s: the registry %q is not trusted; list it in BICEP_TRUSTED_REGISTRIES.", ""}
	BCP448 = &Rule{"BCP448", Error, "The alias %q is mapped to a folder, which works for modules only.", ""}
	BCP449 = &Rule{"BCP449", Error, "The scheme br-mock: cannot be written in a file. Map an alias under \"moduleAliasesMock\".", ""}
	BCP451 = &Rule{"BCP451", Error, "The folder %q of the alias %q cannot be used: %s.", ""}
)
