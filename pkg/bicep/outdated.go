package bicep

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
)

// Outdated is a reference to an artifact of which there is something newer.
type Outdated struct {
	Reference string   `json:"reference"`
	Kind      string   `json:"kind"`
	Current   string   `json:"current"`          // the tag
	Latest    string   `json:"latest,omitempty"` // the newest tag of its kind; absent if there is none that is newer
	Newer     []string `json:"newer,omitempty"`  // all newer ones, the oldest first
	// Moved is the digest that the tag has now, where the lock file names another.
	Moved string `json:"moved,omitempty"`
	// Error says why the registry did not answer.
	Error string `json:"error,omitempty"`
}

// FindOutdated looks for newer versions of the artifacts that files lead to, other than those
// that built-in types stand in for.
func FindOutdated(ctx context.Context, r RestoreRequest) (list []Outdated, err error) {
	defer contain(strings.Join(r.Files, ", "), &err)
	if r.FS == nil {
		return nil, ErrNoFS
	}
	readers := map[string]*cache.Reader{}
	var found []*cache.Found
	seen := map[string]bool{}
	settings := config.BuiltIn()
	for i, path := range r.Files {
		place := lockfile.Place(r.FS, path, r.Root)
		reader := readers[place]
		if reader == nil {
			reader = r.Artifacts.reader(r.FS, r.Root, func() string { return place })
			readers[place] = reader
		}
		program, err := graph.Load(ctx, path, graph.Options{FS: r.FS, Artifacts: reader, Extensions: r.Artifacts.Extensions})
		if err != nil {
			return nil, err
		}
		if i == 0 {
			settings = program.Entry.Config
		}
	}
	for _, reader := range readers {
		for _, f := range reader.All() {
			if key := f.Reference.String(); f.State != cache.Replaced && f.Reference.Scheme == artifact.OCI && f.Reference.Tag != "" && !seen[key] {
				seen[key] = true
				found = append(found, f)
			}
		}
	}
	client := r.Artifacts.client(settings)
	defer client.Close()
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, 8)
	for _, f := range found {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			o := Outdated{Reference: f.Reference.String(), Kind: f.Reference.Type.String(), Current: f.Reference.Tag}
			switch {
			case r.Artifacts.Offline:
				o.Error = "the run is offline, so the registry was not asked"
			case !f.Reference.Trusted(r.Artifacts.Trusted):
				o.Error = "the registry " + f.Reference.Registry + " is not trusted; list it in BICEP_TRUSTED_REGISTRIES"
			default:
				tags, err := client.Tags(ctx, f.Reference)
				if err != nil {
					o.Error = err.Error()
					break
				}
				o.Newer = newer(f.Reference.Tag, tags)
				if n := len(o.Newer); n > 0 {
					o.Latest = o.Newer[n-1]
				}
				if f.Lock != nil {
					if e, err := client.Resolve(ctx, f.Reference); err != nil {
						o.Error = err.Error()
					} else if e.Digest != f.Lock.Digest {
						o.Moved = e.Digest
					}
				}
			}
			if o.Latest != "" || o.Moved != "" || o.Error != "" {
				mu.Lock()
				defer mu.Unlock()
				list = append(list, o)
			}
		})
	}
	wg.Wait()
	slices.SortFunc(list, func(a, b Outdated) int { return strings.Compare(a.Reference, b.Reference) })
	return list, ctx.Err()
}

// newer returns the tags that are versions newer than one, the oldest first. A tag
// that is not a version has none, and neither are versions before a release newer than
// one, unless it is such a version itself.
func newer(current string, tags []string) []string {
	have, ok := parseVersion(current)
	if !ok {
		return nil
	}
	type tagged struct {
		tag string
		v   version
	}
	var list []tagged
	for _, tag := range tags {
		v, ok := parseVersion(tag)
		if ok && v.prefix == have.prefix && v.compare(have) > 0 && (v.pre == "" || have.pre != "") {
			list = append(list, tagged{tag, v})
		}
	}
	slices.SortFunc(list, func(a, b tagged) int {
		if c := a.v.compare(b.v); c != 0 {
			return c
		}
		return strings.Compare(a.tag, b.tag)
	})
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.tag
	}
	return out
}

// version is a tag such as v1, 0.58 or 1.2.3-beta.1.
type version struct {
	prefix  string // v or nothing
	numbers []uint64
	pre     string
}

func parseVersion(tag string) (v version, ok bool) {
	rest := tag
	if strings.HasPrefix(rest, "v") {
		v.prefix, rest = "v", rest[1:]
	}
	rest, v.pre, _ = strings.Cut(rest, "-")
	for part := range strings.SplitSeq(rest, ".") {
		n, err := strconv.ParseUint(part, 10, 63)
		if err != nil {
			return version{}, false
		}
		v.numbers = append(v.numbers, n)
	}
	return v, len(v.numbers) <= 4
}

// compare orders versions as Semantic Versioning does.
func (v version) compare(o version) int {
	for i := range max(len(v.numbers), len(o.numbers)) {
		var a, b uint64
		if i < len(v.numbers) {
			a = v.numbers[i]
		}
		if i < len(o.numbers) {
			b = o.numbers[i]
		}
		if a != b {
			if a < b {
				return -1
			}
			return 1
		}
	}
	switch {
	case v.pre == o.pre:
		return 0
	case v.pre == "":
		return 1
	case o.pre == "":
		return -1
	}
	a, b := strings.Split(v.pre, "."), strings.Split(o.pre, ".")
	for i := range min(len(a), len(b)) {
		if c := comparePart(a[i], b[i]); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

// comparePart orders parts of what follows the hyphen: numbers by value and before
// words, words as texts.
func comparePart(a, b string) int {
	x, err1 := strconv.ParseUint(a, 10, 63)
	y, err2 := strconv.ParseUint(b, 10, 63)
	switch {
	case err1 == nil && err2 == nil && x != y:
		if x < y {
			return -1
		}
		return 1
	case err1 == nil && err2 == nil:
		return 0
	case err1 == nil:
		return -1
	case err2 == nil:
		return 1
	}
	return strings.Compare(a, b)
}
