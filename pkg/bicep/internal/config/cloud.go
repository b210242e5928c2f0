package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
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

// A Cloud is where Azure's own services are: a cloud profile.
type Cloud struct {
	Name      string
	Manager   string // the URL of the resource manager
	Directory string // the URL of the authority that gives tokens
}

// same reports whether two clouds have the same services.
func (c Cloud) same(d Cloud) bool {
	return sameURL(c.Manager, d.Manager) && sameURL(c.Directory, d.Directory)
}

func sameURL(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(a, "/"), strings.TrimRight(b, "/"))
}

// trust returns why a cloud is not to be used: it is none of Azure's own, and the text of
// BICEP_TRUSTED_CLOUDS, a JSON list, does not have it.
func (l *Loader) trust(c Cloud, leaf string) *diag.Problem {
	for _, v := range azureClouds(l.release).All() {
		if p, _ := v.(*armjson.Object); c.same(cloudOf(p)) {
			return nil
		}
	}
	var list armjson.Array
	if l.clouds != "" {
		v, err := armjson.Parse(l.clouds, armjson.Options{MaxDepth: 8})
		if err != nil {
			return diag.BCP459.With(diag.File(leaf), c.Name, "it is no JSON")
		}
		var ok bool
		if list, ok = v.(armjson.Array); !ok {
			return diag.BCP459.With(diag.File(leaf), c.Name, "it must hold a list")
		}
	}
	for i, v := range list {
		p, _ := v.(*armjson.Object)
		trusted := cloudOf(p)
		if trusted.Manager == "" || trusted.Directory == "" {
			return diag.BCP459.With(diag.File(leaf), c.Name,
				fmt.Sprintf("item %d of its list lacks %q or %q", i+1, managerKey, directoryKey))
		}
		if c.same(trusted) {
			return nil
		}
	}
	return diag.BCP458.With(diag.File(leaf), c.Name)
}

// cloudOf reads the services of a cloud; they are "" where they are missing.
func cloudOf(p *armjson.Object) Cloud {
	text := func(key string) string {
		if p == nil {
			return ""
		}
		v, _ := p.Get(key)
		s, _ := v.(armjson.String)
		return string(s)
	}
	return Cloud{Manager: text(managerKey), Directory: text(directoryKey)}
}

// The members of a cloud profile.
const (
	managerKey   = "resourceManagerEndpoint"
	directoryKey = "activeDirectoryAuthority"
)

// credentials reads how tokens are got.
func (b *binder) credentials(cloud *armjson.Object) Credentials {
	c := Credentials{Precedence: b.precedence(cloud)}
	c.ClientID, c.ResourceID = b.managedIdentity(b.object(b.object(cloud, "credentialOptions"), "managedIdentity"))
	return c
}

// profile reads the profile in force. It is only checked: the cloud of a registry is known by its
// name.
func (b *binder) profile(cloud *armjson.Object) (c Cloud) {
	current := ""
	if s := b.text(cloud, "currentProfile"); s != nil {
		current = *s
	}
	profiles := b.object(cloud, "profiles")
	v, ok := profiles.Get(current)
	if !ok {
		b.fail("there is no cloud profile %q", current)
		return c
	}
	p, ok := v.(*armjson.Object)
	if !ok {
		b.fail("the cloud profile %q must be an object", current)
		return c
	}
	for _, key := range [...]string{managerKey, directoryKey} {
		s := b.text(p, key)
		if s == nil {
			b.fail("the cloud profile %q lacks %q", current, key)
			return c
		}
		if u, err := url.Parse(*s); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			b.fail("%q of the cloud profile %q is not a URL", key, current)
		}
	}
	c = cloudOf(p)
	c.Name = current
	return c
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
