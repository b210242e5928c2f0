package diag

// What evaluating a parameters file reports.
var (
	BCP338 = &Rule{"BCP338", Error, "The %s %q cannot be evaluated: %s.", ""}
	BCP368 = &Rule{"BCP368", Error, "The value of %q is a reference to a Key Vault, so no other expression can use it.", ""}
	BCP369 = &Rule{"BCP369", Error, "%q is null here, so the template's default decides its value, which is not known in this file.", ""}
)
