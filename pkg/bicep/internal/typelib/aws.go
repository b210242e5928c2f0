package typelib

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// AWS provides every type that has an AWS name. It is used if no archive is configured.
type AWS struct {
	Empty
	cache cache
}

// AWSSettings are those of the extension that a Radius workspace configures.
func AWSSettings() types.NamespaceSettings {
	return types.NamespaceSettings{ExtensionName: "aws", TemplateName: "aws", TemplateVersion: "latest"}
}

func (*AWS) HasDefinedType(ref *types.ResourceTypeReference) bool {
	return len(ref.Segments) > 1 && len(ref.Type) > 4 && strings.EqualFold(ref.Type[:4], "AWS.") &&
		strings.EqualFold(ref.Version, "default")
}

func (a *AWS) DefinedType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	if !a.HasDefinedType(ref) {
		return nil
	}
	return a.cache.get(ns, ref, flags, func() *made {
		const alias = types.Required | types.ResourceIdentifier | types.LoopVariant | types.SystemProperty
		body := openBody(ref, []types.Property{
			{Name: "alias", Type: types.TString, Flags: alias},
			{Name: "name", Type: types.TString, Flags: types.AllowImplicitNull},
			{Name: "properties", Type: types.TUnknown, Flags: types.ResourceIdentifier | types.LoopVariant},
		}, types.TUnknown, flags)
		return &made{ref: ref, parentScopes: anywhere | types.ScopeLocal, body: body, identifiers: []string{"alias", "properties"}}
	})
}
