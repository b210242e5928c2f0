package armexpr

// Names that Bicep reserves in the templates that it writes.
const (
	// UnfetchedModule is the type of the resource that stands for all of a module that cannot be fetched. Its
	// properties are the module's parameters.
	UnfetchedModule = "Rad.Modules/unfetched"
	// UnknownRecipe is that of the resource that stands for all that a recipe makes of which nothing is known.
	UnknownRecipe = "Rad.Recipes/unknown"

	// UnfetchedValue and UnfetchedCall are the functions that stand for a variable and for the call of a function of a
	// file that cannot be fetched. Their arguments are the name, the reference to the file, and those of the call.
	UnfetchedValue = "unfetchedValue"
	UnfetchedCall  = "unfetchedCall"

	// UserNamespace is the namespace of the functions that a file declares.
	UserNamespace = "__bicep"

	// Keys of metadata objects.
	ExportedKey            = "__bicep_export!"
	ExportedVariablesKey   = "__bicep_exported_variables!"
	ImportedFromKey        = "__bicep_imported_from!"
	ResourceDerivedTypeKey = "__bicep_resource_derived_type!"
)
