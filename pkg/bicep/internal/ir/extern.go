package ir

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// What the stages before this one know.
type (
	TypeModel             = types.Type
	Resource              = *check.Resource
	NamespaceSettings     = types.NamespaceSettings
	ModuleSymbol          = *bind.Module
	VarSymbol             = *bind.Var
	ParamSymbol           = *bind.Param
	ParamAssignSymbol     = *bind.ParamAssign
	ExtensionConfigSymbol = *bind.ExtensionConfig
	TypeAliasSymbol       = *bind.TypeAlias
	ImportedSymbol        = bind.Imported
	WildcardSymbol        = *bind.WildcardImport
	LocalSymbol           = *bind.Local
	FuncSymbol            = *bind.Func
)
