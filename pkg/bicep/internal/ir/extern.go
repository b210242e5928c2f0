package ir

// What the stages before this one know. These names become aliases of the types of
// packages types, bind and check as those land; nodes and their fields stay.
type (
	TypeModel             = any // types.Type
	Resource              = any // *check.Resource
	ScopeData             = any // check.ScopeData
	NamespaceSettings     = any // types.NamespaceSettings
	ModuleSymbol          = any // *bind.Module
	VarSymbol             = any // *bind.Var
	ParamSymbol           = any // *bind.Param
	ParamAssignSymbol     = any // *bind.ParamAssignment
	ExtensionConfigSymbol = any // *bind.ExtensionConfigAssignment
	TypeAliasSymbol       = any // *bind.TypeAlias
	ImportedSymbol        = any // *bind.ImportedType, *bind.ImportedVariable, *bind.ImportedFunction
	WildcardSymbol        = any // *bind.WildcardImport
	LocalSymbol           = any // *bind.Local
)
