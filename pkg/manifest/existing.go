package manifest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/secret"
)

// IsManifest reports whether the content of a file is a DeploymentTemplate
// manifest, so that a command that writes manifests may replace it.
func IsManifest(content []byte) bool {
	var head struct {
		Kind       string `json:"kind"`
		APIVersion string `json:"apiVersion"`
	}
	if err := yaml.Unmarshal(withoutTemplate(content), &head); err != nil {
		return false
	}
	return head.Kind == Kind && strings.HasPrefix(head.APIVersion, "radapp.io/")
}

// withoutTemplate leaves out the lines of the literal block that holds the template, which is
// nearly all of a manifest.
func withoutTemplate(content []byte) []byte {
	const header, indent = "\n  template: |\n", "    "
	start := bytes.Index(content, []byte(header))
	if start < 0 {
		return content
	}
	start += len(header)
	rest := content[start:]
	for len(rest) > 0 && (rest[0] == '\n' || bytes.HasPrefix(rest, []byte(indent))) {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest) - 1
		}
		rest = rest[end+1:]
	}
	return append(slices.Clip(content[:start]), rest...)
}

// Masked returns two contents of the manifest's file, that which is there and the
// manifest's own, as a comparison may show them: without the values of parameters
// that are secure now, or were when the old content was made. ok is false if nothing of
// the old content may be shown, since it is not one manifest that can be read.
func (m *Manifest) Masked(old []byte, f Format) (before, after []byte, ok bool) {
	var former *parsed
	if len(bytes.TrimSpace(old)) > 0 {
		root, ok := readManifest(old)
		if !ok {
			return nil, nil, false
		}
		former = parse(inOrder(root, m.root))
	}
	k := masker{names: maps.Clone(m.secure)}
	k.addOnceSecure(former)
	if len(k.names) == 0 && !k.all {
		rendered, err := m.Render(f)
		return old, rendered, err == nil
	}
	own := parse(m.root)
	k.collect(former)
	k.collect(own)
	after, err := below(m.comments, k.manifest(own), f)
	if err != nil || former == nil {
		return nil, after, err == nil
	}
	before, err = below(redacted(commentsOf(old), k.redact), k.manifest(former), f)
	return before, after, err == nil
}

// redacted returns texts without what is secret in them.
func redacted(texts []string, redact func(string) string) []string {
	for i := range texts {
		texts[i] = redact(texts[i])
	}
	return texts
}

// parsed is a manifest with what the texts in it mean.
type parsed struct {
	root       *armjson.Object
	template   *armjson.Object // nil if it cannot be read
	parameters armjson.Value   // an object, if they can be read
}

func parse(root *armjson.Object) *parsed {
	p := &parsed{root: root}
	spec := objectIn(root, "spec")
	v, err := armjson.Parse(textIn(spec, "template"), armjson.Options{Comments: true, MaxDepth: armjson.TemplateMaxDepth})
	if template, ok := v.(*armjson.Object); ok && err == nil {
		p.template = template
	}
	p.parameters, _ = member(spec, "parameters")
	if s, ok := p.parameters.(armjson.String); ok {
		if p.parameters, err = armjson.Parse(string(s), armjson.Options{}); err != nil {
			p.parameters = nil
		}
	}
	return p
}

// Hides reports whether the value of a parameter must not be shown.
func (m *Manifest) Hides(name string) bool { return m.secure[strings.ToLower(name)] }

// readManifest reads a manifest in YAML or JSON. ok is false if the content is anything
// else, or more than one document.
func readManifest(content []byte) (root *armjson.Object, ok bool) {
	if !IsManifest(content) || !oneDocument(content) {
		return nil, false
	}
	asJSON, err := yaml.YAMLToJSON(content)
	if err != nil {
		return nil, false
	}
	v, err := armjson.ParseBytes(asJSON, armjson.Options{})
	root, ok = v.(*armjson.Object)
	return root, err == nil && ok
}

// oneDocument reports whether a YAML text holds one document and no more.
func oneDocument(content []byte) bool {
	d := yamlv3.NewDecoder(bytes.NewReader(content))
	var n yamlv3.Node
	return d.Decode(&n) == nil && errors.Is(d.Decode(&n), io.EOF)
}

// masker hides values in manifests. The values in a manifest on disk carry no marks. So it hides
// the values of secure parameters, and their text wherever else it stands.
type masker struct {
	names map[string]bool // of the secure parameters, in lower case
	all   bool            // every parameter may be secure: the template cannot be read
	texts []string        // the secret texts, the longest first
	// replacer hides the texts, however many there are, in one pass.
	replacer *strings.Replacer
}

// shortText is the length from which on a secret text is hidden wherever it stands:
// shorter ones stand anywhere by chance.
const shortText = 4

func (k *masker) hides(name string) bool { return k.all || k.names[strings.ToLower(name)] }

// addOnceSecure adds the parameters that the template in a manifest declares as secure,
// and those of types that may be.
func (k *masker) addOnceSecure(p *parsed) {
	if p == nil {
		return
	}
	template := p.template
	if template == nil {
		k.all = true
		return
	}
	mentions := func(v armjson.Value, what string) bool {
		return v != nil && strings.Contains(strings.ToLower(armjson.Text(v)), what)
	}
	definitions, _ := member(template, "definitions")
	secureTypes := mentions(definitions, `"secure`)
	for name, p := range objectIn(template, "parameters").All() {
		if mentions(p, `"secure`) || secureTypes && mentions(p, `"$ref"`) {
			k.names[strings.ToLower(name)] = true
		}
	}
}

// collect notes the texts of the secure values in a manifest.
func (k *masker) collect(p *parsed) {
	if p == nil {
		return
	}
	if o, ok := p.parameters.(*armjson.Object); ok {
		for name, v := range o.All() {
			if k.hides(name) {
				k.note(v)
			}
		}
	}
	if p.template != nil {
		for name, v := range objectIn(p.template, "parameters").All() {
			if p, ok := v.(*armjson.Object); ok && k.hides(name) {
				if v, ok := member(p, "defaultValue"); ok {
					k.note(v)
				}
			}
		}
	}
	k.compile()
}

// compile makes the replacer of the texts.
func (k *masker) compile() {
	slices.SortFunc(k.texts, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	k.texts = slices.Compact(k.texts)
	pairs := make([]string, 0, 2*len(k.texts))
	for _, text := range k.texts {
		pairs = append(pairs, text, secret.Text)
	}
	k.replacer = strings.NewReplacer(pairs...)
}

// note notes the texts in a secret value.
func (k *masker) note(v armjson.Value) {
	switch v := v.(type) {
	case armjson.String:
		if len(v) >= shortText {
			k.texts = append(k.texts, string(v))
			if quoted := string(armjson.AppendString(nil, string(v))); quoted[1:len(quoted)-1] != string(v) {
				k.texts = append(k.texts, quoted[1:len(quoted)-1]) // as JSON has it
			}
		}
		if inner, err := armjson.Parse(string(v), armjson.Options{}); err == nil {
			if _, isText := inner.(armjson.String); !isText {
				k.note(inner) // a radius manifest holds objects as text
			}
		}
	case armjson.Number:
		if len(v) >= shortText {
			k.texts = append(k.texts, string(v))
		}
	case armjson.Array:
		for _, x := range v {
			k.note(x)
		}
	case *armjson.Object:
		for name, x := range v.All() {
			if r, ok := x.(*armjson.Object); ok && name == "reference" && objectIn(r, "keyVault") != nil {
				continue // it names a secret and holds none
			}
			k.note(x)
		}
	}
}

// manifest returns a manifest without the values that are secret. Of members whose names
// differ by letter case, parse has read one; the others are not shown.
func (k *masker) manifest(p *parsed) *armjson.Object {
	out := armjson.NewObject()
	for name, v := range p.root.All() {
		spec, ok := v.(*armjson.Object)
		switch {
		case !ok || !strings.EqualFold(name, "spec"):
			out.Set(k.redact(name), k.rest(v))
			continue
		case spec != objectIn(p.root, "spec"):
			out.Set(name, armjson.String(secret.Text))
			continue
		}
		copied := armjson.NewObject()
		for name, v := range spec.All() {
			switch {
			case name != spelling(spec, "template") && strings.EqualFold(name, "template"),
				name != spelling(spec, "parameters") && strings.EqualFold(name, "parameters"):
				v = armjson.String(secret.Text)
			case strings.EqualFold(name, "parameters"):
				v = k.parameters(v, p.parameters)
			case strings.EqualFold(name, "template"):
				v = k.template(v, p.template)
			default:
				v = k.rest(v)
			}
			copied.Set(k.redact(name), v)
		}
		out.Set(name, copied)
	}
	return out
}

// rest returns a value that is neither parameters nor a template, without the texts that
// are secret. A copy of a whole manifest, as kubectl leaves in an annotation, may be an
// older one, so nothing of it is shown.
func (k *masker) rest(v armjson.Value) armjson.Value {
	switch v := v.(type) {
	case armjson.String:
		if strings.Contains(string(v), `"parameters"`) {
			return armjson.String(secret.Text)
		}
		return armjson.String(k.redact(string(v)))
	case armjson.Number:
		if slices.Contains(k.texts, string(v)) {
			return armjson.String(secret.Text)
		}
	case armjson.Array:
		out := make(armjson.Array, len(v))
		for i, x := range v {
			out[i] = k.rest(x)
		}
		return out
	case *armjson.Object:
		out := armjson.NewObject()
		for name, x := range v.All() {
			out.Set(k.redact(name), k.rest(x))
		}
		return out
	}
	return v
}

func (k *masker) redact(s string) string {
	return k.replacer.Replace(s)
}

// parameters hides the values of secure parameters. written is how the manifest holds the
// parameters: as an object or as its text.
func (k *masker) parameters(written, parameters armjson.Value) armjson.Value {
	o, ok := parameters.(*armjson.Object)
	if !ok {
		return armjson.String(secret.Text)
	}
	out := armjson.NewObject()
	if _, asText := written.(armjson.String); asText {
		for name, value := range o.All() {
			if p, ok := value.(*armjson.Object); ok && k.hides(name) && p.Find("reference") < 0 {
				value = armjson.NewObject(armjson.Member{Key: "value", Value: armjson.String(secret.Text)})
			} else if !ok && k.hides(name) {
				value = armjson.String(secret.Text)
			} else {
				value = k.rest(value)
			}
			out.Set(name, value)
		}
		return jsonText(out)
	}
	for name, value := range o.All() {
		if k.hides(name) {
			value = armjson.String(secret.Text)
		}
		out.Set(name, k.rest(value))
	}
	return out
}

// template hides the defaults of secure parameters, which are the values that the radius
// target writes. written is the template's text.
func (k *masker) template(written armjson.Value, template *armjson.Object) armjson.Value {
	if template == nil {
		return armjson.String(secret.Text)
	}
	text, _ := written.(armjson.String)
	hidden := false
	without := template.Clone()
	for key, v := range template.All() {
		parameters, ok := v.(*armjson.Object)
		if !ok || !strings.EqualFold(key, "parameters") {
			continue
		}
		parameters = parameters.Clone()
		for name, v := range parameters.All() {
			if p, ok := v.(*armjson.Object); ok && k.hides(name) {
				for key := range p.All() {
					if strings.EqualFold(key, "defaultValue") {
						p = p.Clone()
						p.Set(key, armjson.String(secret.Text))
						parameters.Set(name, p)
						hidden = true
					}
				}
			}
		}
		without.Set(key, parameters)
	}
	if hidden {
		text = jsonText(without)
	}
	return armjson.String(k.redact(string(text)))
}

func jsonText(o *armjson.Object) armjson.String {
	return armjson.String(string(escape(armjson.Append(nil, o, "  "))) + "\n")
}

// member looks a name up without regard to case, where it is not there as it is spelt.
func member(o *armjson.Object, name string) (armjson.Value, bool) {
	if o == nil {
		return nil, false
	}
	return o.Get(spelling(o, name))
}

// spelling returns how an object spells a name: as it is given, or else with other letter
// cases. It is the name itself if there is no such member.
func spelling(o *armjson.Object, name string) string {
	if o.Find(name) >= 0 {
		return name
	}
	for k := range o.All() {
		if strings.EqualFold(k, name) {
			return k
		}
	}
	return name
}

func objectIn(o *armjson.Object, name string) *armjson.Object {
	v, _ := member(o, name)
	inner, ok := v.(*armjson.Object)
	if !ok {
		return armjson.NewObject()
	}
	return inner
}

func textIn(o *armjson.Object, name string) string {
	v, _ := member(o, name)
	s, _ := v.(armjson.String)
	return string(s)
}

// inOrder returns an object with its members in the order of another's, at any depth.
func inOrder(o, like *armjson.Object) *armjson.Object {
	out := armjson.NewObject()
	put := func(k string, v armjson.Value) {
		other, _ := like.Get(k)
		out.Set(k, valueInOrder(v, other))
	}
	for k := range like.All() {
		if v, ok := o.Get(k); ok {
			put(k, v)
		}
	}
	for k, v := range o.All() {
		if out.Find(k) < 0 {
			put(k, v)
		}
	}
	return out
}

func valueInOrder(v, like armjson.Value) armjson.Value {
	switch v := v.(type) {
	case *armjson.Object:
		if like, ok := like.(*armjson.Object); ok {
			return inOrder(v, like)
		}
	case armjson.Array:
		like, _ := like.(armjson.Array)
		out := slices.Clone(v)
		for i := range min(len(v), len(like)) {
			out[i] = valueInOrder(v[i], like[i])
		}
		return out
	}
	return v
}
