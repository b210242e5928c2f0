package diag

// The rules about what a template cannot express, or a deployment compute in time.
var (
	BCP120 = &Rule{"BCP120", Error, "The property %q takes only what is known when the deployment begins: %v.", ""}
	BCP121 = &Rule{"BCP121", Error, "These resources have the same type, scope and name, so that one would replace the other: %s. Rename one.", ""}
	BCP122 = &Rule{"BCP122", Error, "These modules have the same scope and name, so that one would replace the other: %s. Rename one.", ""}
	BCP138 = &Rule{"BCP138", Error, "A loop cannot stand here. It can be the whole value of a resource, module, variable or output, or of a property in the body of one.", ""}
	BCP142 = &Rule{"BCP142", Error, "A loop over properties cannot hold another. Move the inner one to a variable, or use map().", ""}
	BCP143 = &Rule{"BCP143", Error, "A property that holds a loop needs a plain name, not an expression.", ""}
	BCP144 = &Rule{"BCP144", Error, "The resources or modules of a loop cannot be used all at once here; choose one with [index]%s.", ""}
	BCP160 = &Rule{"BCP160", Error, "A resource in a loop cannot hold another resource. Declare it outside, with the property parent.", ""}
	BCP169 = &Rule{"BCP169", Error, "The name needs %d slash(es): it has one part for each part of the resource's type.", ""}
	BCP170 = &Rule{"BCP170", Error, "Write the name of a child resource without a slash: its parent's name is put before it.", ""}
	BCP177 = &Rule{"BCP177", Error, "A condition takes only what is known when the deployment begins: %v.", ""}
	BCP178 = &Rule{"BCP178", Error, "What a loop goes over must be known when the deployment begins: %v.", ""}
	BCP179 = &Rule{"BCP179", Warning, "Every turn of this loop would make the same thing. Use %s in at least one of: %s.", ""}
	BCP180 = &Rule{"BCP180", Error, "The function %q can be called only as the value of a secure parameter of a module.", ""}
	BCP181 = &Rule{"BCP181", Error, "The arguments of %q must be known when the deployment begins: %v.", ""}
	BCP182 = &Rule{"BCP182", Error, "The loop that makes the variable %q takes only what is known when the deployment begins: %v.", ""}
	BCP183 = &Rule{"BCP183", Error, "The property %q must be written out as an object: {…}.", ""}
	BCP239 = &Rule{"BCP239", Error, "The name %q is reserved for loops in templates. Call it something else.", ""}
	BCP240 = &Rule{"BCP240", Error, "The parent must be the symbolic name of a resource.", ""}
	BCP242 = &Rule{"BCP242", Error, "A lambda can stand only as an argument of a function.", ""}
	BCP247 = &Rule{"BCP247", Error, "Which resource or module this is cannot depend on variables of a lambda (%s).", ""}
	BCP248 = &Rule{"BCP248", Error, "Variables of a lambda (%s) cannot be used in arguments of %q, which is called before the lambda.", ""}
	BCP320 = &Rule{"BCP320", Error, "Of a resource that a module returns only id, name, type and apiVersion can be read here. Return the value as an output of its own.", ""}
	BCP323 = &Rule{"BCP323", Error, "Resources and modules of a loop cannot be chosen with [?index]. Use [index].", ""}
	BCP341 = &Rule{"BCP341", Error, "A function takes only what is known when the deployment begins: %v.", ""}
	BCP348 = &Rule{"BCP348", Error, "Tests need the experimental feature testFramework. Turn it on in bicepconfig.json.", ""}
	BCP349 = &Rule{"BCP349", Error, "Assertions need the experimental feature assertions. Turn it on in bicepconfig.json.", ""}
	BCP351 = &Rule{"BCP351", Error, "The function %q can be called only as the whole value of a parameter.", ""}
	BCP353 = &Rule{"BCP353", Error, "These %s differ only by case, which a template does not tell apart: %s. Rename one.", ""}
	BCP394 = &Rule{"BCP394", Error, "The whole of a resource cannot be a type. Take a part of it, such as .properties.", ""}
	BCP401 = &Rule{"BCP401", Error, "Properties cannot be spread here: each must be written out with its name.", ""}
	BCP417 = &Rule{"BCP417", Error, "Properties cannot be spread into an object that holds a loop.", ""}
	BCP418 = &Rule{"BCP418", Error, "An extension is not a value. Only its functions can be used here.", ""}
	BCP421 = &Rule{"BCP421", Error, "The module %q has secret outputs, which a local deployment cannot return.", ""}
	BCP426 = &Rule{"BCP426", Error, "A secret output can be read only from a module by its name, not through a variable or a lambda.", ""}
	BCP431 = &Rule{"BCP431", Error, "The configuration %q must be an object, or the config of an extension of this file.", ""}
	BCP432 = &Rule{"BCP432", Error, "Argument %d of %q must be known when the deployment begins: %v.", ""}
	BCP433 = &Rule{"BCP433", Error, "The resource %q cannot depend on others, since it is not part of the template: it is identified by values that are known only during the deployment (%s).", ""}
	BCP434 = &Rule{"BCP434", Error, "The resource %q cannot depend on %q, which is not part of the template: it is identified by values that are known only during the deployment (%s).", ""}
	BCP435 = &Rule{"BCP435", Error, "'using … with' needs the experimental feature deployCommands. Turn it on in bicepconfig.json, or remove the clause.", ""}
	BCP443 = &Rule{"BCP443", Error, "With the experimental feature deployCommands a parameters file says how it is deployed: using 'path' with { … }.", ""}
	// TemplateTooLarge is ours alone: the official compiler runs out of memory.
	TemplateTooLarge = &Rule{"RAD002", Error, "The template would be larger than any deployment can be: %s with each link of a chain, since they are written out wherever they are used. Use them in fewer places.", "https://learn.microsoft.com/azure/azure-resource-manager/templates/best-practices#template-limits"}

	BCP444 = &Rule{"BCP444", Error, "The configuration of an extension takes only what is known when the deployment begins: %v.", ""}
)
