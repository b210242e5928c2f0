package params

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
)

// ReadFile reads a JSON file of parameters. It may be an ARM parameter file, which
// wraps each value, or a plain object of names and values. Which of the two it is
// follows from its content and from what the template declares; where both could
// be meant, it is refused.
func ReadFile(text []byte, source Source, declared *Declarations) (Layer, []Problem) {
	refuse := func(format string, args ...any) (Layer, []Problem) {
		return nil, []Problem{{Code: CodeFile, Source: source, Message: source.says(format, args...)}}
	}
	names := placer{text: strings.TrimPrefix(string(text), byteOrderMark),
		source: source, top: map[string]Source{}, inner: map[string]Source{}}
	v, problem := parseJSON(names.text, source, declared.hidesName, names.note)
	if v == nil {
		return nil, []Problem{*problem}
	}
	var problems []Problem
	if problem != nil {
		problems = append(problems, *problem)
	}
	top, ok := v.(*armjson.Object)
	if !ok {
		return refuse("want a JSON object of parameters, not %s", describe(v))
	}
	schema, _ := top.Get("$schema")
	schemaText, _ := schema.(armjson.String)
	lower := strings.ToLower(string(schemaText))
	if strings.Contains(lower, "deploymenttemplate.json") {
		return refuse("this is an ARM template, not a parameter file")
	}
	wrapped, hasParameters := top.Get("parameters")
	entries, isObject := wrapped.(*armjson.Object)
	arm := false
	switch {
	case strings.Contains(lower, "deploymentparameters.json"):
		arm = true
		if !hasParameters { // a template may need none; but values must not be overlooked
			for name := range top.All() {
				if !strings.HasPrefix(name, "$") && name != "contentVersion" && name != "metadata" {
					return refuse("this ARM parameter file has no \"parameters\"")
				}
			}
			return nil, problems
		}
	case schemaText != "" && declared.get("$schema") == nil:
		return refuse("the $schema is not that of an ARM parameter file (…/deploymentParameters.json#); " +
			"remove it to give a plain object of values")
	case hasParameters && declared.get("parameters") == nil:
		arm = true // the template has no parameter of this name, so it is the wrapper
	case hasParameters:
		if top.Find("contentVersion") >= 0 && declared.get("contentVersion") == nil {
			arm = true
			break
		}
		if isObject && allWrapped(entries) {
			return refuse("this may be an ARM parameter file, or a value for the template's parameter \"parameters\"; " +
				"add \"$schema\": \"https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#\" " +
				"to say the first, or give it as parameters=@FILE")
		}
	}
	if arm {
		if !isObject {
			return refuse("\"parameters\" must be an object, not %s", describe(wrapped))
		}
		layer, more := armLayer(entries, names.inner, source, declared)
		return layer, append(problems, more...)
	}
	if top.Len() > 0 && allWrapped(top) && !allObjects(top, declared) {
		return refuse("each value is wrapped as in an ARM parameter file, but \"parameters\" around them is missing; " +
			"add it, or give plain values")
	}
	var layer Layer
	for name, v := range top.All() {
		layer = append(layer, Entry{Name: name, Value: JSON{v}, Source: names.top[name]})
	}
	return layer, append(problems, layer.Twins()...)
}

// armLayer reads the entries of an ARM parameter file.
func armLayer(entries *armjson.Object, places map[string]Source, source Source, declared *Declarations) (Layer, []Problem) {
	var layer Layer
	var problems []Problem
	for name, v := range entries.All() {
		at, ok := places[name]
		if !ok {
			at = source
		}
		wrong := func(format string, args ...any) {
			message := fmt.Sprintf("parameter %q: ", name) + fmt.Sprintf(format, args...)
			problems = append(problems, Problem{Code: CodeFile, Parameter: name, Source: at, Message: message})
		}
		entry, isObject := v.(*armjson.Object)
		if !isObject {
			wrong("an ARM parameter file wraps each value: {\"value\": …}")
			continue
		}
		var found []string
		var value Value
		told := len(problems)
		for key, inner := range entry.All() {
			switch key {
			case "value":
				value = JSON{inner}
			case "reference":
				r, ok := inner.(*armjson.Object)
				if !ok || !isKeyVault(r) {
					wrong("a reference must name keyVault.id and secretName")
					found = nil
					continue
				}
				value = Reference{r}
			case "expression":
				s, _ := inner.(armjson.String)
				value = Expression(s)
			case "metadata":
				continue
			default:
				if declared.hides(name)(key) {
					wrong("it has an unknown key; want value or reference")
				} else {
					wrong("unknown key %q; want value or reference", key)
				}
				continue
			}
			found = append(found, key)
		}
		switch {
		case len(found) > 1:
			wrong("want one of value and reference, not both")
		case value != nil:
			layer = append(layer, Entry{Name: name, Value: value, Source: at})
		case len(problems) == told && declared != nil && declared.get(name) == nil: // Bind names it
			layer = append(layer, Entry{Name: name, Value: JSON{armjson.Null{}}, Source: at})
		} // an entry with nothing, or metadata only, gives no value: generate-params writes such
	}
	return layer, append(problems, layer.Twins()...)
}

func isKeyVault(r *armjson.Object) bool {
	vault := r.Object("keyVault")
	if vault == nil {
		return false
	}
	id, _ := vault.Get("id")
	secret, _ := r.Get("secretName")
	_, ok1 := id.(armjson.String)
	_, ok2 := secret.(armjson.String)
	return ok1 && ok2
}

// allWrapped reports whether each value looks like an entry of an ARM parameter file.
func allWrapped(o *armjson.Object) bool {
	for _, v := range o.All() {
		entry, ok := v.(*armjson.Object)
		if !ok {
			return false
		}
		n := 0
		for key, inner := range entry.All() {
			switch key {
			case "value", "expression":
				n++
			case "reference":
				if r, ok := inner.(*armjson.Object); ok && isKeyVault(r) {
					n++
				}
			case "metadata":
			default:
				return false
			}
		}
		if n != 1 {
			return false
		}
	}
	return true
}

// allObjects reports whether the template declares each of the names as an object,
// so that a plain reading fits.
func allObjects(o *armjson.Object, declared *Declarations) bool {
	for name := range o.All() {
		d := declared.get(name)
		if d == nil || d.kind() != kindObject {
			return false
		}
	}
	return true
}

// Twins finds names in one file that differ only by letter case.
func (l Layer) Twins() []Problem {
	var problems []Problem
	seen := map[string]string{}
	for _, e := range l {
		folded := strings.ToLower(e.Name)
		if other, ok := seen[folded]; ok && other != e.Name {
			problems = append(problems, Problem{Code: CodeCase, Parameter: e.Name, Source: e.Source,
				Message: e.Source.says("%q and %q differ only by letter case; keep the one that the template declares", other, e.Name)})
		}
		seen[folded] = e.Name
	}
	return problems
}

// placer notes where parameters are named: at the top of a file, and in its "parameters".
type placer struct {
	text       string
	source     Source
	top, inner map[string]Source
	within     bool // "parameters"

	at, line, column int // where the text was counted to
}

func (p *placer) note(level int, name string, offset int) {
	to := p.top
	switch {
	case level == 1:
		p.within = name == "parameters"
	case level == 2 && p.within:
		to = p.inner
	default:
		return
	}
	passed := p.text[p.at:offset]
	if i := strings.LastIndexByte(passed, '\n'); i >= 0 {
		p.line += strings.Count(passed, "\n")
		p.column = 0
		passed = passed[i+1:]
	}
	p.column += utf8.RuneCountInString(passed)
	p.at = offset
	if _, twice := to[name]; !twice {
		s := p.source
		s.Line, s.Column = p.line+1, p.column+1
		to[name] = s
	}
}
