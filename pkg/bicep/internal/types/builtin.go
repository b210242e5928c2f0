package types

// The types that exist once. Others may be equal to them (see Equal), but code
// that compares by identity means these.
var (
	TAny = &AnyType{}
	// TUnknown is any, for a value whose type is in a library that is not available. The value that
	// a program gives it does not tell which properties can be read.
	TUnknown = &AnyType{}
	// TMissed is TUnknown after an error was reported, so that no more errors follow from it.
	TMissed = &AnyType{}
	TNull   = &NullType{}
	TNever  = &Union{}

	TString       = &String{}
	TLooseString  = &String{flags: AllowLooseAssignment}
	TSecureString = &String{flags: AllowLooseAssignment | IsSecure}
	TInt          = &Int{}
	TLooseInt     = &Int{flags: AllowLooseAssignment}
	TBool         = &Bool{}
	TLooseBool    = &Bool{flags: AllowLooseAssignment}
	TTrue         = &BoolLiteral{Value: true}
	TFalse        = &BoolLiteral{Value: false}
	TArray        = &Array{Item: TAny, untyped: true}
	TStringArray  = &Array{Item: TString}
	TObject       = &Object{Name: "object", Additional: &Property{Type: TAny}}
	TSecureObject = &Object{Name: "object", Additional: &Property{Type: TAny}, flags: IsSecure}

	TStringFilePath      = &String{flags: IsStringFilePath}
	TStringJSONFilePath  = &String{flags: IsStringFilePath | IsStringJSONFilePath}
	TStringYAMLFilePath  = &String{flags: IsStringFilePath | IsStringYAMLFilePath}
	TStringDirectoryPath = &String{flags: IsStringDirectoryPath}
	TStringResourceType  = &String{flags: IsResourceTypeID}

	// TResourceRef is what stands for resources and modules.
	TResourceRef = &ScopeReference{Scope: ScopeModule | ScopeResource}

	// TDependsOnItem is an item of `dependsOn`: a resource, a module, or a collection of them.
	TDependsOnItem = &Union{Members: []Ref{
		&Array{Item: &ScopeReference{Scope: ScopeModule}},
		TResourceRef,
		&Array{Item: &ScopeReference{Scope: ScopeResource}},
	}}
	TDependsOn = &Array{Item: TDependsOnItem}

	// TMetadata is what @metadata takes: a description, and anything else.
	TMetadata = &Object{
		Name:       "ParameterModifierMetadata",
		properties: []Property{{Name: "description", Type: TString, Flags: Constant}},
		Additional: &Property{Type: TAny, Flags: Constant},
	}

	// TIdentity is what a module's `identity` takes.
	TIdentity = &Object{
		Name: "identity",
		properties: []Property{
			{Name: "type", Type: &Union{Members: []Ref{Str("None"), Str("UserAssigned")}}, Flags: Required},
			{Name: "userAssignedIdentities", Type: TObject},
		},
	}
)

// BuiltinNames are the names of the types that the language has.
var BuiltinNames = []string{"any", "array", "bool", "int", "object", "string"}

// Builtin returns the type of the language with this name, or nil.
func Builtin(name string) Type {
	switch name {
	case "any":
		return TAny
	case "array":
		return TArray
	case "bool":
		return TBool
	case "int":
		return TInt
	case "object":
		return TObject
	case "string":
		return TString
	}
	return nil
}

// IsUnknown reports whether t is unknown because its type library is not available.
func IsUnknown(t Type) bool { return t == Type(TUnknown) || t == Type(TMissed) }
