// Package manifest builds the Kubernetes manifest of a Radius DeploymentTemplate
// from a compiled template and the values of its parameters, and writes it as YAML
// or JSON. Begin with New, then call Render.
//
// A manifest has one of two shapes, called targets. Design stores the parameters as
// the JSON text of an ARM parameter object, and the provider configuration as an
// object. Radius, for released Radius 0.43 to 0.60, stores the parameters as a map of
// strings, and the provider configuration as JSON text. A cluster accepts one of them.
package manifest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/secret"
)

// The kind and version of every manifest.
const (
	Kind       = "DeploymentTemplate"
	APIVersion = "radapp.io/v1alpha3"
)

// DefaultNamespace is the namespace of a manifest in the design's shape.
const DefaultNamespace = "radius-system"

// Target is the shape of a manifest.
type Target string

// The shapes.
const (
	Design Target = "design"
	Radius Target = "radius"
)

// Parameter is a parameter's value, or a reference to a secret in a key vault.
type Parameter struct {
	Name      string
	Value     armjson.Value
	Reference *armjson.Object
	// Mark is that of the value. A comparison does not show what must not be shown; whether the value
	// may be written is for the caller to decide.
	Mark secret.Mark
}

// Options say what a manifest is made of. As JSON they are what a bundle records of them.
type Options struct {
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace,omitempty"` // "" leaves it to the user who applies the manifest
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`

	Group      string `json:"group,omitempty"` // Radius resource group
	AzureScope string `json:"azureScope,omitempty"`
	AWSScope   string `json:"awsScope,omitempty"`

	Target        Target `json:"target"`                  // "" stands for Design
	Compact       bool   `json:"compact,omitempty"`       // no white space in the template
	DropGenerator bool   `json:"dropGenerator,omitempty"` // no _generator metadata in the template

	// DependsOn are objects of the same namespace that must be ready before the template is deployed. Only Design has them.
	DependsOn []Reference `json:"dependsOn,omitempty"`

	Template []byte `json:"-"` // JSON text, as the compiler printed it
	// Tree is the value of Template, if the caller has parsed it. New does not change it.
	Tree       *armjson.Object `json:"-"`
	Parameters []Parameter     `json:"-"`
	// InSecret names the parameters whose values are in the cluster: in a Secret that has the name of the
	// manifest, each under the name of the parameter.
	InSecret []string `json:"-"`
	// Secure names the parameters whose values are never shown.
	Secure []string `json:"-"`
	// Names returns the names of the resources that the template deploys, as far as they
	// can be computed. It is called if there are names that are neither written out nor
	// those of parameters. It may be nil.
	Names func() []ResourceName `json:"-"`
	// Comments are lines that stand at the top of a manifest in YAML, each as a comment.
	Comments []string `json:"-"`
}

// Reference names an object of the cluster.
type Reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

// Manifest is a manifest that is ready to be written.
type Manifest struct {
	Name, Namespace string
	root            *armjson.Object
	template        *armjson.Object // the value of the template's text in root
	stored          int             // the bytes that the API server stores
	secure          map[string]bool
	comments        []string
	// Warnings are what the user should know about the manifest.
	Warnings []Warning
}

// Warning is something that may go wrong with a manifest later.
type Warning struct {
	Code, Text string
	Option     Option // what the user can give to prevent it, or ""
}

// Option names a field of Options, or the format of Render, in errors and warnings. The program
// that shows them says how a user sets it.
type Option string

// The options that errors and warnings name.
const (
	OptionName       Option = "Name"
	OptionNamespace  Option = "Namespace"
	OptionGroup      Option = "Group"
	OptionAzureScope Option = "AzureScope"
	OptionAWSScope   Option = "AWSScope"
	OptionTarget     Option = "Target"
	OptionCompact    Option = "Compact"
	OptionFormat     Option = "Format"
)

// OptionError says why options make no manifest.
type OptionError struct {
	Option     Option // the option that is wrong, or that would help
	Problem    string
	Suggestion string // a value for the option that would do, or ""
}

// Error returns the problem.
func (e *OptionError) Error() string { return e.Problem }

// The codes of warnings.
const (
	CodeSize         = "manifest-size"
	CodeCollision    = "resource-name-collision"
	CodeSubstitution = "flux-substitution"
	CodeDeletion     = "endless-deletion"
	CodeScope        = "missing-scope"
	CodeNumber       = "large-number"
)

func (m *Manifest) warn(code, format string, args ...any) {
	m.Warnings = append(m.Warnings, Warning{Code: code, Text: fmt.Sprintf(format, args...)})
}

// Check compares the options with what Kubernetes and Radius take. It does not look at
// template and parameters. If several options are wrong, the error has
// Unwrap() []error; each of these errors may be an *OptionError.
func (o *Options) Check() error {
	var wrong []error
	check := func(err error) {
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	check(checkName(o.Name))
	if o.Namespace != "" {
		check(checkNamespace(o.Namespace))
	}
	check(checkLabels(o.Labels))
	check(checkAnnotations(o.Annotations))
	check(CheckGroup(o.Group))
	check(checkAzureScope(o.AzureScope))
	check(checkAWSScope(o.AWSScope))
	check(checkChoice(OptionTarget, "target", o.Target, Design, Radius))
	if o.Target == Radius && o.Group == "" {
		wrong = append(wrong, ErrNoGroup)
	}
	if o.Target == Radius && len(o.DependsOn) > 0 {
		check(optionError(OptionTarget, "manifests of Radius 0.43 to 0.60 cannot say what they depend on"))
	}
	for _, r := range o.DependsOn {
		check(checkReference(r))
	}
	return errors.Join(wrong...)
}

// ErrNoGroup is in the error of Check where the target Radius lacks a resource group.
var ErrNoGroup = errors.New("a manifest for Radius 0.43 to 0.60 needs a resource group: its controllers deploy nothing without one")

// checkChoice compares an option with the values that it takes. "" stands for the first one.
func checkChoice[T ~string](o Option, what string, value T, known ...T) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	var names []string
	for _, k := range known {
		names = append(names, string(k))
	}
	return optionError(o, "%q is not a %s; it is one of %s", value, what, strings.Join(names, ", "))
}

// WithoutReference says what becomes of a secret where the target holds no reference to it.
const WithoutReference = "give the parameter a default, read a secret store that exists instead"

// checkReferences refuses references to secrets that the target cannot hold.
func (o *Options) checkReferences() error {
	if o.Target == Radius {
		var wrong []error
		for _, p := range o.Parameters {
			if p.Reference != nil {
				problem := fmt.Sprintf("parameter %q refers to a secret in a key vault, "+
					"which the manifests of Radius 0.43 to 0.60 cannot hold; %s", p.Name, WithoutReference)
				wrong = append(wrong, &OptionError{Option: OptionTarget, Problem: problem})
			}
		}
		for _, name := range o.InSecret {
			problem := fmt.Sprintf("parameter %q refers to a Secret of the cluster, and Radius 0.43 to 0.60 reads none; %s",
				name, WithoutReference)
			wrong = append(wrong, &OptionError{Option: OptionTarget, Problem: problem})
		}
		if err := errors.Join(wrong...); err != nil {
			return err
		}
	}
	for _, name := range o.InSecret {
		if !isKey(name) {
			return fmt.Errorf("parameter %q: a Secret can have no key of this name; rename the parameter", name)
		}
	}
	return nil
}

// New builds a manifest from options that are right.
func New(o Options) (*Manifest, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if err := o.checkReferences(); err != nil {
		return nil, err
	}
	if o.Tree == nil {
		var err error
		if o.Tree, err = parseTemplate(o.Template); err != nil {
			return nil, err
		}
	}
	text, tree, err := prepare(&o)
	if err != nil {
		return nil, err
	}
	m := &Manifest{Name: o.Name, Namespace: o.Namespace, template: tree, secure: map[string]bool{}, comments: o.Comments}
	for _, name := range o.Secure {
		m.secure[strings.ToLower(name)] = true
	}
	for _, p := range o.Parameters {
		if !p.Mark.Shown() {
			m.secure[strings.ToLower(p.Name)] = true
		}
	}
	spec := armjson.NewObject(armjson.Member{Key: "template", Value: armjson.String(text)})
	config := o.providerConfig()
	if o.Target == Radius {
		spec.Set("parameters", o.stringParameters())
		spec.Set("providerConfig", armjson.String(string(escape(armjson.Append(nil, config, "  ")))+"\n"))
	} else {
		spec.Set("parameters", armjson.String(string(escape(armjson.Append(nil, o.armParameters(), "  ")))+"\n"))
		if len(o.InSecret) > 0 {
			spec.Set("parametersFrom", o.parametersFrom())
		}
		if len(o.DependsOn) > 0 {
			spec.Set("dependsOn", o.dependsOn())
		}
		if config.Len() > 0 {
			spec.Set("providerConfig", config)
		}
	}
	m.root = armjson.NewObject(
		armjson.Member{Key: "kind", Value: armjson.String(Kind)},
		armjson.Member{Key: "apiVersion", Value: armjson.String(APIVersion)},
		armjson.Member{Key: "metadata", Value: metadata(o.Name, o.Namespace, o.Labels, o.Annotations)},
		armjson.Member{Key: "spec", Value: spec},
	)
	m.stored = storedSize(m.root)
	if err := m.checkSize(o.Compact); err != nil {
		return nil, err
	}
	if err := m.checkResources(&o); err != nil {
		return nil, err
	}
	if o.Target == Radius {
		if err := m.checkNumbers(&o); err != nil {
			return nil, err
		}
	}
	m.warnCollisions(o.Tree)
	m.warnSubstitution(o.Annotations)
	return m, nil
}

// metadata returns what a Kubernetes object says of itself.
func metadata(name, namespace string, labels, annotations map[string]string) *armjson.Object {
	o := armjson.NewObject(armjson.Member{Key: "name", Value: armjson.String(name)})
	if namespace != "" {
		o.Set("namespace", armjson.String(namespace))
	}
	setMap(o, "labels", labels)
	setMap(o, "annotations", annotations)
	return o
}

func setMap(o *armjson.Object, name string, m map[string]string) {
	if len(m) == 0 {
		return
	}
	inner := armjson.NewObject()
	for _, k := range slices.Sorted(maps.Keys(m)) {
		inner.Set(k, armjson.String(m[k]))
	}
	o.Set(name, inner)
}

// armParameters returns the parameters as an ARM parameter file holds them.
func (o *Options) armParameters() *armjson.Object {
	out := armjson.NewObject()
	for _, p := range o.Parameters {
		if p.Reference != nil {
			out.Set(p.Name, armjson.NewObject(armjson.Member{Key: "reference", Value: p.Reference}))
		} else {
			out.Set(p.Name, armjson.NewObject(armjson.Member{Key: "value", Value: p.Value}))
		}
	}
	return out
}

// parametersFrom returns where the values of parameters are that the manifest does not hold.
func (o *Options) dependsOn() armjson.Array {
	var out armjson.Array
	for _, r := range o.DependsOn {
		out = append(out, armjson.NewObject(
			armjson.Member{Key: "apiVersion", Value: armjson.String(r.APIVersion)},
			armjson.Member{Key: "kind", Value: armjson.String(r.Kind)},
			armjson.Member{Key: "name", Value: armjson.String(r.Name)},
		))
	}
	return out
}

func (o *Options) parametersFrom() armjson.Array {
	var out armjson.Array
	for _, name := range o.InSecret {
		out = append(out, armjson.NewObject(
			armjson.Member{Key: "name", Value: armjson.String(name)},
			armjson.Member{Key: "secretKeyRef", Value: armjson.NewObject(
				armjson.Member{Key: "name", Value: armjson.String(o.Name)},
				armjson.Member{Key: "key", Value: armjson.String(name)},
			)},
		))
	}
	return out
}

// isKey is true if a Secret can have a key of a name.
func isKey(name string) bool {
	fits := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
	}
	return len(name) <= 253 && name != "." && name != ".." && strings.IndexFunc(name, func(r rune) bool { return !fits(r) }) < 0
}

// stringParameters returns the parameters that a map of strings can hold.
func (o *Options) stringParameters() *armjson.Object {
	out := armjson.NewObject()
	for _, p := range o.Parameters {
		if s, ok := p.Value.(armjson.String); ok {
			out.Set(p.Name, s)
		}
	}
	return out
}

// providerConfig returns where the deployment engine is to put things.
func (o *Options) providerConfig() *armjson.Object {
	config := armjson.NewObject()
	add := func(name, kind, scope string) {
		if scope != "" {
			config.Set(name, armjson.NewObject(
				armjson.Member{Key: "type", Value: armjson.String(kind)},
				armjson.Member{Key: "value", Value: armjson.NewObject(armjson.Member{Key: "scope", Value: armjson.String(scope)})},
			))
		}
	}
	group := ""
	if o.Group != "" {
		group = "/planes/radius/local/resourceGroups/" + o.Group
	}
	add("radius", "Radius", group)
	add("az", "AzureResourceManager", o.AzureScope)
	add("aws", "AWS", o.AWSScope)
	add("deployments", "Microsoft.Resources", group)
	return config
}

// Sizes that clusters have limits for, in bytes of the object's JSON.
const (
	// applyLimit is what the annotations of an object may hold, among them the one of a
	// client-side apply, which holds the object.
	applyLimit = 256 << 10
	// storeLimit is what a cluster stores in one object.
	storeLimit = 3 << 19 // 1.5 MiB
	// appliedKey is the annotation of a client-side apply.
	appliedKey = "kubectl.kubernetes.io/last-applied-configuration"
)

// Large reports whether a client-side apply would fail on the manifest's size.
func (m *Manifest) Large() bool { return m.annotationSize() > applyLimit }

// storedSize returns the bytes that the API server stores for a value: the length of its
// compact JSON, in which <, > and & take six bytes each.
func storedSize(v armjson.Value) int {
	switch v := v.(type) {
	case armjson.String:
		return storedStringSize(string(v))
	case armjson.Array:
		size := len("[]") + max(0, len(v)-1)
		for _, one := range v {
			size += storedSize(one)
		}
		return size
	case *armjson.Object:
		size := len("{}") + max(0, v.Len()-1)
		for name, one := range v.All() {
			size += storedStringSize(name) + len(":") + storedSize(one)
		}
		return size
	}
	return len(armjson.Text(v))
}

func storedStringSize(s string) int {
	size := len(`""`) + len(s)
	for i := 0; i < len(s); i++ {
		size += int(escapes[s[i]])
	}
	return size
}

// escapes are the bytes that the API server's JSON adds to characters of a string.
var escapes = func() (table [256]uint8) {
	for c := range byte(' ') {
		table[c] = uint8(len(`\u0000`) - 1)
	}
	for _, c := range []byte("<>&") {
		table[c] = uint8(len(`\u003c`) - 1)
	}
	for _, c := range []byte("\"\\\b\t\n\f\r") {
		table[c] = 1
	}
	return table
}()

// annotationSize returns the bytes of all annotations after a client-side apply, which
// adds the object with a line break, a namespace and its annotations.
func (m *Manifest) annotationSize() int {
	size := m.stored + len("\n") + len(appliedKey)
	metadata := m.root.Object("metadata")
	if m.Namespace == "" {
		size += len(`"namespace":"default",`)
	}
	annotations := metadata.Object("annotations")
	if annotations == nil {
		return size + len(`"annotations":{},`)
	}
	for name := range annotations.All() {
		size += len(name) + len(annotations.Str(name))
	}
	return size
}

func (m *Manifest) checkSize(compact bool) error {
	switch size := m.stored; {
	case size > storeLimit && compact:
		return fmt.Errorf("the manifest has %s (%d bytes), and a cluster stores at most 1.5 MiB (%d bytes) in one object; "+
			"split the template", human(size), size, storeLimit)
	case size > storeLimit:
		problem := fmt.Sprintf("the manifest has %s (%d bytes), and a cluster stores at most 1.5 MiB (%d bytes) in one object",
			human(size), size, storeLimit)
		return &OptionError{Option: OptionCompact, Problem: problem}
	case m.Large():
		m.warn(CodeSize, "the manifest has %s (%d bytes), and the annotation of a client-side apply holds 256 KiB (%d bytes); "+
			"use kubectl apply --server-side", human(size), size, applyLimit)
	}
	return nil
}

func human(bytes int) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%d KiB", (bytes+1023)/1024)
}

// fluxDisabled is the annotation that keeps Flux from substituting variables.
const fluxDisabled = "kustomize.toolkit.fluxcd.io/substitute"

func (m *Manifest) warnSubstitution(annotations map[string]string) {
	if annotations[fluxDisabled] == "disabled" {
		return
	}
	if mentions(m.root, "${") {
		m.warn(CodeSubstitution, "the manifest contains ${, which Flux replaces where postBuild substitution is on; "+
			"the annotation %s=disabled prevents it", fluxDisabled)
	}
}

// mentions reports whether a string or a name within a value contains a text.
func mentions(v armjson.Value, text string) bool {
	switch v := v.(type) {
	case armjson.String:
		return strings.Contains(string(v), text)
	case armjson.Array:
		return slices.ContainsFunc(v, func(one armjson.Value) bool { return mentions(one, text) })
	case *armjson.Object:
		for name, one := range v.All() {
			if strings.Contains(name, text) || mentions(one, text) {
				return true
			}
		}
	}
	return false
}

// Error returns the warning's text.
func (w *Warning) Error() string { return w.Text }
