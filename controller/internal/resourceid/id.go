// Package resourceid reads the IDs of resources: those of Radius, AWS, Azure and Kubernetes.
package resourceid

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Plane says who holds a resource.
type Plane int

// The planes.
const (
	Radius Plane = iota
	AWS
	Azure
	Kubernetes
	Other
)

// ID is a parsed ID of a resource or of a scope.
type ID struct {
	text      string
	plane     Plane
	planeName string
	typ       string
	name      string
}

// Parse reads an ID. It refuses text that could lead a request elsewhere.
func Parse(text string) (ID, error) {
	if !strings.HasPrefix(text, "/") {
		return ID{}, fmt.Errorf("%q is not a resource ID: it does not begin with a slash", text)
	}
	trimmed := strings.TrimRight(text, "/")
	if trimmed == "" {
		return ID{}, errors.New(`"/" is not a resource ID`)
	}
	segments := strings.Split(trimmed[1:], "/")
	for _, s := range segments {
		if s == "" || s == "." || s == ".." {
			return ID{}, fmt.Errorf("%q is not a resource ID: a part of it is empty or only dots", text)
		}
		if escapesDots(s) {
			return ID{}, fmt.Errorf("%q is not a resource ID: a part of it is only dots when it is decoded", text)
		}
	}
	if i := strings.IndexFunc(trimmed, func(r rune) bool { return r < ' ' || r == 0x7f || r == '?' || r == '#' || r == '\\' }); i >= 0 {
		return ID{}, fmt.Errorf("%q is not a resource ID: it holds %q", text, trimmed[i])
	}
	id := ID{text: trimmed, plane: Other}
	lower := func(i int) string {
		if i < len(segments) {
			return strings.ToLower(segments[i])
		}
		return ""
	}
	switch lower(0) {
	case "subscriptions":
		id.plane = Azure
	case "planes":
		switch lower(1) {
		case "radius":
			id.plane = Radius
		case "aws":
			id.plane = AWS
		case "azure":
			id.plane = Azure
		case "kubernetes":
			id.plane = Kubernetes
		}
		if len(segments) > 2 {
			id.planeName = segments[2]
		}
	}
	last := -1
	for i := range segments {
		if lower(i) == "providers" && i+2 < len(segments) {
			last = i
			if id.plane == AWS {
				break // what follows is an identifier, which may hold anything
			}
		}
	}
	if last < 0 || last+3 >= len(segments) {
		return id, nil
	}
	rest := segments[last+1:]
	if id.plane == AWS {
		id.typ, id.name = rest[0]+"/"+rest[1], strings.Join(rest[2:], "/")
		return id, nil
	}
	if len(rest)%2 == 0 { // ends with a type: a list, not a resource
		return id, nil
	}
	types := []string{rest[0]}
	for i := 1; i < len(rest); i += 2 {
		types = append(types, rest[i])
	}
	typ := strings.Join(types, "/")
	switch strings.ToLower(typ) {
	case "system.resources/resourcegroups", "microsoft.resources/resourcegroups", "microsoft.resources/subscriptions":
		return id, nil
	}
	id.typ, id.name = typ, rest[len(rest)-1]
	return id, nil
}

// escapesDots is true of a part that is, or holds, a part of only dots when it is decoded, once or
// more often: servers on the way to Radius decode.
func escapesDots(part string) bool {
	for strings.Contains(part, "%") {
		decoded := escape.ReplaceAllStringFunc(part, func(s string) string {
			b, _ := hex.DecodeString(s[1:])
			return string(b)
		})
		if decoded == part {
			return false
		}
		part = decoded
		for _, p := range strings.FieldsFunc(part, func(r rune) bool { return r == '/' || r == '\\' }) {
			if p == "." || p == ".." {
				return true
			}
		}
	}
	return false
}

var escape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// String is the ID as it was given.
func (id ID) String() string { return id.text }

// Plane says who holds the resource.
func (id ID) Plane() Plane { return id.plane }

// IsScope is true of a group, a subscription, a plane: what holds resources and is not itself one.
func (id ID) IsScope() bool { return id.typ == "" }

// Type is the resource's type, such as Applications.Core/containers.
func (id ID) Type() string { return id.typ }

// Name is the resource's name.
func (id ID) Name() string { return id.name }

// PlanePath is the path of the plane, such as /planes/radius/local.
func (id ID) PlanePath() string {
	if id.planeName == "" {
		return ""
	}
	segments := strings.SplitN(id.text[1:], "/", 4)
	return "/" + strings.Join(segments[:3], "/")
}

// Path is the path of requests for the resource.
// Azure's own IDs are below the plane that stands for Azure.
func (id ID) Path() string {
	if id.plane == Azure && id.planeName == "" {
		return "/planes/azure/azurecloud" + id.text
	}
	return id.text
}

// IsDeployment is true of a deployment, such as that of a module.
func (id ID) IsDeployment() bool { return strings.EqualFold(id.typ, "Microsoft.Resources/deployments") }

// CanBeRead is true if requests to Radius can read the resource.
func (id ID) CanBeRead() bool {
	return !id.IsScope() && !id.IsDeployment() && (id.plane == Radius || id.plane == AWS)
}

// Rank is the place in the order of deletion: a rank is deleted when all lower ones are gone.
// A lock of Azure keeps others from being deleted.
// Environments and what they lead to hold the recipes that the deletion of other resources runs.
func (id ID) Rank() int {
	namespace, typ, _ := strings.Cut(strings.ToLower(id.typ), "/")
	switch namespace {
	case "applications.core", "radius.core":
		switch typ {
		case "applications":
			return 1
		case "environments":
			return 2
		case "recipepacks", "bicepsettings", "terraformsettings":
			return 3
		}
	}
	switch {
	case id.IsDeployment():
		return 4
	case id.plane == Azure && namespace == "microsoft.authorization" && typ == "locks":
		return -1
	}
	return 0
}

// Key is equal for IDs that name the same resource.
func (id ID) Key() string { return Key(id.text) }

// Key is the key of an ID that is given as text.
func Key(text string) string { return strings.ToLower(strings.TrimRight(text, "/")) }

// Hash is a hash of a key that fits into a label.
func Hash(text string) string { return digest(Key(text), 40) }

// ObjectName is the name of the Kubernetes object that stands for the resource, for one owner.
func (id ID) ObjectName(ownerUID string) string {
	typ := id.typ[strings.LastIndex(id.typ, "/")+1:]
	prefix := dns(typ + "-" + id.name)
	if len(prefix) > 45 {
		prefix = strings.TrimRight(prefix[:45], "-")
	}
	if prefix == "" {
		prefix = "resource"
	}
	return prefix + "-" + digest(id.Key()+"\n"+ownerUID, 12)
}

func digest(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:n]
}

// dns makes s a DNS label: what does not fit becomes a hyphen.
func dns(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			b.WriteRune(r)
		} else if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	return strings.TrimRight(b.String(), "-")
}
