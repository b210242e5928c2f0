// The command writes the schemas of the resource types that Radius registers by itself and deploys by recipes, from the tags
// of a git directory of radius-project/radius:
//
//	go run ./pkg/bicep/recipes/generate -radius DIR > pkg/bicep/recipes/types.txt
//
// A line is the first and the last release that have a schema, the type with its version, and the schema as JSON without
// texts for people.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// folder is where Radius keeps the manifests of the types that it registers, in a release.
const folder = "deploy/manifest/built-in-providers/self-hosted/"

func main() {
	log.SetFlags(0)
	radius := flag.String("radius", "", "git `DIR` of radius-project/radius")
	flag.Parse()
	text, err := generate(*radius)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)
}

// span are the releases that have a schema.
type span struct {
	first, last int
	schema      string
}

func generate(radius string) (string, error) {
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", radius}, args...)...).Output()
		return string(out), err
	}
	tags, err := git("tag", "--list", "v0.*.0")
	if err != nil {
		return "", fmt.Errorf("git tag in %q: %w", radius, err)
	}
	var releases []int
	for tag := range strings.FieldsSeq(tags) {
		if n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(tag, "v0."), ".0")); err == nil {
			releases = append(releases, n)
		}
	}
	slices.Sort(releases)
	types := map[string][]span{}
	for _, minor := range releases {
		tag := fmt.Sprintf("v0.%d.0", minor)
		files, err := git("ls-tree", "-r", "--name-only", tag, folder)
		if err != nil {
			return "", fmt.Errorf("%s: %w", tag, err)
		}
		for file := range strings.FieldsSeq(files) {
			text, err := git("show", tag+":"+file)
			if err == nil && strings.HasSuffix(file, ".yaml") {
				err = read(types, minor, text)
			}
			if err != nil {
				return "", fmt.Errorf("%s: %s: %w", tag, file, err)
			}
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(types)) {
		for _, s := range types[name] {
			fmt.Fprintf(&b, "0.%d 0.%d %s %s\n", s.first, s.last, name, s.schema)
		}
	}
	return b.String(), nil
}

// read adds the schemas of a manifest of a release.
func read(types map[string][]span, minor int, text string) error {
	var manifest struct {
		Namespace string
		Types     map[string]struct {
			APIVersions map[string]struct{ Schema map[string]any }
		}
	}
	if err := yaml.Unmarshal([]byte(text), &manifest); err != nil {
		return err
	}
	if !strings.HasPrefix(manifest.Namespace, "Radius.") || manifest.Namespace == "Radius.Core" {
		return nil
	}
	for name, of := range manifest.Types {
		for version, v := range of.APIVersions {
			schema, err := json.Marshal(plain(v.Schema))
			if err != nil {
				return err
			}
			name := manifest.Namespace + "/" + name + "@" + version
			list := types[name]
			if n := len(list); n > 0 && list[n-1].schema == string(schema) && list[n-1].last == minor-1 {
				list[n-1].last = minor
			} else {
				types[name] = append(list, span{minor, minor, string(schema)})
			}
		}
	}
	return nil
}

// plain returns a schema without texts for people. The names in properties are not words of a schema.
func plain(schema map[string]any) map[string]any {
	out := map[string]any{}
	for word, v := range schema {
		inner, isMap := v.(map[string]any)
		switch {
		case word == "description":
		case word == "properties" && isMap:
			properties := map[string]any{}
			for name, p := range inner {
				properties[name] = p
				if of, ok := p.(map[string]any); ok {
					properties[name] = plain(of)
				}
			}
			out[word] = properties
		case (word == "items" || word == "additionalProperties") && isMap:
			out[word] = plain(inner)
		default:
			out[word] = v
		}
	}
	return out
}
