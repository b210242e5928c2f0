package diag

// Namespaces: their functions and decorators, and the extensions they come from.
var (
	BCP060 = &Rule{"BCP060", Error, "There is no function \"variables\": name the variable itself.", ""}
	BCP061 = &Rule{"BCP061", Error, "There is no function \"parameters\": name the parameter itself.", ""}
	BCP069 = &Rule{"BCP069", Error, "There is no function %q: use the operator %q.", ""}
	BCP100 = &Rule{"BCP100", Error, "There is no function \"if\": write condition ? then : else.", ""}
	BCP101 = &Rule{"BCP101", Error, "There is no function \"createArray\": write the array in [].", ""}
	BCP102 = &Rule{"BCP102", Error, "There is no function \"createObject\": write the object in {}.", ""}
	BCP154 = &Rule{"BCP154", Error, "A batch needs at least %d member, not %d.", ""}
	BCP155 = &Rule{"BCP155", Error, "@%s() is for resources and modules that are declared by a loop.", ""}
	BCP168 = &Rule{"BCP168", Error, "A length cannot be negative.", ""}
	BCP185 = &Rule{"BCP185", Info, "The file begins with the mark of %s, so it was read in that encoding.", ""}
	BCP186 = &Rule{"BCP186", Error, "This is not valid JSON, or arrays and objects are nested more than 512 levels deep in it.", ""}
	BCP235 = &Rule{"BCP235", Error, "The JSONPath is not valid, or selects nothing in the file.", ""}
	BCP241 = &Rule{"BCP241", Warning, "The function %q is deprecated, and is going to be removed.", ""}
	BCP295 = &Rule{"BCP295", Error, "@%s() cannot narrow a constant or a union of constants: write another type instead.", ""}
	BCP308 = &Rule{"BCP308", Error, "@%s() cannot decorate what has a type by name: move it to that type's declaration.", ""}
	BCP316 = &Rule{"BCP316", Error, "@sealed() contradicts the type that * declares for other properties. Remove one of them.", ""}
	BCP340 = &Rule{"BCP340", Error, "This is not valid YAML.", ""}
	BCP361 = &Rule{"BCP361", Error, "@export() is for types, variables and functions that the file declares at its top level.", ""}
	BCP363 = &Rule{"BCP363", Error, "@discriminator() is for unions of objects.", ""}
	BCP366 = &Rule{"BCP366", Error, "All members of the union must have %q as their discriminator.", ""}
	BCP372 = &Rule{"BCP372", Error, "This cannot be exported, because it needs what stays in the file: %s.", ""}
	BCP386 = &Rule{"BCP386", Error, "@%s() cannot decorate a type that is derived from a resource.", ""}
	BCP396 = &Rule{"BCP396", Error, "The extension's archive of types cannot be read: %s.", ""}
	BCP397 = &Rule{"BCP397", Error, `"implicitExtensions" in %[2]s lists %[1]q, which "extensions" does not define.`, ""}
	BCP398 = &Rule{"BCP398", Error, "No extension %q is built in, though %s says so.", ""}
	BCP408 = &Rule{"BCP408", Error, "nameof() takes something that has a name, such as a symbol or a property.", ""}
	BCP419 = &Rule{"BCP419", Error, `The name %q is reserved for the language: remove it from "implicitExtensions".`, ""}
	BCP427 = &Rule{"BCP427", Error, "There is no environment variable %q, and no default for it.%s", ""}
	BCP440 = &Rule{"BCP440", Error, "@secure() is for strings and objects, and for types that are nothing else.", ""}
	BCP445 = &Rule{"BCP445", Error, "@nullIfNotFound() is for existing resources.", ""}
)
