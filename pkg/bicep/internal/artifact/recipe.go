package artifact

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// # Sources of recipes
//
// Radius reads the source of a recipe as docker reads the name of an image: without a host it is one of Docker Hub, and
// without a tag it is the latest. A scheme does not count.
//
//	source     = ["https://" | "http://"] [host "/"] repository [":" tag]
//	repository = component { "/" component }

const (
	dockerHub  = "docker.io"
	defaultTag = "latest"
)

var (
	recipeHost = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:]+\])(?::[0-9]+)?$`)
	})
	recipePath = sync.OnceValue(func() *regexp.Regexp {
		const component = `[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`
		return regexp.MustCompile(`^` + component + `(?:/` + component + `)*$`)
	})
)

// ParseRecipe reads the source of a recipe. plainHTTP says that its registry is asked without TLS.
func ParseRecipe(source string, plainHTTP bool) (*Reference, error) {
	text := strings.TrimPrefix(strings.TrimPrefix(source, "https://"), "http://")
	if strings.Contains(text, "@") {
		return nil, errors.New("it has a digest, which Radius does not take; name a tag")
	}
	r := &Reference{Scheme: OCI, Type: Recipe, Registry: dockerHub, Repository: text, Tag: defaultTag, PlainHTTP: plainHTTP}
	host, rest, ok := strings.Cut(text, "/")
	if ok && (strings.ContainsAny(host, ".:") || host == "localhost") {
		r.Registry, r.Repository = strings.ToLower(host), rest
	}
	if mark := strings.LastIndexByte(r.Repository, ':'); mark > strings.LastIndexByte(r.Repository, '/') {
		r.Repository, r.Tag = r.Repository[:mark], r.Repository[mark+1:]
	}
	if r.Registry == "index."+dockerHub {
		r.Registry = dockerHub
	}
	if r.Registry == dockerHub && !strings.Contains(r.Repository, "/") {
		r.Repository = "library/" + r.Repository
	}
	switch {
	case !recipeHost().MatchString(r.Registry) || len(r.Registry) > maxRegistry:
		return nil, fmt.Errorf("%q is not the name of a registry", host)
	case !recipePath().MatchString(r.Repository) || len(r.Repository) > maxRepository:
		return nil, fmt.Errorf("%q is not the name of a repository, which is small letters, digits and slashes", r.Repository)
	case !validTag(r.Tag) || len(r.Tag) > maxTag:
		return nil, fmt.Errorf("%q is not a tag", r.Tag)
	}
	return r, nil
}

// Pinned returns the reference to what a digest stands for in the same repository.
func (r *Reference) Pinned(digest string) *Reference {
	out := *r
	out.Tag, out.Digest = "", digest
	return &out
}
