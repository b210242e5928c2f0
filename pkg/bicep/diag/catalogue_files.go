package diag

// Configuration files.
var (
	BCP204 = Rule{Code: "BCP204", Level: Error, Text: "no extension is called %q: name one that is built in or listed under \"extensions\" in bicepconfig.json"}
	BCP211 = Rule{Code: "BCP211", Level: Error, Text: "%q cannot be a module alias: use letters, digits, \"_\" and \"-\" only"}
	BCP212 = Rule{Code: "BCP212", Level: Error, Text: "there is no template spec alias %q in %s"}
	BCP213 = Rule{Code: "BCP213", Level: Error, Text: "there is no registry module alias %q in %s"}
	BCP214 = Rule{Code: "BCP214", Level: Error, Text: "the template spec alias %q in %s lacks its \"subscription\""}
	BCP215 = Rule{Code: "BCP215", Level: Error, Text: "the template spec alias %q in %s lacks its \"resourceGroup\""}
	BCP216 = Rule{Code: "BCP216", Level: Error, Text: "the registry module alias %q in %s lacks its \"registry\""}
	BCP271 = Rule{Code: "BCP271", Level: Error, Text: "the configuration file %s is not valid JSON: %s"}
	BCP272 = Rule{Code: "BCP272", Level: Error, Text: "the configuration file %s cannot be read: %s"}
	BCP273 = Rule{Code: "BCP273", Level: Error, Text: "the configuration file %s holds a setting that does not fit: %s"}
	BCP274 = Rule{Code: "BCP274", Level: Info, Text: "the directory %s could not be searched for bicepconfig.json: %s"}
	BCP407 = Rule{Code: "BCP407", Level: Error, Text: "the built-in extension \"microsoftGraph\" is gone: use its published extension from a registry"}
	BCP450 = Rule{Code: "BCP450", Level: Error, Text: "%s works only with a bicepconfig.json, and none was found"}
	BCP453 = Rule{Code: "BCP453", Level: Error, Text: "\"extends\" in the configuration file %s must be a relative path"}
	BCP454 = Rule{Code: "BCP454", Level: Error, Text: "the configuration file %s extends itself in the end: %s"}
	BCP455 = Rule{Code: "BCP455", Level: Error, Text: "the configuration file %s has more than 64 files in its chain of \"extends\""}
)

// References to files, modules and extensions.
var (
	BCP050 = Rule{Code: "BCP050", Level: Error, Text: "the path is empty"}
	BCP051 = Rule{Code: "BCP051", Level: Error, Text: "the path must be relative: it cannot begin with \"/\" or a drive"}
	BCP085 = Rule{Code: "BCP085", Level: Error, Text: "a path cannot hold any of the characters \" * : < > ? \\ |"}
	BCP086 = Rule{Code: "BCP086", Level: Error, Text: "a path cannot end in a blank or a dot"}
	BCP090 = Rule{Code: "BCP090", Level: Error, Text: "the path of the module is missing"}
	BCP091 = Rule{Code: "BCP091", Level: Error, Text: "the file cannot be read: %s"}
	BCP092 = Rule{Code: "BCP092", Level: Error, Text: "the path must be a plain string, without ${}"}
	BCP094 = Rule{Code: "BCP094", Level: Error, Text: "the module refers to the file that it stands in"}
	BCP095 = Rule{Code: "BCP095", Level: Error, Text: "these files refer to one another in a circle: %s"}
	BCP098 = Rule{Code: "BCP098", Level: Error, Text: "write \"/\" in paths, not \"\\\""}
	BCP111 = Rule{Code: "BCP111", Level: Error, Text: "a path cannot hold control characters"}
	BCP184 = Rule{Code: "BCP184", Level: Error, Text: "the file %s is larger than %d %s"}
	BCP189 = Rule{Code: "BCP189", Level: Error, Text: "%q is no scheme of references: use a relative path, br: or ts:"}
	BCP190 = Rule{Code: "BCP190", Level: Error, Text: "%s is not in the local cache: restore it first"}
	BCP191 = Rule{Code: "BCP191", Level: Error, Text: "%s could not be restored"}
	BCP192 = Rule{Code: "BCP192", Level: Error, Text: "%s could not be restored: %s"}
	BCP193 = Rule{Code: "BCP193", Level: Error, Text: "%s is not a reference to an artifact: write br:<registry>/<path>:<tag>"}
	BCP194 = Rule{Code: "BCP194", Level: Error, Text: "%s is not a reference to a template spec: write ts:<subscription>/<resource group>/<name>:<version>"}
	BCP195 = Rule{Code: "BCP195", Level: Error, Text: "%s: %q cannot be part of an artifact's path: use lower-case letters and digits, with single separators . _ - between them"}
	BCP196 = Rule{Code: "BCP196", Level: Error, Text: "%s lacks its tag or digest"}
	BCP197 = Rule{Code: "BCP197", Level: Error, Text: "%s: the tag %q is longer than %d characters"}
	BCP198 = Rule{Code: "BCP198", Level: Error, Text: "%s: %q cannot be a tag: use letters, digits, \".\", \"_\" and \"-\", beginning with a letter, digit or \"_\""}
	BCP199 = Rule{Code: "BCP199", Level: Error, Text: "%s: the path %q is longer than %d characters"}
	BCP200 = Rule{Code: "BCP200", Level: Error, Text: "%s: the registry %q is longer than %d characters"}
	BCP217 = Rule{Code: "BCP217", Level: Error, Text: "%s: the subscription %q is not a GUID"}
	BCP218 = Rule{Code: "BCP218", Level: Error, Text: "%s: the resource group %q is longer than %d characters"}
	BCP219 = Rule{Code: "BCP219", Level: Error, Text: "%s: %q cannot be a resource group: use letters, digits and - _ . ( ), and no dot at the end"}
	BCP220 = Rule{Code: "BCP220", Level: Error, Text: "%s: the template spec %q is longer than %d characters"}
	BCP221 = Rule{Code: "BCP221", Level: Error, Text: "%s: %q cannot be a template spec: use letters, digits and - _ . ( ), and no dot at the end"}
	BCP222 = Rule{Code: "BCP222", Level: Error, Text: "%s: the version %q is longer than %d characters"}
	BCP223 = Rule{Code: "BCP223", Level: Error, Text: "%s: %q cannot be a version: use letters, digits and - _ . ( ), and no dot at the end"}
	BCP224 = Rule{Code: "BCP224", Level: Error, Text: "%s: %q is not a digest: write sha256: and 64 hexadecimal digits"}
	BCP256 = Rule{Code: "BCP256", Level: Error, Text: "the path of the template is missing after \"using\""}
	BCP275 = Rule{Code: "BCP275", Level: Error, Text: "%q is a directory, and a file is needed"}
	BCP276 = Rule{Code: "BCP276", Level: Error, Text: "\"using\" needs a Bicep file, a template or a template spec"}
	BCP277 = Rule{Code: "BCP277", Level: Error, Text: "a module must be a Bicep file, a template or a template spec"}
	BCP278 = Rule{Code: "BCP278", Level: Error, Text: "the parameters file refers to itself"}
	BCP303 = Rule{Code: "BCP303", Level: Error, Text: "the name of an extension must be a plain string, without ${}"}
	BCP319 = Rule{Code: "BCP319", Level: Error, Text: "a type of the ARM template cannot be resolved: %s"}
	BCP358 = Rule{Code: "BCP358", Level: Error, Text: "the path of the file is missing"}
	BCP380 = Rule{Code: "BCP380", Level: Error, Text: "a reference of this kind cannot be used here: %s"}
	BCP428 = Rule{Code: "BCP428", Level: Error, Text: "there is no directory %q, or it cannot be opened"}
	BCP429 = Rule{Code: "BCP429", Level: Error, Text: "the directory cannot be listed: %s"}
	BCP430 = Rule{Code: "BCP430", Level: Error, Text: "%q is a file, and a directory is needed"}
	BCP446 = Rule{Code: "BCP446", Level: Error, Text: "%s: the registry %q is not trusted; list it in BICEP_TRUSTED_REGISTRIES"}
	BCP448 = Rule{Code: "BCP448", Level: Error, Text: "the alias %q is mapped to a folder, which works for modules only"}
	BCP449 = Rule{Code: "BCP449", Level: Error, Text: "br-mock: cannot be written in a file: map an alias under \"moduleAliasesMock\""}
	BCP451 = Rule{Code: "BCP451", Level: Error, Text: "the folder %q of the alias %q cannot be used: %s"}
)
