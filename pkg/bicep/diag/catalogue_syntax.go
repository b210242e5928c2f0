package diag

// The rules of the lexer and the parser.
var (
	BCP001 = Rule{Code: "BCP001", Level: Error, Text: "%q is not part of the language; remove it"}
	BCP002 = Rule{Code: "BCP002", Level: Error, Text: "this comment never ends; close it with */"}
	BCP003 = Rule{Code: "BCP003", Level: Error, Text: "this string never ends; close it with a single quote"}
	BCP004 = Rule{Code: "BCP004", Level: Error, Text: "the line ends inside this string; close it with a single quote, or use ''' for text of several lines"}
	BCP005 = Rule{Code: "BCP005", Level: Error, Text: "the file ends inside an escape sequence; complete it and close the string with a single quote"}
	BCP006 = Rule{Code: "BCP006", Level: Error, Text: `%s is no escape sequence; the escapes are \n \r \t \\ \' \$ and \u{…}`}
	BCP007 = Rule{Code: "BCP007", Level: Error, Text: "no declaration begins like this; expected metadata, param, var, type, func, resource, module, output, import, extension or targetScope"}
	BCP008 = Rule{Code: "BCP008", Level: Error, Text: "expected = and a default value, or the end of the line"}
	BCP009 = Rule{Code: "BCP009", Level: Error, Text: "expected a value here: a literal, an array, an object, a name, a function call or an expression in parentheses"}
	BCP010 = Rule{Code: "BCP010", Level: Error, Text: "this integer does not fit into 64 bits"}
	BCP012 = Rule{Code: "BCP012", Level: Error, Text: "expected the word %q here"}
	BCP013 = Rule{Code: "BCP013", Level: Error, Text: "expected the parameter's name here"}
	BCP015 = Rule{Code: "BCP015", Level: Error, Text: "expected a name here"}
	BCP016 = Rule{Code: "BCP016", Level: Error, Text: "expected the output's name here"}
	BCP017 = Rule{Code: "BCP017", Level: Error, Text: "expected the resource's symbolic name here"}
	BCP018 = Rule{Code: "BCP018", Level: Error, Text: "expected %q here"}
	BCP019 = Rule{Code: "BCP019", Level: Error, Text: "expected the end of the line here; a line holds one declaration"}
	BCP020 = Rule{Code: "BCP020", Level: Error, Text: "expected the name of a property or function here"}
	BCP022 = Rule{Code: "BCP022", Level: Error, Text: "expected a property's name here"}
	BCP024 = Rule{Code: "BCP024", Level: Error, Text: "this name is longer than the %d characters that are allowed; shorten it"}
	BCP032 = Rule{Code: "BCP032", Level: Error, Text: "this must be a value that is known when the file is compiled"}
	BCP064 = Rule{Code: "BCP064", Level: Error, Text: "a hole of a string takes one expression; remove what stands behind it"}
	BCP068 = Rule{Code: "BCP068", Level: Error, Text: "expected a resource type in quotes, such as 'Applications.Core/containers@2023-10-01-preview'"}
	BCP087 = Rule{Code: "BCP087", Level: Error, Text: "an array or object cannot be written here; give it a name with var and use that"}
	BCP096 = Rule{Code: "BCP096", Level: Error, Text: "expected the module's symbolic name here"}
	BCP097 = Rule{Code: "BCP097", Level: Error, Text: "expected a path in quotes, such as './app.bicep'"}
	BCP103 = Rule{Code: "BCP103", Level: Error, Text: "%s does not begin a string; strings stand in single quotes"}
	BCP117 = Rule{Code: "BCP117", Level: Error, Text: "expected an index between the brackets"}
	BCP118 = Rule{Code: "BCP118", Level: Error, Text: "expected {, [ or if here"}
	BCP123 = Rule{Code: "BCP123", Level: Error, Text: "expected the name of a decorator here"}
	BCP133 = Rule{Code: "BCP133", Level: Error, Text: `this is no character; write \u{0} to \u{10FFFF}`}
	BCP136 = Rule{Code: "BCP136", Level: Error, Text: "expected the name of the loop's variable here"}
	BCP140 = Rule{Code: "BCP140", Level: Error, Text: "this string never ends; close it with '''"}
	BCP162 = Rule{Code: "BCP162", Level: Error, Text: "expected the name of the loop's variable, or ( here"}
	BCP167 = Rule{Code: "BCP167", Level: Error, Text: "expected { or if here"}
	BCP201 = Rule{Code: "BCP201", Level: Error, Text: "expected an extension here: its name, a path in quotes, or a registry reference in quotes"}
	BCP202 = Rule{Code: "BCP202", Level: Error, Text: "expected the extension's alias here"}
	BCP226 = Rule{Code: "BCP226", Level: Error, Text: "expected the codes of the diagnostics to silence, separated by blanks"}
	BCP236 = Rule{Code: "BCP236", Level: Error, Text: "expected a comma or the end of the line here"}
	BCP237 = Rule{Code: "BCP237", Level: Error, Text: "expected a comma here"}
	BCP238 = Rule{Code: "BCP238", Level: Error, Text: "remove the comma, or go on in this line: a comma and a line end do not go together"}
	BCP243 = Rule{Code: "BCP243", Level: Error, Text: "parentheses hold exactly one expression"}
	BCP249 = Rule{Code: "BCP249", Level: Error, Text: "a loop in parentheses has two variables, the item and its index, but here are %d"}
	BCP257 = Rule{Code: "BCP257", Level: Error, Text: "expected the path of a Bicep file in quotes, such as './app.bicep'"}
	BCP266 = Rule{Code: "BCP266", Level: Error, Text: "expected the metadata's name here"}
	BCP279 = Rule{Code: "BCP279", Level: Error, Text: "expected a type here, such as string, int, bool, object, array, or the name of a type"}
	BCP300 = Rule{Code: "BCP300", Level: Error, Text: "expected a member of the union here"}
	BCP305 = Rule{Code: "BCP305", Level: Error, Text: "expected with, as, or the end of the line here"}
	BCP317 = Rule{Code: "BCP317", Level: Error, Text: "expected a property's name, or * for all others, here"}
	BCP322 = Rule{Code: "BCP322", Level: Error, Text: "a function of an instance cannot be called with .? ; use a plain ."}
	BCP325 = Rule{Code: "BCP325", Level: Error, Text: "expected the type's name here"}
	BCP337 = Rule{Code: "BCP337", Level: Error, Text: "a parameters file has no such declaration; expected using, extends, param, var, type, import or extension"}
	BCP344 = Rule{Code: "BCP344", Level: Error, Text: "expected the assertion's name here"}
	BCP346 = Rule{Code: "BCP346", Level: Error, Text: "expected the test's name here"}
	BCP347 = Rule{Code: "BCP347", Level: Error, Text: "expected the path of the tested file in quotes"}
	BCP354 = Rule{Code: "BCP354", Level: Error, Text: "expected { or * here"}
	BCP355 = Rule{Code: "BCP355", Level: Error, Text: "expected the name of an exported symbol here"}
	BCP356 = Rule{Code: "BCP356", Level: Error, Text: "expected the name of the namespace here"}
	BCP375 = Rule{Code: "BCP375", Level: Error, Text: "a name in quotes needs a name to use it by; add: as <name>"}
	BCP404 = Rule{Code: "BCP404", Level: Error, Text: "expected the path of a .bicepparam file in quotes"}
	BCP436 = Rule{Code: "BCP436", Level: Error, Text: "expected with, or the end of the line here"}

	// NestedTooDeep has no counterpart in the official compiler, which crashes.
	NestedTooDeep = Rule{Code: "RAD001", Level: Error, Text: "expressions are nested more than %d levels deep here; give inner parts names with var"}
)
