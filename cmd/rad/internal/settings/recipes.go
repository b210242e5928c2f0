package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
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

// over returns what is said by r, and beside it what is said by a place that counts less.
func (r Recipes) over(less Recipes) Recipes {
	out := less
	if r.Environment != "" {
		out.Environment = r.Environment
	}
	if r.Packs != nil {
		out.Packs = r.Packs
	}
	if r.Types != nil {
		out.Types = r.Types
	}
	out.Sources, out.Assume = both(less.Sources, r.Sources), both(less.Assume, r.Assume)
	return out
}

func both[V any](less, more map[string]V) map[string]V {
	if len(less)+len(more) == 0 {
		return nil
	}
	out := maps.Clone(less)
	if out == nil {
		out = map[string]V{}
	}
	maps.Copy(out, more)
	return out
}

// At returns the same with its paths as at gives them, without those of which it gives none.
func (r Recipes) At(at func(path string) string) Recipes {
	each := func(list []string) (out []string) {
		for _, path := range list {
			if !strings.HasPrefix(path, generate.DefaultPack) {
				path = at(path)
			}
			if path != "" {
				out = append(out, path)
			}
		}
		return out
	}
	if r.Environment != "" {
		r.Environment = at(r.Environment)
	}
	r.Packs, r.Types = each(r.Packs), each(r.Types)
	if r.Sources != nil {
		sources := map[string]string{}
		for from, path := range r.Sources {
			if path = at(path); path != "" {
				sources[from] = path
			}
		}
		r.Sources = sources
	}
	return r
}

// paths calls yield with the keys and the path of each file.
func (r Recipes) paths(yield func(path string, keys ...string)) {
	yield(r.Environment, "environment")
	for i, path := range r.Packs {
		if !strings.HasPrefix(path, generate.DefaultPack) {
			yield(path, "packs", fmt.Sprint(i))
		}
	}
	for i, path := range r.Types {
		yield(path, "types", fmt.Sprint(i))
	}
	for _, from := range slices.Sorted(maps.Keys(r.Sources)) {
		yield(r.Sources[from], "sources", from)
	}
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
	if r.Environment, err = flags.GetString("recipes"); err != nil {
		return r, err
	}
	sources, err := flags.GetStringArray("recipe-source")
	if err != nil {
		return r, err
	}
	for _, one := range sources {
		from, path, ok := strings.Cut(one, "=")
		if !ok || from == "" || path == "" {
			return r, cli.Fail(cli.ExitUsage, "--recipe-source %s: want SOURCE=PATH", one)
		}
		if from, err = untagged(from); err != nil {
			return r, cli.Fail(cli.ExitUsage, "--recipe-source %s: %w", one, err)
		}
		r.Sources = both(r.Sources, map[string]string{from: path})
	}
	assumed, err := flags.GetStringArray("assume")
	if err != nil {
		return r, err
	}
	for _, one := range assumed {
		name, value, ok := strings.Cut(one, "=")
		name, isJSON := strings.CutSuffix(name, ":")
		if !ok || !isAssumed(name) {
			return r, cli.Fail(cli.ExitUsage, "--assume %s: want TYPE/NAME.PROPERTY=VALUE, or := with a JSON value", one)
		}
		var v armjson.Value = armjson.String(value)
		if isJSON {
			if v, err = armjson.Parse(value, armjson.Options{}); err != nil {
				return r, cli.Fail(cli.ExitUsage, "--assume %s: the value is not JSON: %w", one, err)
			}
		}
		point := strings.LastIndexByte(name, '.')
		r.Assume = both(r.Assume, map[string]armjson.Value{strings.ToLower(name[:point]) + name[point:]: v})
	}
	return r, nil
}

// isAssumed reports whether a text is TYPE/NAME.PROPERTY. Types have points, and so may names.
func isAssumed(text string) bool {
	point := strings.LastIndexByte(text, '.')
	return strings.Count(text, "/") == 2 && point > strings.LastIndexByte(text, '/')+1 && point < len(text)-1
}
