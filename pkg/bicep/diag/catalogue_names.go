package diag

// Names: what they mean, and which are declared twice.
var (
	BCP028 = &Rule{"BCP028", Error, "The name %q is declared more than once: rename or remove one.", ""}
	BCP056 = &Rule{"BCP056", Error, "Several namespaces have %q: write one of these and a dot before it: %s.", ""}
	BCP057 = &Rule{"BCP057", Error, "Nothing here is called %q.", ""}
	BCP082 = &Rule{"BCP082", Error, "Nothing here is called %q: is %q meant?", ""}
	BCP084 = &Rule{"BCP084", Error, "%q is the name of a namespace: choose a name other than %s.", ""}
	BCP145 = &Rule{"BCP145", Error, "%q is declared more than once: rename or remove one.", ""}
	BCP159 = &Rule{"BCP159", Error, "The resource %q has no nested resource %q (it has: %s).", ""}
	BCP207 = &Rule{"BCP207", Error, "The extension %q can be declared only once.", ""}
	BCP360 = &Rule{"BCP360", Error, "The imported file exports nothing called %q.", ""}
	BCP373 = &Rule{"BCP373", Error, "%q cannot be imported: %s.", ""}
)
