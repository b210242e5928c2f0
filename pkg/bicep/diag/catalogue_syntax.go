package diag

// The rules of the lexer and the parser.
var (
	BCP001 = &Rule{"BCP001", Error, "%q is not part of the language; remove it.", ""}
	BCP002 = &Rule{"BCP002", Error, "This comment never ends; close it with */.", ""}
	BCP003 = &Rule{"BCP003", Error, "This string never ends; close it with a single quote.", ""}
	BCP004 = &Rule{"BCP004", Error, "The line ends inside this string; close it with a single quote, or use three of them for text of several lines.", ""}
	BCP005 = &Rule{"BCP005", Error, "The file ends inside an escape sequence; complete it and close the string with a single quote.", ""}
	BCP006 = &Rule{"BCP006", Error, `%s is not an escape sequence; the escapes are \n \r \t \\ \' \$ and \u{…}.`, ""}
	BCP007 = &Rule{"BCP007", Error, "No declaration begins like this; expected metadata, param, var, type, func, resource, module, output, import, extension or targetScope.", ""}
	BCP008 = &Rule{"BCP008", Error, "Expected = and a default value, or the end of the line.", ""}
	BCP009 = &Rule{"BCP009", Error, "Expected a value here: a literal, an array, an object, a name, a function call or an expression in parentheses.", ""}
	BCP010 = &Rule{"BCP010", Error, "This integer does not fit into 64 bits.", ""}
	BCP012 = &Rule{"BCP012", Error, "Expected the word %q here.", ""}
	BCP013 = &Rule{"BCP013", Error, "Expected the parameter's name here.", ""}
	BCP015 = &Rule{"BCP015", Error, "Expected a name here.", ""}
	BCP016 = &Rule{"BCP016", Error, "Expected the output's name here.", ""}
	BCP017 = &Rule{"BCP017", Error, "Expected the resource's symbolic name here.", ""}
	BCP018 = &Rule{"BCP018", Error, "Expected %q here.", ""}
	BCP019 = &Rule{"BCP019", Error, "Expected the end of the line here; a line holds one declaration.", ""}
	BCP020 = &Rule{"BCP020", Error, "Expected the name of a property or function here.", ""}
	BCP022 = &Rule{"BCP022", Error, "Expected a property's name here.", ""}
	BCP024 = &Rule{"BCP024", Error, "This name is longer than the %d characters that are allowed; shorten it.", ""}
	BCP032 = &Rule{"BCP032", Error, "This must be a constant, which is known when the file is compiled.", ""}
	BCP064 = &Rule{"BCP064", Error, "An interpolation takes one expression; remove what stands behind it.", ""}
	BCP068 = &Rule{"BCP068", Error, "Expected a resource type in quotes, such as 'Applications.Core/containers@2023-10-01-preview'.", ""}
	BCP087 = &Rule{"BCP087", Error, "An array or object cannot be written here; give it a name with var, and use that.", ""}
	BCP096 = &Rule{"BCP096", Error, "Expected the module's symbolic name here.", ""}
	BCP097 = &Rule{"BCP097", Error, "Expected a path in quotes, such as './app.bicep'.", ""}
	BCP103 = &Rule{"BCP103", Error, "%s does not begin a string; strings stand in single quotes.", ""}
	BCP117 = &Rule{"BCP117", Error, "Expected an index between the brackets.", ""}
	BCP118 = &Rule{"BCP118", Error, "Expected {, [ or if here.", ""}
	BCP123 = &Rule{"BCP123", Error, "Expected the name of a decorator here.", ""}
	BCP133 = &Rule{"BCP133", Error, `This is not a character; write \u{0} to \u{10FFFF}.`, ""}
	BCP140 = &Rule{"BCP140", Error, "This string never ends; close it with three single quotes.", ""}
	BCP162 = &Rule{"BCP162", Error, "Expected the name of the loop's variable, or ( here.", ""}
	BCP167 = &Rule{"BCP167", Error, "Expected { or if here.", ""}
	BCP201 = &Rule{"BCP201", Error, "Expected an extension here: its name, a path in quotes, or a registry reference in quotes.", ""}
	BCP202 = &Rule{"BCP202", Error, "Expected the extension's alias here.", ""}
	BCP226 = &Rule{"BCP226", Error, "Expected the codes of the diagnostics to silence here, separated by spaces.", ""}
	BCP236 = &Rule{"BCP236", Error, "Expected a comma or the end of the line here.", ""}
	BCP237 = &Rule{"BCP237", Error, "Expected a comma here.", ""}
	BCP238 = &Rule{"BCP238", Error, "Remove the comma, or go on in this line: a comma and a line end do not go together.", ""}
	BCP243 = &Rule{"BCP243", Error, "Parentheses hold exactly one expression.", ""}
	BCP249 = &Rule{"BCP249", Error, "A loop in parentheses has two variables, the item and its index, not %d.", ""}
	BCP257 = &Rule{"BCP257", Error, "Expected the path of a Bicep file in quotes, such as './app.bicep'.", ""}
	BCP266 = &Rule{"BCP266", Error, "Expected the metadata's name here.", ""}
	BCP279 = &Rule{"BCP279", Error, "Expected a type here, such as string, int, bool, object, array, or the name of a type.", ""}
	BCP300 = &Rule{"BCP300", Error, "Expected a member of the union here.", ""}
	BCP305 = &Rule{"BCP305", Error, "Expected with, as, or the end of the line here.", ""}
	BCP317 = &Rule{"BCP317", Error, "Expected a property's name, or * for all others, here.", ""}
	BCP322 = &Rule{"BCP322", Error, "A function cannot be called with .? here; use a plain dot.", ""}
	BCP325 = &Rule{"BCP325", Error, "Expected the type's name here.", ""}
	BCP337 = &Rule{"BCP337", Error, "A parameters file has no such declaration; expected using, extends, param, var, type, import or extension.", ""}
	BCP344 = &Rule{"BCP344", Error, "Expected the assertion's name here.", ""}
	BCP346 = &Rule{"BCP346", Error, "Expected the test's name here.", ""}
	BCP347 = &Rule{"BCP347", Error, "Expected the path of the tested file in quotes.", ""}
	BCP354 = &Rule{"BCP354", Error, "Expected { or * here.", ""}
	BCP355 = &Rule{"BCP355", Error, "Expected the name of an exported symbol here.", ""}
	BCP356 = &Rule{"BCP356", Error, "Expected the name of the namespace here.", ""}
	BCP375 = &Rule{"BCP375", Error, "A name in quotes needs a name to use it by; add: as <name>.", ""}
	BCP404 = &Rule{"BCP404", Error, "Expected the path of a .bicepparam file in quotes.", ""}
	BCP436 = &Rule{"BCP436", Error, "Expected with, or the end of the line here.", ""}

	// NestedTooDeep has no counterpart in the official compiler, which crashes.
	NestedTooDeep = &Rule{"RAD001", Error, "Expressions are nested more than %d levels deep here; give inner parts names with var.", "https://github.com/radbicep/rad/blob/main/pkg/bicep/DIAGNOSTICS.md"}
)
