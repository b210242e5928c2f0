// Package argocd is what Argo CD and a config management plugin tell each other: the parameters that an Application
// has, and those that it may have.
package argocd

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// parameter is a parameter of an Application.
type parameter struct {
	Name   string            `json:"name"`
	String *string           `json:"string"`
	Array  []string          `json:"array"`
	Map    map[string]string `json:"map"`
}

// Target returns what the parameters of an Application say: text is the JSON of them.
func Target(text string) (settings.Target, error) {
	var t settings.Target
	if text == "" {
		return t, nil
	}
	var list []parameter
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return t, fmt.Errorf("want a list of parameters in JSON: %w", err)
	}
	texts := []string{"template", "name", settings.KeyNamespace,
		settings.KeyGroup, settings.KeyTarget, settings.KeyEnvironment, settings.KeyApplication}
	for _, p := range list {
		switch isText := slices.Contains(texts, p.Name); {
		case isText && p.String == nil:
			return t, fmt.Errorf("%s: want a string", p.Name)
		case p.Name == "template":
			t.Template = *p.String
		case p.Name == "name":
			t.Name = *p.String
		case isText:
			if err := t.Set(settings.Of(p.Name), *p.String); err != nil {
				return t, fmt.Errorf("%s: %w", p.Name, err)
			}
		case p.Name == "parameters" && p.String == nil:
			texts := slices.Clone(p.Array)
			for _, name := range slices.Sorted(maps.Keys(p.Map)) {
				value := p.Map[name]
				if strings.HasPrefix(value, "@") { // it is text, and no file
					value = "@" + value
				}
				texts = append(texts, name+"="+value)
			}
			args, err := settings.ParseArgs(texts)
			if err != nil {
				return t, err
			}
			t.Parameters = append(t.Parameters, args...)
		case p.Name == "parameters":
			return t, errors.New("parameters: want a map or an array")
		case p.Name == "labels" && p.Map != nil:
			t.Labels = p.Map
		case p.Name == "annotations" && p.Map != nil:
			t.Annotations = p.Map
		case p.Name == "labels" || p.Name == "annotations":
			return t, fmt.Errorf("%s: want a map", p.Name)
		default:
			return t, fmt.Errorf("there is no parameter %q%s; values of the template's own parameters belong in the map \"parameters\"",
				p.Name, cli.DidYouMean(p.Name, append(texts, "parameters", "labels", "annotations")))
		}
	}
	return t, nil
}

// Announcement describes a parameter that an Application may have.
type Announcement struct {
	Name       string            `json:"name"`
	Title      string            `json:"title"`
	Tooltip    string            `json:"tooltip"`
	Collection string            `json:"collectionType,omitempty"`
	String     string            `json:"string,omitempty"`
	Map        map[string]string `json:"map,omitempty"`
}

// Announce returns the parameters that an Application may have: those of the plugin, and values of the templates'
// own, by their names.
func Announce(o *project.Project, templates []string, values map[string]string) []Announcement {
	return []Announcement{
		{Name: "template", Title: "Template", Tooltip: "A .bicep or .bicepparam file. Without it: " + strings.Join(templates, ", ")},
		{Name: "parameters", Title: "Parameters", Tooltip: "Values of the template's parameters", Collection: "map", Map: values},
		{Name: "target", Title: "Shape", Tooltip: cli.OrList(settings.TargetNames) + "; radius is for released Radius", String: o.Target},
		{Name: "group", Title: "Resource group", Tooltip: "The Radius resource group to deploy to", String: o.Group},
		{Name: "environment", Title: "Environment", Tooltip: "Value of the parameter environment", String: o.Environment},
		{Name: "name", Title: "Name", Tooltip: "Name of the manifest"},
	}
}
