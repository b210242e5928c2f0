package diag

// Names: what they mean, and which are declared twice.
var (
	BCP028 = Rule{Code: "BCP028", Level: Error, Text: "the name %q is declared more than once: rename or remove one"}
	BCP056 = Rule{Code: "BCP056", Level: Error, Text: "%q is in several namespaces: write %s and a dot before it"}
	BCP057 = Rule{Code: "BCP057", Level: Error, Text: "nothing here is called %q"}
	BCP082 = Rule{Code: "BCP082", Level: Error, Text: "nothing here is called %q: is %q meant?"}
	BCP084 = Rule{Code: "BCP084", Level: Error, Text: "%q is the name of a namespace: choose another than %s"}
	BCP145 = Rule{Code: "BCP145", Level: Error, Text: "%q is declared more than once: rename or remove one"}
	BCP159 = Rule{Code: "BCP159", Level: Error, Text: "the resource %q has no nested resource %q (it has: %s)"}
	BCP207 = Rule{Code: "BCP207", Level: Error, Text: "the extension %q can be declared only once"}
	BCP360 = Rule{Code: "BCP360", Level: Error, Text: "the file that is imported from exports no %q"}
	BCP373 = Rule{Code: "BCP373", Level: Error, Text: "%q cannot be imported: %s"}
)
