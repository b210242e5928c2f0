package settings

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/recipes"
	"github.com/radbicep/rad/pkg/generate"
)

// Recipes is what stands for a cluster of Radius where plain objects are made. Places that say something of it are merged key
// by key, and so are sources and what is assumed.
type Recipes struct {
	Environment  string            // a file that declares environments and recipe packs
	Packs, Types []string          // files of more packs, or default@RELEASE; and manifests of resource types
	Sources      map[string]string // files by the sources of recipes, without tags
	// Assume has values by TYPE/NAME.PROPERTY.
	Assume map[string]armjson.Value
}

// KeyRecipes is the key of Recipes in a settings file, RecipeFlags are the flags, and recipeKeys the keys within.
const KeyRecipes = "recipes"

var (
	RecipeFlags = []string{"recipes", "recipe-source", "assume"}
	recipeKeys  = []string{"environment", "packs", "types", "sources", "assume"}
)

// IsZero reports whether nothing is said.
func (r Recipes) IsZero() bool { return reflect.ValueOf(r).IsZero() }

// add adds what a place says that counts more.
func (r *Recipes) add(more Recipes) {
	r.Environment = cmp.Or(more.Environment, r.Environment)
	if more.Packs != nil {
		r.Packs = more.Packs
	}
	if more.Types != nil {
		r.Types = more.Types
	}
	maps.Copy(r.Sources, more.Sources)
	maps.Copy(r.Assume, more.Assume)
}

// At returns the same with its paths as at gives them, without those of which it gives none.
func (r Recipes) At(at func(path string) string) Recipes {
	return r.each(func(path string, _ ...string) string { return at(path) })
}

// each is At, where at gets the keys that lead to a path, too.
func (r Recipes) each(at func(path string, keys ...string) string) Recipes {
	list := func(key string, paths []string) (out []string) {
		for i, path := range paths {
			if !strings.HasPrefix(path, generate.DefaultPack) {
				path = at(path, key, strconv.Itoa(i))
			}
			if path != "" {
				out = append(out, path)
			}
		}
		return out
	}
	if r.Environment != "" {
		r.Environment = at(r.Environment, "environment")
	}
	r.Packs, r.Types = list("packs", r.Packs), list("types", r.Types)
	r.Sources = maps.Clone(r.Sources)
	for _, from := range slices.Sorted(maps.Keys(r.Sources)) {
		if r.Sources[from] = at(r.Sources[from], "sources", from); r.Sources[from] == "" {
			delete(r.Sources, from)
		}
	}
	return r
}

// readRecipes reads the key recipes of a file or of a target.
func readRecipes(v any) (r Recipes, err error) {
	m, ok := v.(map[string]any)
	if !ok {
		return r, errors.New("want keys and values: " + strings.Join(recipeKeys, ", "))
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		v := m[key]
		var err error
		switch {
		case v == nil:
		case key == "environment":
			r.Environment, err = textValue(v)
		case key == "packs":
			if r.Packs, err = textList(v); err == nil {
				err = checkPacks(r.Packs)
			}
		case key == "types":
			r.Types, err = textList(v)
		case key == "sources":
			r.Sources, err = readSources(v)
		case key == "assume":
			r.Assume, err = readAssumed(v)
		default:
			return r, unknownKey(key, recipeKeys)
		}
		if err != nil {
			return r, inKey(key, err)
		}
	}
	return r, nil
}

// checkPacks refuses default packs of what is no release.
func checkPacks(packs []string) error {
	for _, pack := range packs {
		release, ok := strings.CutPrefix(pack, generate.DefaultPack)
		if ok && (strings.Trim(release, "0123456789.") != "" || !strings.Contains(release, ".")) {
			return fmt.Errorf("%q: want %s and a release of Radius, such as %[2]s0.60", pack, generate.DefaultPack)
		}
	}
	return nil
}

// readSources reads SOURCE: PATH.
func readSources(v any) (map[string]string, error) {
	m, err := textMap(v)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, from := range slices.Sorted(maps.Keys(m)) {
		source, err := untagged(from)
		if _, twice := out[source]; twice {
			err = fmt.Errorf("%s is named twice", source)
		}
		if err != nil {
			return nil, inKey(from, err)
		}
		out[source] = m[from]
	}
	return out, nil
}

// untagged returns the source of a recipe in the spelling by which it is found. One with a tag is refused, since it would stand for
// all tags.
func untagged(from string) (string, error) {
	source := recipes.Repository(from)
	if from != source && !strings.HasSuffix(from, "://"+source) {
		return "", fmt.Errorf("want the source without its tag: %s", source)
	}
	return source, nil
}

// readAssumed reads TYPE/NAME: {PROPERTY: VALUE}. Letter case tells no types and names apart.
func readAssumed(v any) (map[string]armjson.Value, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("want properties by TYPE/NAME")
	}
	out := map[string]armjson.Value{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		properties, ok := m[name].(map[string]any)
		if !ok || strings.Count(name, "/") != 2 {
			return nil, inKey(name, errors.New("want TYPE/NAME: {PROPERTY: VALUE}"))
		}
		for property, v := range properties {
			text, err := json.Marshal(v)
			key := strings.ToLower(name) + "." + property
			if _, twice := out[key]; twice {
				err = errors.New("the property is said twice")
			} else if err == nil {
				out[key], err = armjson.ParseBytes(text, armjson.Options{})
			}
			if err != nil {
				return nil, inKey(name, inKey(property, err))
			}
		}
	}
	return out, nil
}

// flaggedRecipes returns what flags say.
func flaggedRecipes(flags *pflag.FlagSet) (r Recipes, err error) {
	if flags.Lookup("recipes") == nil {
		return r, nil
	}
	r.Sources, r.Assume = map[string]string{}, map[string]armjson.Value{}
	if r.Environment, err = flags.GetString("recipes"); err != nil {
		return r, err
	}
	err = pairs(flags, "recipe-source", "SOURCE=PATH", func(from, path string) (err error) {
		if path == "" {
			return errors.New("want SOURCE=PATH")
		}
		if from, err = untagged(from); err == nil {
			r.Sources[from] = path
		}
		return err
	})
	if err != nil {
		return r, err
	}
	const want = "TYPE/NAME.PROPERTY=VALUE, or := with a JSON value"
	return r, pairs(flags, "assume", want, func(name, value string) error {
		name, isJSON := strings.CutSuffix(name, ":")
		if !isAssumed(name) {
			return errors.New("want " + want)
		}
		var v armjson.Value = armjson.String(value)
		if isJSON {
			if v, err = armjson.Parse(value, armjson.Options{}); err != nil {
				return fmt.Errorf("the value is not JSON: %w", err)
			}
		}
		point := strings.LastIndexByte(name, '.')
		r.Assume[strings.ToLower(name[:point])+name[point:]] = v
		return nil
	})
}

// isAssumed reports whether a text is TYPE/NAME.PROPERTY. Types have points, and so may names.
func isAssumed(text string) bool {
	point := strings.LastIndexByte(text, '.')
	return strings.Count(text, "/") == 2 && point > strings.LastIndexByte(text, '/')+1 && point < len(text)-1
}
