package diag

// Names: what they mean, and which are declared twice.
var (
	BCP028 = Rule{Code: "BCP028", Level: Error, Text: "the name %q is declared more than once: rename or remove one"}
	BCP056 = Rule{Code: "BCP056", Level: Error, Text: "%q is in several namespaces: write %s and a dot before it"}
	BCP057 = Rule{Code: "BCP057", Level: Error, Text: "nothing here is called %q"}
	BCP065 = Rule{Code: "BCP065", Level: Error, Text: "%s() can be called only in the default of a parameter"}
	BCP066 = Rule{Code: "BCP066", Level: Error, Text: "%s() cannot be called here: it needs a resource's body, an output or a variable"}
	BCP082 = Rule{Code: "BCP082", Level: Error, Text: "nothing here is called %q: is %q meant?"}
	BCP084 = Rule{Code: "BCP084", Level: Error, Text: "%q is the name of a namespace: choose another than %s"}
	BCP104 = Rule{Code: "BCP104", Level: Error, Text: "the file that is named here has errors: correct those first"}
	BCP125 = Rule{Code: "BCP125", Level: Error, Text: "%s() cannot decorate a parameter"}
	BCP126 = Rule{Code: "BCP126", Level: Error, Text: "%s() cannot decorate a variable"}
	BCP127 = Rule{Code: "BCP127", Level: Error, Text: "%s() cannot decorate a resource"}
	BCP128 = Rule{Code: "BCP128", Level: Error, Text: "%s() cannot decorate a module"}
	BCP129 = Rule{Code: "BCP129", Level: Error, Text: "%s() cannot decorate an output"}
	BCP145 = Rule{Code: "BCP145", Level: Error, Text: "%q is declared more than once: rename or remove one"}
	BCP152 = Rule{Code: "BCP152", Level: Error, Text: "%s() is no decorator"}
	BCP158 = Rule{Code: "BCP158", Level: Error, Text: "only a resource has nested resources, and this is of kind %q"}
	BCP159 = Rule{Code: "BCP159", Level: Error, Text: "the resource %q has no nested resource %q (it has: %s)"}
	BCP188 = Rule{Code: "BCP188", Level: Error, Text: "the ARM template that is named here has errors: correct those first"}
	BCP207 = Rule{Code: "BCP207", Level: Error, Text: "the extension %q can be declared only once"}
	BCP269 = Rule{Code: "BCP269", Level: Error, Text: "%s() cannot decorate metadata"}
	BCP297 = Rule{Code: "BCP297", Level: Error, Text: "%s() cannot decorate a type"}
	BCP360 = Rule{Code: "BCP360", Level: Error, Text: "the file that is imported from exports no %q"}
	BCP373 = Rule{Code: "BCP373", Level: Error, Text: "%q cannot be imported: %s"}
)
