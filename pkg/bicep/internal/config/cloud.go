package config

import (
	"net/url"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// Credentials says whose identity Azure's registries are shown.
type Credentials struct {
	Precedence []string // where tokens come from: the first that has one is taken
	// ClientID and ResourceID name a managed identity that the user has assigned to the
	// machine. One of them at most is set.
	ClientID, ResourceID string
}

// credentialTypes are what credentialPrecedence may hold.
var credentialTypes = []string{"Environment", "ManagedIdentity", "VisualStudio", "VisualStudioCode", "AzureCLI", "AzurePowerShell"}

// cloud reads the settings of Azure's clouds.
func (b *binder) cloud(cloud *armjson.Object) Credentials {
	b.profile(cloud)
	c := Credentials{Precedence: b.precedence(cloud)}
	c.ClientID, c.ResourceID = b.managedIdentity(b.object(b.object(cloud, "credentialOptions"), "managedIdentity"))
	return c
}

// profile checks the profile in force, which nothing here uses otherwise: the cloud of a
// registry is known by its name.
func (b *binder) profile(cloud *armjson.Object) {
	current := ""
	if s := b.text(cloud, "currentProfile"); s != nil {
		current = *s
	}
	profiles := b.object(cloud, "profiles")
	v, ok := profiles.Get(current)
	if !ok {
		b.fail("there is no cloud profile %q", current)
		return
	}
	p, ok := v.(*armjson.Object)
	if !ok {
		b.fail("the cloud profile %q must be an object", current)
		return
	}
	for _, key := range [...]string{"resourceManagerEndpoint", "activeDirectoryAuthority"} {
		s := b.text(p, key)
		if s == nil {
			b.fail("the cloud profile %q lacks %q", current, key)
			return
		}
		if u, err := url.Parse(*s); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			b.fail("%q of the cloud profile %q is not a URL", key, current)
		}
	}
}

func (b *binder) precedence(cloud *armjson.Object) (list []string) {
	v, ok := cloud.Get("credentialPrecedence")
	if !ok {
		return nil
	}
	items, ok := v.(armjson.Array)
	if !ok {
		b.fail(`"credentialPrecedence" must be an array`)
	}
	for _, item := range items {
		s, _ := item.(armjson.String)
		i := slices.IndexFunc(credentialTypes, func(name string) bool { return strings.EqualFold(name, string(s)) })
		if i < 0 {
			b.fail(`"credentialPrecedence" must hold names of credentials: %s`, strings.Join(credentialTypes, ", "))
			return nil
		}
		list = append(list, credentialTypes[i])
	}
	return list
}

// managedIdentity returns the identity that the user has assigned, if it is to be used.
func (b *binder) managedIdentity(o *armjson.Object) (clientID, resourceID string) {
	kind, client, resource := b.text(o, "type"), b.text(o, "clientId"), b.text(o, "resourceId")
	switch {
	case kind == nil || strings.EqualFold(*kind, "SystemAssigned"):
		return "", ""
	case !strings.EqualFold(*kind, "UserAssigned"):
		b.fail(`"type" of "managedIdentity" must be SystemAssigned or UserAssigned`)
	case (client == nil) == (resource == nil):
		b.fail(`"managedIdentity" of the type UserAssigned must have either "clientId" or "resourceId"`)
	case client != nil && !isGUID(*client):
		b.fail(`"clientId" of "managedIdentity" must be a GUID`)
	case resource != nil && !strings.HasPrefix(*resource, "/"):
		b.fail(`"resourceId" of "managedIdentity" must be the ID of a resource`)
	case client != nil:
		return *client, ""
	default:
		return "", *resource
	}
	return "", ""
}

// isGUID reports whether a text is a GUID in its usual form.
func isGUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'):
			return false
		}
	}
	return true
}
