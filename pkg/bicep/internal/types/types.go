// Package types defines the types of values and symbols: how they are named, combined and
// compared, and how the type checker sees functions and decorators.
//
// A type does not change after it is made. Only a Deferred reference finds its target when
// it is first asked for, which makes recursive types possible. The names of types decide the order of unions, and with it the
// order of values in the emitted template, so String follows the official
// compiler's names to the letter.
//
// Begin with Type. union.go, collapse.go and merge.go combine types, and assign.go compares them.
// Mistakes are returned or reported to the caller; no type knows a file.
package types

import (
	"sync/atomic"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// Ref leads to a type. Every Type is its own Ref.
type Ref interface {
	Type() Type
}

// Type is a type. The concrete types are pointers to the structs of this
// package, and no others. Compare types with Equal, or by identity where
// that is meant: many singletons (Null, Never …) exist only once.
type Type interface {
	Ref
	Kind() Kind
	// String returns the display name.
	String() string
	Flags() ValidationFlags
}

// Kind tells groups of types apart.
type Kind uint8

const (
	KindError Kind = iota
	KindNever
	KindAny
	KindPrimitive // string, int, bool, array, null: whatever is not a literal
	KindObject
	KindResource
	KindUnion
	KindStringLiteral
	KindDiscriminatedObject
	KindNamespace
	KindResourceScope
	KindModule
	KindTest
	KindLambda
	KindBoolLiteral
	KindIntLiteral
	KindTypeReference   // of what may be used only as a type
	KindUnboundResource // derived from a resource type that is not looked up yet
)

// ValidationFlags change how values are checked against a type.
type ValidationFlags uint16

const (
	WarnOnTypeMismatch     ValidationFlags = 1 << iota
	AllowLooseAssignment                   // a string may go where a string literal is expected, and so on
	PreventAssignment                      // nothing may be assigned to or from it
	IsSecure                               // holds a secret
	IsStringFilePath                       // a path to a file
	IsStringJSONFilePath                   // … to a JSON file
	IsStringYAMLFilePath                   // … to a YAML file
	IsResourceTypeID                       // such as 'Microsoft.Storage/storageAccounts@2021-01-01'
	WarnOnPropertyMismatch                 // unknown, missing or misplaced properties are warnings
	IsStringDirectoryPath                  // a path to a directory
	KnownByHeart                           // described by rad itself, not by an archive: a newer release may have more
)

// Has reports whether all of the given flags are set.
func (f ValidationFlags) Has(g ValidationFlags) bool { return f&g == g }

// PropertyFlags say what a property of an object type asks for and allows.
type PropertyFlags uint16

const (
	Required             PropertyFlags = 1 << iota
	Constant                           // takes compile-time constants only
	ReadOnly                           // cannot be set
	WriteOnly                          // cannot be read
	DeployTimeConstant                 // takes only what is known at the start of the deployment
	DisallowAny                        // a value of type any is refused
	ReadableAtDeployTime               // can be read at the start of the deployment
	LoopVariant                        // has to differ in each turn of a loop
	AllowImplicitNull                  // when optional, null may be assigned
	FallbackProperty                   // not declared, but possibly there
	SystemProperty                     // id, name, type, apiVersion …
	ResourceIdentifier                 // part of the resource's identity
	PerhapsRequired                    // it is not known whether it is optional: what is set is taken for all there is
)

// Has reports whether all of the given flags are set.
func (f PropertyFlags) Has(g PropertyFlags) bool { return f&g == g }

// Deferred is a reference that finds its type when it is first needed.
type Deferred struct {
	get     finder
	found   atomic.Pointer[Type]
	running atomic.Int32
}

// Defer returns a reference to what get returns. get may be called more than
// once when several ask at the same time; the first answer stays.
func Defer(get func() Type) *Deferred { return &Deferred{get: finderFunc(get)} }

// finder finds the type of a Deferred.
type finder interface{ find() Type }

type finderFunc func() Type

func (f finderFunc) find() Type { return f() }

// maxDeferDepth bounds how deep a reference may need itself to find its type.
const maxDeferDepth = 64

// Type returns the type. One that cannot be found without itself is an error
// type; the checker reports such cycles.
func (d *Deferred) Type() Type {
	if t := d.found.Load(); t != nil {
		return *t
	}
	if d.running.Add(1) > maxDeferDepth {
		d.running.Add(-1)
		return NewError()
	}
	t := d.get.find()
	d.running.Add(-1)
	d.found.CompareAndSwap(nil, &t)
	return *d.found.Load()
}

// lazyName holds a name that is put together when it is first asked for.
type lazyName struct{ p atomic.Pointer[string] }

// maxNameLength bounds the names of types: a type may mention another many times,
// and that one a third.
const maxNameLength = 1 << 16

func (l *lazyName) get(build func() string) string {
	if p := l.p.Load(); p != nil {
		return *p
	}
	s := build()
	if len(s) > maxNameLength {
		s = s[:maxNameLength] + "…"
	}
	l.p.Store(&s)
	return s
}

// AnyType is the type of values about which nothing is known.
type AnyType struct{ _ byte }

// Error is the type of an expression that is wrong. Diags say why, unless that has been reported
// elsewhere.
type Error struct{ Diags []diag.Diagnostic }

// NewError returns an error type.
func NewError(diags ...diag.Diagnostic) *Error { return &Error{Diags: diags} }

// NullType is the type of null. There is one: TNull.
type NullType struct{ _ byte }

func (t *AnyType) Type() Type           { return t }
func (*AnyType) Kind() Kind             { return KindAny }
func (*AnyType) String() string         { return "any" }
func (*AnyType) Flags() ValidationFlags { return 0 }

func (t *Error) Type() Type           { return t }
func (*Error) Kind() Kind             { return KindError }
func (*Error) String() string         { return "error" }
func (*Error) Flags() ValidationFlags { return PreventAssignment }

func (t *NullType) Type() Type           { return t }
func (*NullType) Kind() Kind             { return KindPrimitive }
func (*NullType) String() string         { return "null" }
func (*NullType) Flags() ValidationFlags { return 0 }

// compoundName returns a type's name as it is inside the names of others:
// in parentheses where it would not be clear otherwise.
func compoundName(t Type) string {
	wrap := false
	switch t := t.(type) {
	case *Union:
		wrap = len(t.Members) > 0
	case *Lambda:
		wrap = true
	case *DiscriminatedObject:
		for i := 0; i < len(t.Name); i++ {
			if t.Name[i] == ' ' {
				wrap = true
				break
			}
		}
	case *ScopeReference:
		wrap = t.Scope&(t.Scope-1) != 0
	}
	if wrap {
		return "(" + t.String() + ")"
	}
	return t.String()
}
