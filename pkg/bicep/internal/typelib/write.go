package typelib

import (
	"encoding/json"
	"fmt"

	btindex "github.com/Azure/bicep-types/src/bicep-types-go/index"
	bt "github.com/Azure/bicep-types/src/bicep-types-go/types"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// RadiusFile is the name of the file of types to which the index of RadiusFiles refers.
const RadiusFile = "radius.json"

// RadiusReleaseFile is the name of the file of an archive that says which release of Radius its project named before.
const RadiusReleaseFile = "release.txt"

// RadiusFiles returns the built-in types of a release of Radius as the two files of an extension: index.json, and
// RadiusFile.
func RadiusFiles(release string) (indexText, typesText []byte, err error) {
	w := writer{at: map[types.Type]int{}}
	ix := btindex.NewTypeIndex()
	settings, radius := RadiusSettings(), RadiusOf(release)
	ix.Settings = &btindex.TypeSettings{Name: settings.TemplateName, Version: settings.TemplateVersion}
	for _, ref := range radius.known {
		body := radius.body(ref)
		r := &bt.ResourceType{Name: ref.Name(), Body: w.ref(body)}
		if body.Methods != nil {
			r.Functions = map[string]bt.ResourceTypeFunction{}
			for _, name := range body.Methods.Names() {
				r.Functions[name] = bt.ResourceTypeFunction{Type: w.method(body.Methods.Find(name).Overloads[0])}
			}
		}
		w.list = append(w.list, r)
		ix.AddResource(ref.Type, ref.Version, bt.CrossFileTypeReference{RelativePath: RadiusFile, Ref: len(w.list) - 1})
	}
	if w.err != nil {
		return nil, nil, w.err
	}
	if indexText, err = json.MarshalIndent(ix, "", "  "); err == nil {
		typesText, err = json.MarshalIndent(w.list, "", "  ")
	}
	return indexText, typesText, err
}

// writer makes the elements of a file of types.
type writer struct {
	list []bt.Type
	at   map[types.Type]int // the element of each type that was written
	err  error              // of the first type that has no form in a file
}

// ref returns the reference to a type, which is written if it was not.
func (w *writer) ref(of types.Ref) bt.ITypeReference {
	t := of.Type()
	i, ok := w.at[t]
	if !ok {
		i = len(w.list)
		w.at[t] = i // before its parts, which may refer to it
		w.list = append(w.list, nil)
		w.list[i] = w.element(t)
	}
	return bt.TypeReference{Ref: i}
}

func (w *writer) element(t types.Type) bt.Type {
	switch t := t.(type) {
	case *types.AnyType:
		return &bt.AnyType{}
	case *types.Bool:
		return &bt.BooleanType{}
	case *types.Int:
		return &bt.IntegerType{}
	case *types.String:
		return &bt.StringType{Sensitive: t.Flags().Has(types.IsSecure)}
	case *types.StringLiteral:
		return &bt.StringLiteralType{Value: t.Value}
	case *types.Array:
		return &bt.ArrayType{ItemType: w.ref(t.Item)}
	case *types.Union:
		u := &bt.UnionType{}
		for _, m := range t.Members {
			u.Elements = append(u.Elements, w.ref(m))
		}
		return u
	case *types.DiscriminatedObject:
		d := &bt.DiscriminatedObjectType{Name: t.Name, Discriminator: t.Discriminator.Name,
			BaseProperties: map[string]bt.ObjectTypeProperty{}, Elements: map[string]bt.ITypeReference{}}
		for _, m := range t.Members {
			d.Elements[m.Key.Value] = w.ref(m.Object)
		}
		return d
	case *types.Object:
		return w.object(t)
	}
	if w.err == nil {
		w.err = fmt.Errorf("the type %s has no form in a file of types", t)
	}
	return &bt.AnyType{}
}

func (w *writer) object(t *types.Object) bt.Type {
	o := &bt.ObjectType{Name: t.Name, Properties: map[string]bt.ObjectTypeProperty{}}
	for _, p := range t.Properties() {
		o.Properties[p.Name] = bt.ObjectTypeProperty{Type: w.ref(p.Type), Flags: writtenFlags(p.Flags)}
	}
	if t.Additional != nil {
		o.AdditionalProperties = w.ref(t.Additional.Type)
	}
	if secret := t.Flags().Has(types.IsSecure); secret {
		o.Sensitive = &secret
	}
	return o
}

// method writes a function of a resource.
func (w *writer) method(o *types.FunctionOverload) bt.ITypeReference {
	f := &bt.FunctionType{Parameters: []bt.FunctionParameter{}, Output: w.ref(o.Return)}
	for _, p := range o.Params {
		f.Parameters = append(f.Parameters, bt.FunctionParameter{Name: p.Name, Type: w.ref(p.Type)})
	}
	w.list = append(w.list, f)
	return bt.TypeReference{Ref: len(w.list) - 1}
}

// writtenFlags is what propertyFlags reads.
func writtenFlags(in types.PropertyFlags) (out bt.TypePropertyFlags) {
	for _, f := range [...]struct {
		in  types.PropertyFlags
		out bt.TypePropertyFlags
	}{
		{types.Required, required}, {types.ReadOnly, readOnly}, {types.WriteOnly, writeOnly},
		{types.DeployTimeConstant, deployTimeConstant}, {types.ResourceIdentifier, identifier},
	} {
		if in.Has(f.in) {
			out |= f.out
		}
	}
	return out
}
