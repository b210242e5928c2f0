// Code generated from catalogue.txt by go generate; DO NOT EDIT.

package diag

// The kinds of diagnostics. The zero value is none of them.
const (
	_ Kind = iota
	BCP001
	BCP002
	BCP003
	BCP004
	BCP005
	BCP006
	BCP007
	BCP008
	BCP009
	BCP010
	BCP012
	BCP013
	BCP015
	BCP016
	BCP017
	BCP018
	BCP019
	BCP020
	BCP022
	BCP024
	BCP032
	BCP064
	BCP068
	BCP087
	BCP096
	BCP097
	BCP103
	BCP117
	BCP118
	BCP123
	BCP133
	BCP140
	BCP162
	BCP167
	BCP201
	BCP202
	BCP226
	BCP236
	BCP237
	BCP238
	BCP243
	BCP249
	BCP257
	BCP266
	BCP279
	BCP300
	BCP305
	BCP317
	BCP322
	BCP325
	BCP337
	BCP344
	BCP346
	BCP347
	BCP354
	BCP355
	BCP356
	BCP375
	BCP404
	BCP436
	NestedTooDeep
	RecursiveTypes
	BCP028
	BCP056
	BCP057
	BCP082
	BCP084
	BCP145
	BCP159
	BCP207
	BCP360
	BCP373
	BCP025
	BCP029
	BCP030
	BCP031
	BCP041
	BCP044
	BCP045
	BCP046
	BCP047
	BCP049
	BCP054
	BCP055
	BCP059
	BCP062
	BCP063
	BCP065
	BCP066
	BCP067
	BCP072
	BCP074
	BCP075
	BCP076
	BCP079
	BCP080
	BCP081
	BCP099
	BCP104
	BCP107
	BCP108
	BCP109
	BCP110
	BCP112
	BCP113
	BCP114
	BCP115
	BCP116
	BCP124
	BCP125
	BCP126
	BCP127
	BCP128
	BCP129
	BCP130
	BCP132
	BCP134
	BCP135
	BCP137
	BCP139
	BCP141
	BCP147
	BCP149
	BCP152
	BCP153
	BCP156
	BCP157
	BCP158
	BCP164
	BCP165
	BCP166
	BCP174
	BCP188
	BCP205
	BCP206
	BCP208
	BCP209
	BCP210
	BCP227
	BCP229
	BCP230
	BCP231
	BCP245
	BCP246
	BCP258
	BCP259
	BCP261
	BCP262
	BCP264
	BCP265
	BCP268
	BCP269
	BCP285
	BCP286
	BCP287
	BCP288
	BCP289
	BCP292
	BCP293
	BCP294
	BCP296
	BCP297
	BCP298
	BCP299
	BCP301
	BCP302
	BCP306
	BCP307
	BCP311
	BCP315
	BCP318
	BCP321
	BCP326
	BCP331
	BCP339
	BCP350
	BCP362
	BCP364
	BCP365
	BCP374
	BCP383
	BCP384
	BCP387
	BCP388
	BCP389
	BCP390
	BCP391
	BCP392
	BCP393
	BCP402
	BCP405
	BCP406
	BCP412
	BCP414
	BCP415
	BCP420
	BCP422
	BCP423
	BCP424
	BCP425
	BCP437
	BCP438
	BCP441
	BCP452
	BCP033
	BCP034
	BCP035
	BCP036
	BCP037
	BCP040
	BCP048
	BCP052
	BCP053
	BCP070
	BCP071
	BCP073
	BCP077
	BCP078
	BCP083
	BCP088
	BCP089
	BCP173
	BCP176
	BCP187
	BCP225
	BCP234
	BCP309
	BCP327
	BCP328
	BCP329
	BCP330
	BCP332
	BCP333
	BCP334
	BCP335
	BCP403
	BCP410
	BCP411
	BCP416
	BCP060
	BCP061
	BCP069
	BCP100
	BCP101
	BCP102
	BCP154
	BCP155
	BCP168
	BCP185
	BCP186
	BCP235
	BCP241
	BCP295
	BCP308
	BCP316
	BCP340
	BCP361
	BCP363
	BCP366
	BCP372
	BCP386
	BCP396
	BCP397
	BCP398
	BCP408
	BCP419
	BCP427
	BCP440
	BCP445
	BCP204
	BCP211
	BCP212
	BCP213
	BCP214
	BCP215
	BCP216
	BCP271
	BCP272
	BCP273
	BCP274
	BCP407
	BCP453
	BCP454
	BCP455
	BCP456
	BCP458
	BCP459
	BCP050
	BCP051
	BCP085
	BCP086
	BCP090
	BCP091
	BCP092
	BCP094
	BCP095
	BCP098
	BCP111
	BCP184
	BCP189
	BCP190
	BCP192
	BCP193
	BCP194
	BCP195
	BCP196
	BCP197
	BCP198
	BCP199
	BCP200
	BCP217
	BCP218
	BCP219
	BCP220
	BCP221
	BCP222
	BCP223
	BCP224
	BCP256
	BCP275
	BCP276
	BCP277
	BCP278
	BCP303
	BCP319
	BCP358
	BCP380
	BCP428
	BCP429
	BCP430
	BCP446
	BCP448
	BCP449
	BCP451
	BCP338
	BCP368
	BCP369
	BCP120
	BCP121
	BCP122
	BCP138
	BCP142
	BCP143
	BCP144
	BCP160
	BCP169
	BCP170
	BCP177
	BCP178
	BCP179
	BCP180
	BCP181
	BCP182
	BCP183
	BCP239
	BCP240
	BCP242
	BCP247
	BCP248
	BCP320
	BCP323
	BCP341
	BCP348
	BCP349
	BCP351
	BCP353
	BCP394
	BCP401
	BCP417
	BCP418
	BCP421
	BCP426
	BCP431
	BCP432
	BCP433
	BCP434
	BCP435
	BCP443
	TemplateTooLarge
	TooManyErrors
	TooManyFindings
	NotUTF8
	BCP444
	LinterEnabled
	LinterDisabled
	LintAdminUsername
	LintArtifactsParameters
	LintDecompilerCleanup
	LintExplicitLocations
	LintMaxAsserts
	LintMaxOutputs
	LintMaxParams
	LintMaxResources
	LintMaxVariables
	LintConflictingMetadata
	LintDeploymentsResources
	LintExplicitAny
	LintHardcodedURLs
	LintHardcodedLocation
	LintHardcodedOutputs
	LintLocationOutsideParams
	LintModuleName
	LintNestedScoping
	LintUnnecessaryDependsOn
	LintUnusedExisting
	LintUnusedImports
	LintUnusedParams
	LintUnusedTypes
	LintUnusedVars
	LintSecretOutputs
	LintPreferInterpolation
	LintUnquotedNames
	LintSecretParams
	LintSecureDefault
	LintSecureInNested
	LintSecureInParamsFile
	LintSimplifyInterpolation
	LintSimplifyJSONNull
	LintStacksExtensions
	LintDescribeOutputs
	LintDescribeParams
	LintDescribeTypeProperties
	LintDescribeTypes
	LintDescribeVars
	LintConstraintsConflict
	LintEntryTooWide
	LintUseParent
	LintProtectCommand
	LintRecentAPIVersions
	LintAzPowerShell
	LintRecentModules
	LintRemovedType
	LintRecognizedType
	LintResourceIDFunctions
	LintUseSymbol
	LintSafeAccess
	LintSecureValue
	LintStableIdentifiers
	LintStableImage
	LintUserTypes
	LintWhatIf
)

// catalogue is what catalogue.txt says of each kind.
var catalogue = [...]entry{
	{},
	{"BCP001", Error, "%q is not allowed here. Remove it.",
		"The character has no meaning in Bicep. Remove it, or put it into a string in quotes."},
	{"BCP002", Error, "This comment is not closed. Close it with */.",
		"A comment that begins with /* ends at */, which may be on a later line. Write */ where it ends."},
	{"BCP003", Error, "This string is not closed. Close it with a single quote.",
		"A string in single quotes ends on the line where it begins. Write the closing quote."},
	{"BCP004", Error, "The line ends inside this string. Close it with a single quote, or use three quotes for text of several lines.",
		"A string in single quotes cannot go on in the next line. Close it, write \\n for a line end, or use ''' … '''."},
	{"BCP005", Error, "The file ends inside an escape sequence. Complete it, and close the string with a single quote.",
		"A backslash begins an escape sequence, which needs at least one more character. Complete it, or write \\\\ for a backslash."},
	{"BCP006", Error, "%s is not an escape sequence; the escapes are \\n \\r \\t \\\\ \\' \\$ and \\u{…}.",
		"A backslash in a string begins an escape sequence. Write \\\\ for a backslash itself, or use ''' … ''', which has no escapes."},
	{"BCP007", Error, "This is not a declaration. Expected metadata, param, var, type, func, resource, module, output, import, extension or targetScope.",
		"Each statement begins with a keyword. Check its spelling, and whether the line belongs to the statement above it."},
	{"BCP008", Error, "Expected = and a default value, or the end of the line.",
		"After its type, a parameter has nothing or a default value. Write = before the default, or remove the rest of the line."},
	{"BCP009", Error, "Expected a value here: a literal, an array, an object, a name, a function call or an expression in parentheses.",
		"An expression is missing here. Write it, or remove the operator or the = before it."},
	{"BCP010", Error, "This integer does not fit into 64 bits.",
		"Integers have 64 bits: they reach from -9223372036854775808 to 9223372036854775807. Use a smaller number, or a string."},
	{"BCP012", Error, "Expected the word %q here.",
		"Write the word that the message names. An import, for example, is: import { name } from 'file.bicep'."},
	{"BCP013", Error, "Expected the parameter's name here.",
		"A parameter is declared as: param name type. Write a name without quotes after param."},
	{"BCP015", Error, "Expected a name here.",
		"Write a name without quotes: a letter or _, and then letters, digits and _."},
	{"BCP016", Error, "Expected the output's name here.",
		"An output is declared as: output name type = value. Write a name without quotes after output."},
	{"BCP017", Error, "Expected the resource's symbolic name here.",
		"A resource is declared as: resource name 'type@version' = { … }. Write the name by which the file refers to it."},
	{"BCP018", Error, "Expected %q here.",
		"The statement is not complete. Write what the message names, and check that the brackets before it are closed."},
	{"BCP019", Error, "Expected the end of the line here. Write each declaration on a line of its own.",
		"There are two statements on one line, or the line goes on where it should end. Begin a new line, or remove the rest."},
	{"BCP020", Error, "Expected the name of a property or function here.",
		"After a dot comes the name of a property or a function. Write it, or remove the dot."},
	{"BCP022", Error, "Expected a property's name here.",
		"Names of properties are words, or strings in quotes. Put a name with other characters into quotes."},
	{"BCP024", Error, "This name is longer than the limit of %d characters. Shorten it.",
		"ARM templates limit the length of names. Choose a shorter one."},
	{"BCP032", Error, "This must be a constant that is known when the file is compiled.",
		"The value is needed while the file is compiled, so it can be neither a parameter nor something computed during the deployment. Write a literal."},
	{"BCP064", Error, "An interpolation takes one expression. Remove what follows it.",
		"An interpolation ${…} holds exactly one expression. Remove what follows it, or join the parts by an operator."},
	{"BCP068", Error, "Expected a resource type in quotes, such as 'Applications.Core/containers@2023-10-01-preview'.",
		"A resource is declared as: resource name 'type@version' = { … }. Write the type in quotes after the name."},
	{"BCP087", Error, "An array or object cannot be written here. Declare it with var, and use the name.",
		"Give the array or object a name with var, and use the name here."},
	{"BCP096", Error, "Expected the module's symbolic name here.",
		"A module is declared as: module name 'path.bicep' = { … }. Write the name by which the file refers to it."},
	{"BCP097", Error, "Expected a path in quotes, such as './app.bicep'.",
		"A module is declared as: module name 'path.bicep' = { … }. Write the path in single quotes after the name."},
	{"BCP103", Error, "%s does not begin a string. Write strings in single quotes.",
		"Strings in Bicep are written in single quotes. Replace the double quotes."},
	{"BCP117", Error, "Expected an index between the brackets.",
		"Brackets after a value select an item. Write its index or its name between them."},
	{"BCP118", Error, "Expected {, [ or if here.",
		"After = comes the body {…}, a loop [for …] or a condition if (…)."},
	{"BCP123", Error, "Expected the name of a decorator here.",
		"A decorator is @ and the name of a function, such as @description('…'). Write the name, or remove the @."},
	{"BCP133", Error, "This is not a character. Write \\u{0} to \\u{10FFFF}.",
		"A character is written as \\u{…} with one to six hexadecimal digits, such as \\u{1F600}."},
	{"BCP140", Error, "This string is not closed. Close it with three single quotes.",
		"A string that begins with ''' goes on until the next '''. Write them where it ends."},
	{"BCP162", Error, "Expected the name of the loop's variable, or ( here.",
		"A loop is written as: [for item in items: …] or [for (item, index) in items: …]. Write the name of its variable after for."},
	{"BCP167", Error, "Expected { or if here.",
		"The body of a resource or module in a loop is an object {…}, or if (…) and an object."},
	{"BCP201", Error, "Expected an extension here: its name, a path in quotes, or a registry reference in quotes.",
		"An extension is declared as: extension name, or extension 'path or reference'. Write which one you mean."},
	{"BCP202", Error, "Expected the extension's alias here.",
		"Write the name by which the file refers to the extension after as, or remove as."},
	{"BCP226", Error, "Expected the codes of the diagnostics to silence here, separated by spaces.",
		"Name the codes or rules that the pragma silences, such as #disable-next-line no-unused-params."},
	{"BCP236", Error, "Expected a comma or the end of the line here.",
		"Separate items and properties by commas, or write each on a line of its own."},
	{"BCP237", Error, "Expected a comma here.",
		"Separate arguments by commas."},
	{"BCP238", Error, "A line cannot end with a comma here. Remove it, or continue on this line.",
		"Within brackets a line end separates items already. Remove the comma, or put the items on one line."},
	{"BCP243", Error, "Parentheses must contain exactly one expression.",
		"Parentheses hold one expression, such as (1 + 2). Write it, or remove the parentheses."},
	{"BCP249", Error, "A loop in parentheses has two variables, the item and its index, but this one has %d.",
		"Write (item, index), or the name of the item alone without parentheses."},
	{"BCP257", Error, "Expected the path of a Bicep file in quotes, such as './app.bicep'.",
		"A parameter file names its template as: using 'path.bicep'. Write the path in single quotes."},
	{"BCP266", Error, "Expected the metadata's name here.",
		"Metadata is declared as: metadata name = value. Write the name after metadata."},
	{"BCP279", Error, "Expected a type here, such as string, int, bool, object, array, or the name of a type.",
		"Write the type here, such as string, int, bool, object, array, string[] or { name: string }."},
	{"BCP300", Error, "Expected a member of the union here.",
		"Members of a union are separated by |. Write the missing member, or remove the |."},
	{"BCP305", Error, "Expected 'with', 'as', or the end of the line here.",
		"After the extension come 'with { … }' for its configuration, 'as' and a name, or the end of the line."},
	{"BCP317", Error, "Expected the name of a property, or * for all other properties.",
		"Properties of an object type are written as name: type, and * stands for all others."},
	{"BCP322", Error, "A function cannot be called with .? here. Use a dot.",
		"Functions of a namespace or a resource cannot be called with .?, which is for properties. Use a dot."},
	{"BCP325", Error, "Expected the type's name here.",
		"A type is declared as: type name = …. Write the name after type."},
	{"BCP337", Error, "This declaration cannot be used in a parameter file. Expected using, extends, param, var, type, import or extension.",
		"A parameter file only gives values to parameters. Move the declaration to the template."},
	{"BCP344", Error, "Expected the assertion's name here.",
		"An assertion is written as: assert name = condition. Write the name after assert."},
	{"BCP346", Error, "Expected the test's name here.",
		"A test is written as: test name 'path.bicep' = { … }. Write the name after test."},
	{"BCP347", Error, "Expected the path of the tested file in quotes.",
		"A test is written as: test name 'path.bicep' = { … }. Write the path in single quotes after the name."},
	{"BCP354", Error, "Expected { or * here.%s",
		"An import is written as: import { name } from 'file.bicep', or: import * as name from 'file.bicep'."},
	{"BCP355", Error, "Expected the name of an exported symbol here.",
		"List the names to import between the braces, separated by commas."},
	{"BCP356", Error, "Expected the name of the namespace here.",
		"Give the imported file a name: import * as name from 'file.bicep'."},
	{"BCP375", Error, "A name in quotes needs an alias. Add: as <name>.",
		"A name in quotes cannot be used in expressions. Give it another one: import { 'a-b' as ab } from 'file'."},
	{"BCP404", Error, "Expected the path of a .bicepparam file in quotes.",
		"A parameter file is extended by: extends 'path.bicepparam'. Write the path in single quotes."},
	{"BCP436", Error, "Expected 'with' or the end of the line here.",
		"After the template comes 'with { … }' or the end of the line."},
	{"RAD001", Error, "Expressions are nested more than %d levels deep here; give inner parts names with var.",
		"Give the inner parts names with 'var'. Bicep that a person writes is rarely nested more than a dozen levels deep."},
	{"RAD006", Error, "The types of the values that meet here contain themselves, and comparing or joining them does not end. Use one type for all of them, or any() for one of the values.",
		"Types that contain themselves in different ways have no type in common that could be written down. Give the values one type, or write any() around one of them."},
	{"BCP028", Error, "%q is declared more than once. Rename or remove one of the declarations.",
		"Within one file, each name stands for one thing, whatever its kind. Rename or remove one of the declarations."},
	{"BCP056", Error, "%q is defined by several namespaces. Write one of these and a dot before it: %s.",
		"Several extensions have a function of this name. Write the name of the extension and a dot before it."},
	{"BCP057", Error, "%q is not defined.",
		"This file declares no such name. Declare it with 'param' or 'var', import it, or put quotes around it if it is a string."},
	{"BCP082", Error, "%q is not defined. Did you mean %q?",
		"No declaration has this name, but one has a similar name. Names are case-sensitive."},
	{"BCP084", Error, "%q is the name of a namespace. Choose a name other than %s.",
		"A namespace such as sys or az has the name already. Choose another name."},
	{"BCP145", Error, "%q is declared more than once. Rename or remove one of the declarations.",
		"Outputs, and also assertions, have names of their own. Rename or remove one of them."},
	{"BCP159", Error, "The resource %q has no nested resource %q. It has: %s.",
		"The resource has no nested resource of this name. Choose one of those that the message lists."},
	{"BCP207", Error, "The extension %q can be declared only once.",
		"Remove all declarations of the extension but one, or give each another name with 'as'."},
	{"BCP360", Error, "%q is not exported by the imported file.",
		"Only declarations with @export() can be imported. Check the name, or export it in the other file."},
	{"BCP373", Error, "%q cannot be imported: %s.",
		"The declaration of this name in the other file cannot be used here. The message says why; change that file."},
	{"BCP025", Error, "The property %q is set more than once in this object. Keep one of them.",
		"A property can be set once. Keep one of the two, and delete the other."},
	{"BCP029", Error, "This is not a resource type. Write it as <namespace>/<type>@<version>, with a date as the version, such as 2023-10-01-preview. Other versions, such as v1.0, are those of extensions: declare and restore the extension.",
		"Write the type as namespace/type@version, for example 'Applications.Core/containers@2023-10-01-preview'. If it is one of an extension, such as that of Microsoft Graph, declare the extension, and restore it."},
	{"BCP030", Error, "Expected the output's type here: a type expression, or one of %s.",
		"The type of an output is a type such as string, int, object[] or { name: string }. Neither null nor a value is one."},
	{"BCP031", Error, "Expected the parameter's type here: a type expression, or one of %s.",
		"The type of a parameter is a type such as string, int, object[] or { name: string }. Write string? for what may be null."},
	{"BCP041", Error, "A value of type %q cannot be assigned to a variable.",
		"A variable can only hold a value. Write the value that you need from the namespace, such as az.resourceGroup()."},
	{"BCP044", Error, "The operator %q cannot be applied to a value of type %q.",
		"The operator does not work on values of this type. ! needs a Boolean and - an integer."},
	{"BCP045", Error, "The operator %q cannot be applied to values of types %q and %q.%s",
		"The operator does not work on values of these types. Convert one of them, or use '${a}${b}' to join strings."},
	{"BCP046", Error, "Expected a value of type %q, but this value is of type %q.",
		"A condition must be true or false. Write a comparison, such as count > 0."},
	{"BCP047", Error, "The type of a resource must be plain text, without ${…}.",
		"The compiler has to know the type of a resource. Write it as plain text."},
	{"BCP049", Error, "An index must be a string or an integer, but this one is of type %q.",
		"Items of an array are selected by an integer, and properties of an object by a string."},
	{"BCP054", Error, "A value of type %q has no properties.",
		"The type has no properties at all. Remove the access, or use a value that has the property."},
	{"BCP055", Error, "A value of type %q is not an object, so it has no properties.",
		"Only objects have properties. Check the type of the value before the dot."},
	{"BCP059", Error, "%q is not a function.",
		"The name is declared in this file and is not a function. Rename the declaration, or write 'sys.' or 'az.' before the call."},
	{"BCP062", Error, "The declaration of %q has errors. Correct them first.",
		"The value cannot be checked, because what it refers to has errors. Correct those first."},
	{"BCP063", Error, "%q is not a value, so it cannot be used in an expression.",
		"The name stands for a function, a type or a namespace, not for a value. Add the arguments of the function, or use another name."},
	{"BCP065", Error, "The function %q can only be called in the default value of a parameter.",
		"Values such as utcNow() and newGuid() change with each deployment, so they are allowed as the default of a parameter only. Use the parameter here."},
	{"BCP066", Error, "The function %q can only be called in the body of a resource.",
		"The function asks for the state of a resource, which is known only while resources are deployed. Use it in a resource or an output."},
	{"BCP067", Error, "Functions can only be called on objects, not on a value of type %q.",
		"Functions are called on namespaces and resources. Pass the value as an argument instead, as in toLower(name)."},
	{"BCP072", Error, "The default value of a parameter can only use other parameters and functions.",
		"Defaults are computed before variables and resources are known. Move the expression to a variable that uses the parameter."},
	{"BCP074", Error, "An array must be indexed by an integer, not by a value of type %q.",
		"Items of an array are selected by a position that counts from 0."},
	{"BCP075", Error, "An object must be indexed by a string, not by a value of type %q.",
		"Properties of an object are selected by a name in quotes."},
	{"BCP076", Error, "Only objects and arrays can be indexed, not a value of type %q.",
		"Brackets select an item of an array or a property of an object. This value is neither."},
	{"BCP079", Error, "This expression refers to the name that it defines.",
		"The declaration needs its own value. Use another name in the expression, or compute the value otherwise."},
	{"BCP080", Error, "These declarations form a cycle: %s.",
		"Each of these declarations needs another's value, so none can be computed first. Remove one of the references."},
	{"BCP081", Warning, "The resource type %q is not known, so its properties cannot be checked.",
		"No known type has this name and version, so properties are not checked. Check the spelling, add the extension that defines it, or ignore the warning."},
	{"BCP099", Error, "List at least one allowed value.",
		"An empty list would forbid every value. Add the allowed values, or remove the decorator."},
	{"BCP104", Error, "The referenced file has errors. Correct them first.",
		"Errors of the module or template are reported in its own file. Correct them there."},
	{"BCP107", Error, "The namespace %q has no function %q.",
		"The namespace has no such function. Check the spelling, or remove the namespace: the function may be in another one."},
	{"BCP108", Error, "The namespace %q has no function %q. Did you mean %q?",
		"The namespace has no such function, but one with a similar name."},
	{"BCP109", Error, "A value of type %q has no function %q.",
		"The value has no such function. Look up the functions of its type; a property is read without parentheses."},
	{"BCP110", Error, "A value of type %q has no function %q. Did you mean %q?",
		"The value has no such function, but one with a similar name."},
	{"BCP112", Error, "targetScope can only be set once in a file.",
		"Keep one of the statements, and remove the others."},
	{"BCP113", Error, "A file with targetScope 'tenant' can deploy modules to the tenant, a named management group, a named subscription, or a named resource group of a named subscription.",
		"Set scope to one of those that the message lists."},
	{"BCP114", Error, "A file with targetScope 'managementGroup' can deploy modules to its own or a named management group, a named subscription, the tenant, or a named resource group of a named subscription.",
		"Set scope to one of those that the message lists."},
	{"BCP115", Error, "A file with targetScope 'subscription' can deploy modules to its own or a named subscription, the tenant, or a named resource group.",
		"Set scope to one of those that the message lists."},
	{"BCP116", Error, "A file with targetScope 'resourceGroup' can deploy modules to its own or a named resource group, its own or a named subscription, or the tenant.",
		"Set scope to one of those that the message lists. A management group needs a file with another targetScope."},
	{"BCP124", Error, "The decorator %q can be used on values of type %q, not %q.",
		"The decorator restricts or describes values of another type. Remove it, or change the type."},
	{"BCP125", Error, "%q cannot be used on a parameter.",
		"The decorator is for other declarations. Remove it from the parameter."},
	{"BCP126", Error, "%q cannot be used on a variable.",
		"The decorator is for other declarations. Remove it from the variable. A secret must be a parameter."},
	{"BCP127", Error, "%q cannot be used on a resource.",
		"The decorator is for other declarations. Remove it from the resource."},
	{"BCP128", Error, "%q cannot be used on a module.",
		"The decorator is for other declarations. Remove it from the module."},
	{"BCP129", Error, "%q cannot be used on an output.",
		"The decorator is for other declarations. Remove it from the output."},
	{"BCP130", Error, "Decorators cannot be used on this statement.",
		"Statements such as targetScope and using take no decorators. Remove them."},
	{"BCP132", Error, "Expected a declaration after this decorator.",
		"A decorator belongs to the declaration below it. Write the declaration, or remove the decorator."},
	{"BCP134", Error, "This module cannot be deployed to scope %s. It can be deployed to: %s.",
		"Set the property scope of the module to a scope that its targetScope allows."},
	{"BCP135", Error, "This resource cannot be deployed to scope %s. It can be deployed to: %s.",
		"Set the property scope of the resource to a scope that its type allows, or move it to a module."},
	{"BCP137", Error, "A loop needs an array, but this is of type %q.",
		"A loop goes over the items of an array. Use items(x) for an object, and range(0, n) for a number."},
	{"BCP139", Error, "A file cannot deploy a resource to a scope other than its own. Move the resource to a module with that scope.",
		"A deployment puts resources into its own scope. Move the resource into a module, and set the scope of the module."},
	{"BCP141", Error, "This is not a decorator. A decorator is a function call, such as @description('…').",
		"Write the decorator as a call, with parentheses even if it takes no arguments: @secure()."},
	{"BCP147", Error, "Expected a param after this decorator.",
		"The decorator restricts a parameter. Write the param below it, or remove it."},
	{"BCP149", Error, "Expected a resource after this decorator.",
		"The decorator is for resources. Write the resource below it, or remove it."},
	{"BCP152", Error, "The function %q is not a decorator.",
		"The function is not a decorator. Use one, such as @description('…') or @secure(), or remove it."},
	{"BCP153", Error, "Expected a resource or module after this decorator.",
		"The decorator is for resources and modules in loops. Write one below it, or remove it."},
	{"BCP156", Error, "%q is not the type of a nested resource. Write only the last part of its type, with a version if needed.",
		"A nested resource continues the type of its parent. Write the last part alone, such as 'subnets', with @version if it differs."},
	{"BCP157", Error, "The type of this nested resource cannot be determined, because the type of its parent has an error. Correct that first.",
		"The type of a nested resource begins with that of its parent. Correct the type of the parent."},
	{"BCP158", Error, "The operator :: finds nested resources of a resource, not of a value of type %q.",
		":: leads from a resource to a resource that is nested in it. Use a dot for properties."},
	{"BCP164", Error, "A child resource has the scope of its parent. Remove this property.",
		"A child is deployed where its parent is. Remove the property scope."},
	{"BCP165", Error, "A resource cannot be deployed as a child of %q, which has another scope than this file. Move the resource to a module.",
		"A file deploys to one scope. Move the resource to a module whose scope is that of the parent."},
	{"BCP166", Error, "The decorator %q is used more than once. Keep one of them.",
		"A decorator counts once. Remove the others, or join their values in one."},
	{"BCP174", Warning, "The type contains /providers/. Write the type of the extension resource alone, and set the resource that it extends in the property 'scope'.",
		"An extension resource has a type of its own. Write, for example, 'Microsoft.Authorization/locks@2020-05-01', and set scope to the resource that it extends."},
	{"BCP188", Error, "The referenced ARM template has errors, or its JSON is nested more than 512 levels deep. Correct that first.",
		"Compile or check the JSON template on its own. It must be valid JSON with $schema, and its parts must be well formed."},
	{"BCP205", Error, "The extension %q takes no configuration.",
		"The extension has no settings. Remove the clause with { … }."},
	{"BCP206", Error, "The extension %q must be configured. Add a 'with' clause.",
		"The extension cannot work without its settings. Add 'with { … }', and set the properties that its type requires."},
	{"BCP208", Error, "The namespace %q is not defined. The namespaces are: %s.",
		"No extension or namespace has the name before the colon. Correct it, or declare the extension."},
	{"BCP209", Error, "The namespace %q has no resource type %q.",
		"The namespace before the colon does not define the type. Check the type and its version."},
	{"BCP210", Error, "A resource of namespace %q cannot be the child of one of namespace %q.",
		"Parent and child must come from one extension. Declare the resource at the top level, and use an extension's own types within it."},
	{"BCP227", Error, "A parameter or output cannot have the resource type %q. Only Azure resource types are allowed.",
		"Only resources of Azure can be passed between files. Pass the name or the ID as a string."},
	{"BCP229", Error, "The parameter %q cannot be a scope or a parent, because its scope is not known here.",
		"This file does not know the scope of the parameter's resource. Declare the resource with 'existing', and use that."},
	{"BCP230", Warning, "The module uses the resource type %q, which is not known here.",
		"The type is not in the library of types here. Check the type and its version in the module, or ignore the warning."},
	{"BCP231", Error, "Parameters and outputs of resource types need the experimental feature resourceTypedParamsAndOutputs. Turn it on in bicepconfig.json.",
		"Turn the feature on in bicepconfig.json, or pass the name of the resource as a string and declare the resource with existing."},
	{"BCP245", Warning, "Resources of type %q are read-only. Declare this one with 'existing'.",
		"Resources of the type can be read, but not created. Write 'existing' before the =."},
	{"BCP246", Warning, "Resources of type %q are read-only at this scope. They can be deployed to: %s.",
		"At this scope, resources of the type can be read, but not created. Write 'existing' before the =, or deploy at a scope that the message names."},
	{"BCP258", Error, "Assign values to these parameters of the template: %s.",
		"The template declares these parameters without a default. Add a line 'param name = value' for each."},
	{"BCP259", Error, "The template has no parameter %q.%s",
		"The template declares no parameter of this name. Check the spelling, or remove the line."},
	{"BCP261", Error, "The template is not named. Add: using 'path'.",
		"A parameter file belongs to a template. Begin it with using 'path.bicep', or using none for a file that others extend."},
	{"BCP262", Error, "A parameter file can have only one using statement.",
		"Keep one using statement, and remove the others."},
	{"BCP264", Error, "The resource type %q is defined by several namespaces. Write one of these and a colon before it: %s.",
		"Several extensions define the type. Write the name of one and a colon before it, such as 'radius:…'."},
	{"BCP265", Error, "The name %q is declared in this file and hides a function. Write %s.%s to call the function.",
		"A declaration of this file hides the function of the same name. Rename the declaration, or write the namespace before the call."},
	{"BCP268", Error, "Names that begin with an underscore are reserved, and %q is one. Begin it with a letter.",
		"Names of metadata that begin with _ are kept for the compiler. Choose another name."},
	{"BCP269", Error, "%q cannot be used on a metadata statement.",
		"The decorator is for other declarations. Remove it from the metadata."},
	{"BCP285", Error, "This is neither a type nor a constant that can be used as one.",
		"A type is built from names of types, literals, objects, arrays and unions. Expressions that are computed cannot be part of it."},
	{"BCP286", Error, "This member does not fit the union. The other members are of type %q.",
		"All members of a union with @discriminator() must be objects. Write objects, or remove the decorator."},
	{"BCP287", Error, "%q is a value, but a type is expected here.",
		"The name stands for a value. Use the name of a type, or declare one with 'type'."},
	{"BCP288", Error, "%q is a type, but a value is expected here.",
		"The name stands for a type. Use a value, a parameter or a variable here."},
	{"BCP289", Error, "This is not a type.",
		"This expression does not name a type. Use the name of a type."},
	{"BCP292", Error, "Expected a param, output or type after this decorator.",
		"The decorator restricts a parameter, an output or a type. Write one below it, or remove it."},
	{"BCP293", Error, "Each member of a union must be a constant.",
		"A union lists the values that are allowed, such as 'small' | 'large'. Use string? for a string or null."},
	{"BCP294", Error, "The members of a union must all be of one kind: strings, integers, booleans, objects or arrays.",
		"The members of a union are of one kind. Split the parameter in two, or write the numbers as strings."},
	{"BCP296", Error, "The name of a property in a type must be a constant.",
		"The name of a property in a type must be known when the file is compiled. Write it without ${…}."},
	{"BCP297", Error, "%q cannot be used on a type.",
		"The decorator is for other declarations. Remove it from the type."},
	{"BCP298", Error, "This type requires itself, so no value can satisfy it. Break the cycle with ? or [].",
		"A value of the type would have to contain another one, without end. Make the property optional with ?, or use an array."},
	{"BCP299", Error, "These types require each other, so no value can satisfy them: %s. Break the cycle with ? or [].",
		"A value of one type would have to contain one of the next, without end. Make one of the properties optional with ?, or use an array."},
	{"BCP301", Error, "The name %q is reserved. Choose another name for the type.",
		"The name is that of a built-in type or a keyword. Choose another one."},
	{"BCP302", Error, "%q is not a type. %s",
		"No type has this name. Use one of those that the message lists, or declare it with 'type'."},
	{"BCP306", Error, "%q is a namespace, not a type.",
		"A namespace contains types, but is not a type itself. Add a dot and the name of one of its types."},
	{"BCP307", Error, "This cannot be computed before the deployment begins, because the existing resource %q is identified by values that are known only during the deployment: %s. These are known before it: %s.",
		"The name or scope of the existing resource is known only during the deployment, and so is everything that depends on it. Use values that are known before."},
	{"BCP311", Error, "The type %q has %d items, so there is no item at index %d.",
		"Items of an array count from 0. Use a smaller index, or add items."},
	{"BCP315", Error, "The type of other properties can be declared only once in an object type.",
		"* stands for all properties that are not named. Keep one of the lines."},
	{"BCP318", Warning, "This value may be null (its type is %q), and the deployment would fail here. Use .? or !, or test it first.",
		"The value may be null, for example because a condition kept the resource from being deployed. Use .? and a default (??), test it with a condition, or write ! if it is never null."},
	{"BCP321", Warning, "Expected a value of type %q, but %s may be null (its type is %q). Use ! if it is never null.",
		"The value may be null, but null is not accepted here. Give it a default with ??, or write ! if it is never null."},
	{"BCP326", Error, "A parameter that may be null cannot have a default: null is its default.",
		"A parameter with ? is null when no value is given. Remove the ? or the default."},
	{"BCP331", Error, "%s (%d) is greater than %s (%d).",
		"No value could satisfy both limits. Exchange or correct them."},
	{"BCP339", Error, "The index %d is negative.",
		"Items count from 0. Write [^1] for the last item of an array."},
	{"BCP350", Error, "An assert needs a value of type bool, but this is of type %q.",
		"An assertion is a condition that must be true. Write a comparison."},
	{"BCP362", Error, "This is imported more than once, as: %s. Keep one of them.",
		"One import of a name is enough. Remove the others, and use the name that is left."},
	{"BCP364", Error, "Each member must have a required property %q whose value is a constant string.",
		"The value of this property decides which member of the union a value is. Add it to each member, without ?, with a string in quotes as its type."},
	{"BCP365", Error, "The value %[2]s of the property %[1]q is used by another member. Give each member its own value.",
		"This value decides which member of the union a value is. Give each member another one."},
	{"BCP374", Error, "The imported file exports these names more than once: %s.",
		"Two exports of the other file have one name. Rename one of them there."},
	{"BCP383", Error, "The type %q takes no arguments.",
		"The type takes no arguments in <>. Remove them."},
	{"BCP384", Error, "The type %q needs %s in <>.",
		"The type is generic. Write its arguments in <>, such as resourceInput<'Microsoft.Storage/storageAccounts@2023-01-01'>.properties."},
	{"BCP387", Error, "The index of a type cannot be negative.",
		"Items of a tuple count from 0. Use 0 or more."},
	{"BCP388", Error, "Only the items of a tuple can be selected by an index, and %q is not a tuple.",
		"The type is not a tuple such as [string, int]. Use [*] for the type of the items of an array."},
	{"BCP389", Error, "The type %q does not declare a type for other properties.",
		"The type has only the properties that it names. Name one of them, or add *: type to the declaration."},
	{"BCP390", Error, "Only an array type has an item type.",
		"Only arrays have an item type. Remove [*], or use the name of an array type."},
	{"BCP391", Error, "Expected the name of a type, or of a part of a type, before this.",
		"Parts of a type are selected by the name of a declared type. Declare the type with 'type', and use its name here."},
	{"BCP392", Warning, "The referenced template derives a type from %q, which is not a resource type.",
		"The template was made with a type that is not known. Compile it again, or ignore the warning: the value is not checked."},
	{"BCP393", Warning, "The referenced template derives a type from a part of another type, but %q is not a valid part.",
		"The template was made with a path into a type that does not exist. Compile it again, or ignore the warning: the value is not checked."},
	{"BCP402", Error, "Only a value of type %q can be spread here.",
		"... puts the items of an array into an array, or the properties of an object into an object. Use a value of that type."},
	{"BCP405", Error, "A parameter file can have only one extends statement.",
		"Keep one extends statement. The file that it names may extend another one."},
	{"BCP406", Error, "Releases of Bicep before 0.44 have extends only as an experiment.",
		"Compile as a later release, or enable \"extendableParamFiles\" under \"experimentalFeaturesEnabled\" in bicepconfig.json."},
	{"BCP412", Error, "Expected the variable's type here: a type expression, or one of %s.",
		"The type of a variable is a type such as string, int, object[] or { name: string }."},
	{"BCP414", Error, "Only an array can be indexed from its end, not a value of type %q.",
		"[^1] selects an item of an array from its end. This value is not an array."},
	{"BCP415", Error, "An index from the end must be an integer, not a value of type %q.",
		"[^1] is the last item of an array, [^2] the one before it. Use an integer."},
	{"BCP420", Error, "The kind of scope must be known when the file is compiled. It cannot depend on a condition.",
		"The compiler has to know what kind of scope the resource is deployed to. Use two resources with conditions, or put the condition into the name of the scope."},
	{"BCP422", Warning, "This resource may not exist (its type here is %q), and the deployment would fail. Use !, or test it first.",
		"A resource with a condition may be missing. Use the same condition here, or write ! if it exists in all cases."},
	{"BCP423", Error, "The extension needs a name. Add: as <name>.",
		"An extension that is named by a path or a reference needs a name in the file. Add: as name."},
	{"BCP424", Error, "These extensions of the template need a configuration: %s.",
		"The template uses extensions that cannot work without settings. Add extensionConfig name with { … } for each of them."},
	{"BCP425", Error, "The template has no extension %q.",
		"The template uses no extension of this name. Check the name, or remove the statement."},
	{"BCP437", Error, "\"base\" refers to the file that this one extends, but this file extends none.",
		"base is the file that extends names. Add: extends 'path.bicepparam', or remove the reference."},
	{"BCP438", Error, "The name \"base\" is reserved for the file that this one extends. Choose another name.",
		"In a parameter file, base stands for the file that this one extends. Choose another name."},
	{"BCP441", Error, "Resources of type %q cannot be read, so they cannot be declared with 'existing'.",
		"Resources of the type can be created, but not read. Remove the word 'existing'."},
	{"BCP452", Error, "%q cannot be imported into a parameter file, because it calls functions that need a deployment (%s).",
		"Values of a parameter file are computed while it is compiled, when there is no deployment. Import something that needs none."},
	{"BCP033", Error, "Expected a value of type %q, but this value is of type %q.",
		"The value is of another type than the one expected here. Convert it, as with string(x) or int(x), or change the declared type."},
	{"BCP034", Error, "The items of this array must be of type %q, but this item is of type %q.",
		"An item of the array has another type than the array declares. Convert the item, or change the type of the array."},
	{"BCP035", Error, "This %s%s does not set these required properties: %s. Add them.%s",
		"The type requires properties that are not set. Add them."},
	{"BCP036", Error, "The property %q expects a value of type %q, but this value%s is of type %q.%s",
		"The property has a declared type, and the value is of another one. Convert the value, or correct the declaration."},
	{"BCP037", Error, "The property %q%s is not allowed in the type %q.%s%s",
		"The type has no such property. Check the spelling and the version of the type. If the property is newer than the type, write the object as any({ … })."},
	{"BCP040", Error, "The property names of the type %q%s must be constant, without ${…}.%s",
		"The compiler has to know which properties are set. Write their names as plain text."},
	{"BCP048", Error, "No overload of %q accepts these arguments: an argument is of type %q, but one of these is expected: %s.",
		"The function exists with several lists of parameters, and none of them takes these arguments. Convert the argument."},
	{"BCP052", Error, "The type %q has no property %q.%s",
		"The type has no such property. Check the spelling, and the version of the resource type."},
	{"BCP053", Error, "The type %q has no property %q. It has: %s.%s",
		"The type has no such property. Use one of those that the message lists."},
	{"BCP070", Error, "An argument of type %q cannot be passed to a parameter of type %q.",
		"The argument has another type than the function expects. Convert it."},
	{"BCP071", Error, "Expected %s, but found %d.",
		"The function takes another number of arguments. Add or remove some."},
	{"BCP073", Error, "The property %q is read-only. Remove it.%s",
		"The property is set by the service that runs the resource. Remove it."},
	{"BCP077", Error, "The property %q of type %q is write-only, so it cannot be read.",
		"The property can be set, but the service never returns it. Use the value that was given to it."},
	{"BCP078", Error, "The property %q is required, with a value of type %q.",
		"This property decides which others there are. Set it."},
	{"BCP083", Error, "The type %q has no property %q. Did you mean %q?",
		"The type has no such property, but one with a similar name."},
	{"BCP088", Error, "The property %q expects a value of type %q, not %s. Did you mean %s?",
		"The value is not allowed, but it is similar to one that is."},
	{"BCP089", Error, "The property %q is not allowed in the type %q. Did you mean %q?",
		"The type has no such property, but one with a similar name."},
	{"BCP173", Error, "The property %q cannot be set on an existing resource, because it is not deployed.",
		"An existing resource is only looked up. Remove the property, or remove the word 'existing' to deploy the resource."},
	{"BCP176", Error, "A value of type any cannot be used here, because its type must be known.",
		"The compiler has to know what stands here, so any() cannot be used. Write the value itself."},
	{"BCP187", Warning, "The property %q is not declared by the type.%s If the type definition is incomplete, the property may still exist.",
		"The type does not list the property. Check the spelling. If the service knows it, ignore the warning."},
	{"BCP225", Warning, "This object is not checked, because the value of %q, which decides what the other properties are, is known only during the deployment.",
		"Which properties are allowed depends on a value that is not known here. Write the value as a literal to have them checked."},
	{"BCP234", Warning, "The function %q fails with the arguments %s: %s.",
		"The deployment would fail in the same way. Correct the arguments."},
	{"BCP309", Error, "A value of type %q cannot be flattened: %q is not an array.",
		"flatten() takes an array of arrays. Put brackets around the item, or leave flatten() out."},
	{"BCP327", Error, "The value is at least %d, but the maximum is %d.",
		"Use a smaller value, or raise the limit of @maxValue()."},
	{"BCP328", Error, "The value is at most %d, but the minimum is %d.",
		"Use a larger value, or lower the limit of @minValue()."},
	{"BCP329", Warning, "The value can be as small as %d, but the minimum is %d.",
		"The limits of the two types overlap in part, so some values will be refused. Raise the lower limit of the source."},
	{"BCP330", Warning, "The value can be as large as %d, but the maximum is %d.",
		"The limits of the two types overlap in part, so some values will be refused. Lower the upper limit of the source."},
	{"BCP332", Error, "The length of the value is at least %d, but the maximum is %d.",
		"Use a shorter value, or raise the limit of @maxLength()."},
	{"BCP333", Error, "The length of the value is at most %d, but the minimum is %d.",
		"Use a longer value, or lower the limit of @minLength()."},
	{"BCP334", Warning, "The length of the value can be %d, but the minimum is %d.",
		"The limits of the two types overlap in part, so some values will be refused. Raise the lower limit of the source."},
	{"BCP335", Warning, "The length of the value can be %d, but the maximum is %d.",
		"The limits of the two types overlap in part, so some values will be refused. Lower the upper limit of the source."},
	{"BCP403", Error, "The items of this array must be of type %q, but the items that are spread here are of type %q.",
		"The items that ... adds have another type than the array declares. Convert them with map(), or change the type of the array."},
	{"BCP410", Error, "This expression divides by zero.",
		"The divisor is 0. Check it before the division: n == 0 ? 0 : total / n."},
	{"BCP411", Error, "This part of an Azure resource type is not known, because no library of Azure types is configured.",
		"Only Azure's own library knows the type."},
	{"BCP416", Error, "The string does not match the pattern /%s/.",
		"Use a value that the pattern allows. Names mostly consist of letters, digits and a few other characters."},
	{"BCP060", Error, "The function \"variables\" does not exist. Use the name of the variable.",
		"Write the name of the variable alone: size instead of variables('size')."},
	{"BCP061", Error, "The function \"parameters\" does not exist. Use the name of the parameter.",
		"Write the name of the parameter alone: port instead of parameters('port')."},
	{"BCP069", Error, "The function %q does not exist. Use the operator %q.",
		"ARM's function has an operator in Bicep. Use it, as in a == b instead of equals(a, b)."},
	{"BCP100", Error, "The function \"if\" does not exist. Write: condition ? then : else.",
		"Write condition ? a : b instead of if(condition, a, b)."},
	{"BCP101", Error, "The function \"createArray\" does not exist. Write the array in [].",
		"Write [a, b] instead of createArray(a, b)."},
	{"BCP102", Error, "The function \"createObject\" does not exist. Write the object in {}.",
		"Write { name: value } instead of createObject('name', value)."},
	{"BCP154", Error, "A batch needs at least %d members, not %d.",
		"At least one member must be deployed at a time. Use 1 or more."},
	{"BCP155", Error, "@%s() can only be used on resources and modules that are declared by a loop.",
		"Only members of a loop can be deployed in batches. Remove the decorator."},
	{"BCP168", Error, "A length cannot be negative.",
		"Use 0 or more."},
	{"BCP185", Info, "The file begins with the byte order mark of %s, so it was read in that encoding.",
		"The byte order mark decides the encoding. Remove the argument for the encoding, or change it to the same encoding."},
	{"BCP186", Error, "This is not valid JSON%s, or arrays and objects are nested more than 512 levels deep in it.",
		"Check the file or the text with a JSON parser. Comments and trailing commas are often the cause."},
	{"BCP235", Error, "The JSONPath is not valid, or selects nothing in the file.",
		"Check the path: $.a.b selects the property b of a, and [0] the first item."},
	{"BCP241", Warning, "The function %q is deprecated and will be removed.",
		"The function will be removed from Bicep. Look up its replacement on the linked page."},
	{"BCP295", Error, "@%s() cannot be used on a constant or a union of constants. Use another type.",
		"The values are listed already. Remove the decorator, or use string or int as the type."},
	{"BCP308", Error, "@%s() cannot be used on a reference to a type. Move it to the declaration of the type.",
		"The decorator belongs to the declaration of the type. Write it there."},
	{"BCP316", Error, "@sealed() contradicts the type that * declares for other properties. Remove one of them.",
		"A sealed type has no properties but those that it names. Remove @sealed() or the line with *."},
	{"BCP340", Error, "This is not valid YAML%s.",
		"Check the file with a YAML parser. Tabs as indentation and unclosed brackets are often the cause."},
	{"BCP361", Error, "@export() can only be used on types, variables and functions at the top level of a file.",
		"Only declarations at the top level can be exported. Move the decorator to the type, variable or function."},
	{"BCP363", Error, "@discriminator() can only be used on unions of objects.",
		"The decorator tells the members of a union of objects apart. Write such a union, or remove the decorator."},
	{"BCP366", Error, "All members of the union must have %q as their discriminator.",
		"A type that is part of the union has another property as its discriminator. Use the same property."},
	{"BCP372", Error, "This cannot be exported, because it uses declarations that cannot be exported: %s.",
		"An exported declaration can be used without a deployment, so it cannot depend on parameters and resources. Compute it from variables, or do not export it."},
	{"BCP386", Error, "@%s() cannot be used on a type that is derived from a resource type.",
		"The type comes from a resource type, which cannot be changed. Remove the decorator."},
	{"BCP396", Error, "The type archive of the extension cannot be read: %s.",
		"The archive of the extension is damaged, or is not an archive. Fetch it again, or build it again with publish-extension."},
	{"BCP397", Error, "\"implicitExtensions\" in %[2]s lists %[1]q, which \"extensions\" does not define.",
		"Add the extension to \"extensions\", or remove its name from \"implicitExtensions\"."},
	{"BCP398", Error, "%[2]s names %[1]q as built in, but there is no built-in extension of that name.",
		"builtin: is for extensions that are part of the compiler, such as az and kubernetes. Give the path or the reference of the extension."},
	{"BCP408", Error, "nameof() needs something that has a name, such as a symbol or a property.",
		"nameof() gives the name of something. Pass a symbol or a property, such as nameof(port)."},
	{"BCP419", Error, "The name %q is reserved. Remove it from \"implicitExtensions\".",
		"sys is part of the language and is always there. Remove it from \"implicitExtensions\"."},
	{"BCP427", Error, "The environment variable %q is not set, and no default is given.%s",
		"Set the variable before the run, or pass a default: readEnvironmentVariable('NAME', 'default')."},
	{"BCP440", Error, "@secure() can only be used on strings and objects, and on types that are strings or objects.",
		"Only strings and objects can be secrets. Change the type, or remove the decorator."},
	{"BCP445", Error, "@nullIfNotFound() can only be used on existing resources.",
		"Only an existing resource can be missing. Write 'existing' before the =, or remove the decorator."},
	{"BCP204", Error, "The extension %q is not defined. %s",
		"Check the name. An extension that is not built in needs a line under \"extensions\" in bicepconfig.json: \"name\": \"path or reference\"."},
	{"BCP211", Error, "%q cannot be a module alias. Use only letters, digits, \"_\" and \"-\".",
		"Choose another name for the alias, here and in bicepconfig.json."},
	{"BCP212", Error, "The template spec alias %q is not defined in %s.",
		"Add the alias under \"moduleAliases\", \"ts\" in bicepconfig.json, or correct its name here."},
	{"BCP213", Error, "The registry module alias %q is not defined in %s.",
		"Add the alias under \"moduleAliases\", \"br\" in bicepconfig.json, or correct its name here."},
	{"BCP214", Error, "The template spec alias %q in %s has no \"subscription\".",
		"Add \"subscription\" to the alias in bicepconfig.json."},
	{"BCP215", Error, "The template spec alias %q in %s has no \"resourceGroup\".",
		"Add \"resourceGroup\" to the alias in bicepconfig.json."},
	{"BCP216", Error, "The registry module alias %q in %s has no \"registry\".",
		"Add \"registry\" to the alias in bicepconfig.json."},
	{"BCP271", Error, "The configuration file %s cannot be read as JSON: %s.",
		"Correct the JSON at the place that the message names. Comments are allowed."},
	{"BCP272", Error, "The configuration file %s cannot be read: %s.",
		"Check that the file exists and can be read. A path after \"extends\" is relative to the file that holds it."},
	{"BCP273", Error, "The configuration file %s has an invalid setting: %s.",
		"Correct the setting that the message names."},
	{"BCP274", Info, "The directory %s could not be searched for bicepconfig.json: %s. The built-in settings are used.",
		"Without the file, the built-in settings count. Allow the folder to be read, if it holds a configuration."},
	{"BCP407", Error, "The built-in extension \"microsoftGraph\" was removed. Use the published extension from a registry.",
		"Declare the extension of Microsoft Graph by its reference in a registry, under \"extensions\" in bicepconfig.json."},
	{"BCP453", Error, "\"extends\" in the configuration file %s must be a relative path.",
		"Write the path relative to the configuration file."},
	{"BCP454", Error, "The configuration file %s extends itself: %s.",
		"Remove \"extends\" from one of the files that the message lists."},
	{"BCP455", Error, "The configuration file %s has more than 64 files in its chain of \"extends\".",
		"Join some of the configuration files."},
	{"BCP456", Error, "The configuration file %s asks for Bicep %s, and this is Bicep %s.",
		"Use a release that \"bicep.version\" in bicepconfig.json allows, or change the range there."},
	{"BCP458", Error, "The configuration file %s names the cloud %q, which is none of Azure's own and is not listed in BICEP_TRUSTED_CLOUDS.",
		"A cloud gets the tokens of who deploys. If you trust it, set the environment variable BICEP_TRUSTED_CLOUDS to a JSON list of objects with its \"resourceManagerEndpoint\" and \"activeDirectoryAuthority\"."},
	{"BCP459", Error, "The configuration file %s names the cloud %q, and the environment variable BICEP_TRUSTED_CLOUDS cannot be read: %s.",
		"Write a JSON list of objects, each with \"resourceManagerEndpoint\" and \"activeDirectoryAuthority\"."},
	{"BCP050", Error, "The path is empty.",
		"Write the path of a file, relative to this one."},
	{"BCP051", Error, "The path must be relative. It cannot begin with \"/\" or a drive.",
		"Write the path relative to this file, such as '../shared/app.bicep'."},
	{"BCP085", Error, "A path cannot contain any of the characters \" * : < > ? \\ |.",
		"Rename the file, or correct the path. Not all systems allow these characters in names of files."},
	{"BCP086", Error, "A path cannot end in a space or a dot.",
		"Remove the space or the dot. Some systems drop it from names of files."},
	{"BCP090", Error, "The path of the module is missing.",
		"Write the path of the module after its name: module app 'app.bicep' = { … }."},
	{"BCP091", Error, "The file cannot be read: %s.",
		"Check the path, which is relative to the file that holds it, and that the file can be read."},
	{"BCP092", Error, "The path must be a constant string, without ${…}.",
		"Modules and imports are read when the file is compiled. Write the path as plain text."},
	{"BCP094", Error, "A file cannot use itself as a module.",
		"Move what the module needs into a file of its own."},
	{"BCP095", Error, "These files form a cycle: %s.",
		"Each of these files needs another one. Move what they share into a file of its own."},
	{"BCP098", Error, "Use \"/\" in paths, not \"\\\".",
		"Write / between folders. It works on all systems."},
	{"BCP111", Error, "A path cannot contain control characters.",
		"Remove the control character, such as a tab, from the path."},
	{"BCP184", Error, "The file %s is larger than the %d %s that can be loaded.",
		"Load a smaller file. Its content becomes part of the template, which has limits of its own."},
	{"BCP189", Error, "%q is not a reference scheme. Use a relative path, br: or ts:.",
		"The part before a colon is a scheme: br: for registries, ts: for template specs. Paths on other drives cannot be used."},
	{"BCP190", Error, "%s is not in the local cache.",
		"The module has to be downloaded once."},
	{"BCP192", Error, "%s could not be restored: %s.",
		"The message says why the artifact cannot be used. Check the reference, the network and your login, or the file itself."},
	{"BCP193", Error, "%s is not a reference to an artifact. Write br:<registry>/<path>:<tag>.",
		"Write br:, the registry, the path and a tag: 'br:example.azurecr.io/app:v1'."},
	{"BCP194", Error, "%s is not a reference to a template spec. Write ts:<subscription>/<resource group>/<name>:<version>.",
		"Write ts:, the subscription, the resource group, the name and the version."},
	{"BCP195", Error, "%s: %q cannot be part of an artifact path. Use lower-case letters and digits, with single separators . _ - between them.",
		"Use lower-case letters and digits in the path, with single separators . _ - between them."},
	{"BCP196", Error, "%s has no tag and no digest.",
		"Add a tag or a digest: ':v1', or '@sha256:' and 64 digits."},
	{"BCP197", Error, "%s: the tag %q is longer than %d characters.",
		"Registries allow tags of at most 128 characters. Use a shorter tag."},
	{"BCP198", Error, "%s: %q cannot be a tag. Use letters, digits, \".\", \"_\" and \"-\", and begin with a letter, digit or \"_\".",
		"Correct the tag. It consists of letters, digits and the characters . _ -, and begins with a letter, a digit or _."},
	{"BCP199", Error, "%s: the path %q is longer than %d characters.",
		"Registries allow paths of at most 255 characters. Use a shorter path."},
	{"BCP200", Error, "%s: the registry %q is longer than %d characters.",
		"Names of hosts have at most 255 characters. Correct the name of the registry."},
	{"BCP217", Error, "%s: the subscription %q is not a GUID.",
		"A subscription is named by its GUID, such as 00000000-0000-0000-0000-000000000000."},
	{"BCP218", Error, "%s: the resource group %q is longer than %d characters.",
		"Names of resource groups have at most 90 characters. Correct the name."},
	{"BCP219", Error, "%s: %q cannot be a resource group. Use letters, digits and - _ . ( ), and no dot at the end.",
		"Correct the name of the resource group. It consists of letters, digits and - _ . ( ), and does not end in a dot."},
	{"BCP220", Error, "%s: the template spec %q is longer than %d characters.",
		"Names of template specs have at most 90 characters. Correct the name."},
	{"BCP221", Error, "%s: %q cannot be a template spec. Use letters, digits and - _ . ( ), and no dot at the end.",
		"Correct the name of the template spec. It consists of letters, digits and - _ . ( ), and does not end in a dot."},
	{"BCP222", Error, "%s: the version %q is longer than %d characters.",
		"Versions of template specs have at most 90 characters. Correct the version."},
	{"BCP223", Error, "%s: %q cannot be a version. Use letters, digits and - _ . ( ), and no dot at the end.",
		"Correct the version. It consists of letters, digits and - _ . ( ), and does not end in a dot."},
	{"BCP224", Error, "%s: %q is not a digest. Write sha256: and 64 hexadecimal digits.",
		"A digest is sha256: and 64 hexadecimal digits. Copy it from the registry, or use a tag."},
	{"BCP256", Error, "The path of the template is missing after \"using\".",
		"Write the path of the template, or none: using 'app.bicep'."},
	{"BCP275", Error, "%q is a directory, but a file is expected.",
		"Write the path of a file in the folder."},
	{"BCP276", Error, "\"using\" needs a Bicep file, a template or a template spec.",
		"Name a .bicep file, a JSON template, or a template in a registry. To build on another parameter file, use extends."},
	{"BCP277", Error, "Only a Bicep file, a template or a template spec can be used here.",
		"Name a .bicep file or a JSON template. A parameter file is not a module."},
	{"BCP278", Error, "A parameter file cannot refer to itself.",
		"Name the template that the parameter file belongs to."},
	{"BCP303", Error, "The name of an extension must be a constant string, without ${…}.",
		"The compiler has to know the extension. Write its name as plain text."},
	{"BCP319", Error, "A type of the ARM template cannot be resolved: %s.",
		"The message says what is wrong with the type in the template. Correct the template, or compile it again."},
	{"BCP358", Error, "The path of the file is missing.",
		"Write the path of a file after the word that needs it."},
	{"BCP380", Error, "An extension cannot come from a template spec or through an alias. Write br:<registry>/<path>:<tag>.",
		"Extensions come from registries. Write br:, the registry, the path and a tag, or the path of a .tgz file."},
	{"BCP428", Error, "The directory %q does not exist or cannot be opened.",
		"Check the path, which is relative to this file."},
	{"BCP429", Error, "The directory cannot be listed: %s.",
		"The message says why. Check the permissions of the folder and what it holds, or use a narrower pattern."},
	{"BCP430", Error, "%q is a file, but a directory is expected.",
		"Write the path of a folder. To load one file, use loadTextContent()."},
	{"BCP446", Error, "%s: the registry %q is not trusted. %s",
		"Modules of a registry become part of your deployment. If you trust the registry, list it in the environment variable BICEP_TRUSTED_REGISTRIES."},
	{"BCP448", Error, "The alias %q is mapped to a folder, which is allowed for modules only.",
		"Remove the alias from \"moduleAliasesMock\", or name the .tgz file of the extension by its path."},
	{"BCP449", Error, "The scheme br-mock: cannot be used in a file. Map an alias under \"moduleAliasesMock\".",
		"Write the reference as br/alias:path:tag, and map the alias to a folder under \"moduleAliasesMock\"."},
	{"BCP451", Error, "The folder %q of the alias %q cannot be used: %s.",
		"The message says why. Write a path below the folder of bicepconfig.json."},
	{"BCP338", Error, "The %s %q cannot be evaluated: %s.",
		"The message says which function failed and why. Correct its arguments."},
	{"BCP368", Error, "The value of %q is a reference to a Key Vault, so it cannot be used in another expression.",
		"Secrets of a Key Vault are read by the deployment, after this file was compiled. Pass the secret to a parameter of its own."},
	{"BCP369", Error, "%q is null here, so its value is the default of the template, which is not known in this file.",
		"null stands for the default of the template, which this file does not know. Give the parameter a value, or do not use it here."},
	{"BCP120", Error, "The property %q needs a value that is known when the deployment begins: %v.",
		"The deployment needs the value before it begins, but it is known only when another resource exists. Use a parameter, a variable, or the name, id or type of the resource."},
	{"BCP121", Error, "These resources have the same type, scope and name: %s. Rename one of them.",
		"The second resource would replace the first. Give them different names, or conditions that exclude each other."},
	{"BCP122", Error, "These modules have the same scope and name: %s. Rename one of them.",
		"The second deployment would replace the first. Give them different names, or leave the names out."},
	{"BCP138", Error, "A loop cannot be used here. It can be the whole value of a resource, module, variable or output, or of a property in the body of one.",
		"Put the loop into a variable and use its name, or use map(), which can be used anywhere."},
	{"BCP142", Error, "A loop in a property cannot contain another loop. Move the inner one to a variable, or use map().",
		"Put the inner loop into a variable, or use map(), which can be used anywhere."},
	{"BCP143", Error, "A property whose value is a loop must have a constant name, not an expression.",
		"Write the name of the property as plain text, or use toObject() and map()."},
	{"BCP144", Error, "The resources or modules of a loop cannot all be used at once here. Choose one with [index]%s.",
		"The name stands for all resources of the loop. Select one with [index], or build the list with a loop of its own."},
	{"BCP160", Error, "A resource in a loop cannot contain another resource. Declare it at the top level, and set its property parent.",
		"Declare the child at the top level with a loop of its own, and set its property 'parent' to an item of the loop."},
	{"BCP169", Error, "The name must have %s, one for each part of the type %q.",
		"The name has one part less than the type, and slashes between them: type a/b/c needs a name x/y. Or set parent."},
	{"BCP170", Error, "The name of a child resource must not contain a slash. The name of its parent is added to it.",
		"The name of the parent is added to the name of its child. Write the last part alone."},
	{"BCP177", Error, "A condition needs values that are known when the deployment begins: %v.",
		"Whether a resource is deployed is decided at the start. Use parameters and variables in its condition."},
	{"BCP178", Error, "The array of a loop must be known when the deployment begins: %v.",
		"How many resources there are is decided at the start. Use parameters and variables in the array."},
	{"BCP179", Warning, "Each iteration of this loop deploys the same resource. Use %s in at least one of: %s.",
		"All iterations would deploy one resource again and again. Use the variable of the loop in the name."},
	{"BCP180", Error, "The function %q can only be called as the value of a secure parameter of a module.",
		"A secret of a Key Vault can only be passed to a module, to a parameter with @secure()."},
	{"BCP181", Error, "The arguments of %q must be known when the deployment begins: %v.",
		"The function is called before the resource exists. Use values that are known before: parameters, variables, or the name and id of the resource."},
	{"BCP182", Error, "The loop of the variable %q needs values that are known when the deployment begins: %v.",
		"A loop in a variable is computed when the deployment begins. Put the loop into an output or a resource."},
	{"BCP183", Error, "The property %q must be written out as an object: {…}.",
		"The compiler has to know which properties are set. Write the object here, with a property for each value."},
	{"BCP239", Error, "The name %q is reserved for loops in templates. Choose another name.",
		"Choose another name. Templates use copy for their loops."},
	{"BCP240", Error, "The parent must be the symbolic name of a resource.",
		"Declare the parent in this file, with 'existing' if it is deployed elsewhere, and write its symbolic name here."},
	{"BCP242", Error, "A lambda can only be used as an argument of a function.",
		"A lambda x => … is for functions such as map() and filter(). Declare a function with func, or pass the lambda to one."},
	{"BCP247", Error, "The resource or module cannot be selected by a variable of a lambda (%s).",
		"The compiler must know which resource is meant. Use a loop [for …] instead of the lambda."},
	{"BCP248", Error, "The variables of a lambda (%s) cannot be used in arguments of %q, which is called before the lambda.",
		"The function is called before the lambda. Use a loop [for …] instead of the lambda."},
	{"BCP320", Error, "Only id, name, type and apiVersion of a resource that a module returns can be read here. Return the value as an output of its own.",
		"Only what identifies the resource comes back from a module. Add an output to the module for the property."},
	{"BCP323", Error, "Resources and modules of a loop cannot be selected with [?index]. Use [index].",
		"The compiler must know which resource is meant. Select it with [index]."},
	{"BCP341", Error, "A function can only use values that are known when the deployment begins: %v.",
		"A function cannot wait for resources. Pass the value as an argument."},
	{"BCP348", Error, "Tests need the experimental feature testFramework. Turn it on in bicepconfig.json.",
		"Turn the feature on in bicepconfig.json, or remove the test."},
	{"BCP349", Error, "Assertions need the experimental feature assertions. Turn it on in bicepconfig.json.",
		"Turn the feature on in bicepconfig.json, or remove the assertion."},
	{"BCP351", Error, "The function %q can only be called as the whole value of a parameter.",
		"The deployment replaces the whole value by the secret, so nothing can be added to it. Write the call alone."},
	{"BCP353", Error, "These %s differ only in letter case, which a template ignores: %s. Rename one of them.",
		"Templates do not tell upper from lower case in these names. Rename one of the declarations."},
	{"BCP394", Error, "A whole resource cannot be used as a type. Use a part of it, such as .properties.",
		"A resource has properties, such as properties and name, that are types. Add one of them after a dot."},
	{"BCP401", Error, "Properties cannot be spread here. Write each of them out with its name.",
		"The compiler has to know which properties of the resource are set. Write them one by one. Within properties, ... works."},
	{"BCP417", Error, "Properties cannot be spread into an object that contains a loop.",
		"Put the loop into a variable, and use its name here."},
	{"BCP418", Error, "An extension is not a value. Only its functions can be used here.",
		"The name stands for the extension itself. Use one of its functions or types."},
	{"BCP421", Error, "The module %q has secret outputs, which a local deployment cannot return.",
		"Read the secret from where it is stored, instead of returning it from a module."},
	{"BCP426", Error, "A secret output can only be read from a module by its name, not through a variable or a lambda.",
		"The compiler has to know which module returns the secret. Write the name of the module and .outputs."},
	{"BCP431", Error, "The configuration %q must be an object, or the config of an extension of this file.",
		"Write the settings of the extension as an object, or pass on those of an extension of this file: name.config."},
	{"BCP432", Error, "Argument %d of %q must be known when the deployment begins: %v.",
		"The argument is evaluated when the deployment begins. Use parameters, variables and literals."},
	{"BCP433", Error, "The resource %q cannot depend on others, because it is not part of the template: it is identified by values that are known only during the deployment (%s).",
		"The values that identify the resource are known too late to be part of the template. Use values that are known before, or remove 'dependsOn'."},
	{"BCP434", Error, "The resource %q cannot depend on %q, which is not part of the template: it is identified by values that are known only during the deployment (%s).",
		"The values that identify the other resource are known too late to be part of the template. Remove the dependency, or depend on the resource that provides the values."},
	{"BCP435", Error, "'using … with' needs the experimental feature deployCommands. Turn it on in bicepconfig.json, or remove the clause.",
		"Turn the feature on in bicepconfig.json, or remove the clause."},
	{"BCP443", Error, "With the experimental feature deployCommands, a parameter file must configure its deployment: using 'path' with { … }.",
		"Say how the template is deployed: using 'app.bicep' with { mode: 'deployment', … }. Or turn the feature off."},
	{"RAD002", Error, "The template would be larger than any deployment can be: %s.",
		"A variable that depends on a resource is written out wherever it is used, and again in the variables that use it. Use it in fewer places, or return it from a module. A type repeats those that it is made of: nest fewer unions, arrays and objects."},
	{"RAD003", Error, "There are more than %d mistakes up to here, so the rest of the file is not read. Is this a Bicep file?",
		"The file is probably not Bicep: compressed, in another encoding, or of another language. If it is Bicep, correct the first errors, and run again."},
	{"RAD004", Warning, "There are %d more findings, which are not shown. Correct the first ones, and run again.",
		"Correct the findings that are shown, or turn off the rule that most of them come from, and run again."},
	{"RAD005", Error, "The file is not UTF-8: the byte %s is not part of a text. Save the file as UTF-8.",
		"Bicep files are UTF-8. The file was saved in another encoding, often Latin-1 or Windows-1252. Save it again as UTF-8, or convert it with iconv."},
	{"BCP444", Error, "The configuration of an extension can only use values that are known when the deployment begins: %v.",
		"The extension is set up when the deployment begins. Use parameters, variables and literals."},
	{"Bicep Linter Configuration", Info, "The linter uses %s.",
		"This is not a mistake. It says which configuration the linter uses, where \"verbose\" is true."},
	{"Linter Disabled", Info, "The linter is turned off in %s.",
		"This is not a mistake. It says that no rule is checked, where \"verbose\" is true and \"enabled\" false."},
	{"adminusername-should-not-be-literal", Warning, "The user name of the administrator is a constant. Use a parameter.",
		"Everybody who can read the source knows the name. Declare a parameter, and use it here."},
	{"artifacts-parameters", Warning, "The parameters for artifacts do not follow the convention: %s %s.",
		"Templates of the Azure gallery have the two parameters together, with certain types and defaults. Follow the convention, or rename the parameter."},
	{"decompiler-cleanup", Warning, "The name %q was made by the decompiler. Choose a meaningful name.",
		"The decompiler adds _var, _param and the like where names collide. Choose a name that says what the thing is."},
	{"explicit-values-for-loc-params", Off, "The parameter %q of the module %q is a location. Set it explicitly.",
		"The module would use its own default, which may differ from the location of this file. Set the parameter."},
	{"max-asserts", Error, "There are %d assertions, but a template can have at most %d.",
		"Join some of the conditions with &&, or move some to another file."},
	{"max-outputs", Error, "There are %d outputs, but a template can have at most %d. Combine some of them in an object.",
		"Join some of the outputs in an object."},
	{"max-params", Error, "There are %d parameters, but a template can have at most %d. Combine some of them in an object.",
		"Join some of the parameters in an object."},
	{"max-resources", Error, "There are %d resources, but a template can have at most %d. Move some to modules, or use loops.",
		"Move some of the resources to modules, or declare alike ones in a loop."},
	{"max-variables", Error, "There are %d variables, but a template can have at most %d. Combine some of them in an object.",
		"Join some of the variables in an object."},
	{"no-conflicting-metadata", Warning, "@description() sets the description too, and replaces this one.",
		"Remove the description from @metadata()."},
	{"no-deployments-resources", Warning, "The resource %q is a nested deployment. Use a module.",
		"A module does the same, and its content is checked. Move the nested template to a .bicep file."},
	{"no-explicit-any", Warning, "The type any disables type checking. Declare the type of the value.",
		"Nothing is checked where any is used. Declare the type of the value, such as { name: string, port: int }."},
	{"no-hardcoded-env-urls", Warning, "The host %q differs in other clouds. Use environment().",
		"Other clouds of Azure use other hosts. Use the properties of environment(), such as environment().suffixes.storage."},
	{"no-hardcoded-location", Off, "The location is a constant. Use a parameter.",
		"People may want to deploy elsewhere. Use a parameter, whose default may be resourceGroup().location."},
	{"no-hardcoded-outputs", Off, "The output %q is a constant. Export a variable instead, which can be imported without a deployment.",
		"An output of a constant makes others wait for the deployment. Export a variable with @export(), and import it."},
	{"no-loc-expr-outside-params", Off, "Use the location of the resource group or the deployment only as the default value of a parameter, so that users can choose another location.",
		"People may want to deploy to another place than the group's. Make it the default of a parameter, and use the parameter."},
	{"no-module-name", Off, "A module does not need a name. The compiler generates one.",
		"The compiler makes a name that is distinct. Remove the property name."},
	{"nested-deployment-template-scoping", Error, "%q is not defined in the nested deployment, whose template is evaluated on its own. Use a module, or pass the value as a parameter.",
		"With scope 'inner', the nested template sees only what it declares itself. Use a module, or declare a parameter in it and pass the value."},
	{"no-unnecessary-dependson", Warning, "The dependency on %q is implied by a reference. Remove it.",
		"A reference to a resource makes the deployment wait for it already. Remove the entry from dependsOn."},
	{"no-unused-existing-resources", Warning, "The existing resource %q is never used. Remove it.",
		"Nothing refers to the resource. Remove the declaration."},
	{"no-unused-imports", Warning, "The import %q is never used. Remove it.",
		"Nothing refers to the imported name. Remove it from the import."},
	{"no-unused-params", Warning, "The parameter %q is never used. Remove it.",
		"Nothing refers to the parameter. Remove it, here and in parameter files."},
	{"no-unused-types", Warning, "The type %q is never used. Remove it, or export it.",
		"Nothing refers to the type. Remove it, or add @export() if other files import it."},
	{"no-unused-vars", Warning, "The variable %q is never used. Remove it, or export it.",
		"Nothing refers to the variable. Remove it, or add @export() if other files import it."},
	{"outputs-should-not-contain-secrets", Warning, "Outputs are visible to everyone who can read the deployment, and this one may contain a secret: %s.",
		"Outputs are kept in the history of deployments, where many can read them. Remove the output, add @secure() to it, or let its users read the secret themselves."},
	{"prefer-interpolation", Warning, "Use '${a}${b}' instead of concat(a, b).",
		"'${a}${b}' is shorter than concat(a, b) and means the same."},
	{"prefer-unquoted-property-names", Warning, "The quotes around this name are not needed. Remove them.",
		"A name of letters, digits and _ needs no quotes. Remove them."},
	{"secure-secrets-in-params", Warning, "The parameter %q seems to be a secret. Add @secure().",
		"Values of plain parameters are kept in the history of deployments. Add @secure(), which keeps them out of logs too."},
	{"secure-parameter-default", Warning, "The default value of the secure parameter %q is visible in the source. Remove it, or use newGuid().",
		"A default is written down in the source, so it is not a secret. Remove it, so that a value must be given."},
	{"secure-params-in-nested-deploy", Warning, "The nested deployment %q shows secrets in its history, because it uses %s. Set expressionEvaluationOptions.scope to 'inner', or use a module.",
		"With scope 'outer', secrets are written into the nested template in plain text. Use a module, or set expressionEvaluationOptions.scope to 'inner'."},
	{"secure-params-in-parameters-file", Warning, "The parameter %q is not secure, but its value is made from secure parameters: %s.",
		"The value holds a secret, but its parameter is shown in logs. Add @secure() to the parameter in the template."},
	{"simplify-interpolation", Warning, "The string contains only one ${…}. Use the expression without the string.",
		"'${name}' means the same as name. Write the expression alone."},
	{"simplify-json-null", Warning, "Use null instead of json('null').",
		"Write null."},
	{"stacks-extensibility-compat", Info, "In deployment stacks, secrets of extensions must come from a Key Vault, and other values must not: %s.",
		"Deployment stacks keep the settings of extensions. Pass secrets as references to a Key Vault, and all else as plain values."},
	{"use-description-outputs", Off, "The output %q has no description. Add @description('…').",
		"A description says what the output is for. Add @description('…') above it."},
	{"use-description-params", Off, "The parameter %q has no description. Add @description('…').",
		"A description says what the parameter is for. Add @description('…') above it."},
	{"use-description-type-properties", Off, "The property %q has no description. Add @description('…').",
		"A description says what the property is for. Add @description('…') above it."},
	{"use-description-types", Off, "The type %q has no description. Add @description('…').",
		"A description says what the type is for. Add @description('…') above it."},
	{"use-description-vars", Off, "The variable %q has no description. Add @description('…').",
		"A description says what the variable is for. Add @description('…') above it."},
	{"no-conflicting-version-constraints", Error, "No release of Bicep can compile this file with its modules: %s.",
		"Change \"bicep.version\" in one of the configuration files, so that one release is in all ranges."},
	{"no-incompatible-entrypoint-version", Warning, "Releases of Bicep that may compile this file (%s) may not compile all of its modules: %s.",
		"Give this file's bicepconfig.json a range in \"bicep.version\" that is within those of the modules."},
	{"use-parent-property", Warning, "The name of the resource %q includes the name of its parent. Set the property parent to %s, and remove the parent's name from this one.",
		"Set the property parent to the symbolic name of the parent, and write the last part of the name alone. The dependency then follows."},
	{"protect-commandtoexecute-secrets", Warning, "The command may contain a secret (%s), and settings are not protected. Use protectedSettings.",
		"Settings are shown in the portal and in logs. Move the command to protectedSettings."},
	{"use-recent-api-versions", Off, "Use a recent version of the API: %s.",
		"Old versions of an API are removed over time. Use one of the versions that the message names."},
	{"use-recent-az-powershell-version", Warning, "Deployment scripts should use a recent Azure PowerShell: %s.",
		"Old versions are no longer maintained. Use a version that the message allows."},
	{"use-recent-module-versions", Off, "The versions of %q are known only to its registry, which is not asked.",
		"Which versions there are is known to the registry."},
	{"radius-deprecated-type", Info, "Radius will remove the resource type %q: %s.",
		"Radius 0.61 warns of these types, and a later release lacks them. Use the type that is named; its properties differ."},
	{"use-recognized-resource-type", Warning, "The resource type %q does not exist in Azure.",
		"Azure has no such type. Check the spelling of the namespace and the type."},
	{"use-resource-id-functions", Off, "The property %q needs a resource ID. Use the id of a resource, or a function such as resourceId().",
		"An ID that is written as text is easily wrong. Use the id of a resource, or a function such as resourceId()."},
	{"use-resource-symbol-reference", Warning, "The resource is declared in this file. Use its symbolic name instead of %s().",
		"The symbolic name gives the same, is checked, and makes the deployment wait. Use it instead of the function."},
	{"use-safe-access", Warning, "Use .? instead of %s.",
		".? gives null where the property is missing. Use it with a default: a.?b ?? c."},
	{"use-secure-value-for-secure-inputs", Warning, "The property %q is a secret, but its value (of type %q) is not secure. Use a secure parameter.",
		"The property is a secret, and its value is shown in logs. Declare the parameter with @secure()."},
	{"use-stable-resource-identifiers", Warning, "The %s of %q changes with each deployment, which then creates a new resource: %s.",
		"newGuid() and utcNow() give a new value in each deployment. Use uniqueString() with an ID that does not change, or a parameter."},
	{"use-stable-vm-image", Warning, "The %s of the image is a preview. Use a released one.",
		"Previews may change or vanish. Use a released image."},
	{"use-user-defined-types", Off, "This type does not describe its content. Declare its properties or items.",
		"object and array say nothing of what they hold. Write the properties or the type of the items: { port: int } or string[]."},
	{"what-if-short-circuiting", Off, "%s of the module %q is part of the name, scope, version or condition of a resource, but this value is known only during the deployment, so what-if cannot predict the resource. Pass a value that is known before.",
		"What-if shows what a deployment would change without running it, so it cannot know this value. Pass a parameter, a variable, or the name of a resource."},
}
