package recipes

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// # The parameter context
//
// Its own members are in the order of Radius' structs, and those of properties in the order of their names: a recipe that
// prints a part of it as JSON puts the order into an object.

func object(members ...armjson.Member) *armjson.Object { return armjson.NewObject(members...) }

func member(name string, v expand.Value) armjson.Member { return armjson.Member{Key: name, Value: v} }

func text(name, value string) armjson.Member { return member(name, armjson.String(value)) }

// contextOf makes the context of a resource.
func contextOf(e *Engine, id, kind, name string, properties, connections *armjson.Object, env *environment) *armjson.Object {
	resource := object(text("name", name), text("id", id), text("type", kind))
	if properties.Len() > 0 {
		resource.Set("properties", properties)
	}
	if connections.Len() > 0 {
		resource.Set("connections", connections)
	}
	application := properties.Str("application")
	out := object(member("resource", resource),
		member("application", object(text("name", application[strings.LastIndexByte(application, '/')+1:]), text("id", application))),
		member("environment", object(text("name", env.name), text("id", env.id))),
		member("runtime", object(member("kubernetes",
			object(text("namespace", env.namespace), text("environmentNamespace", env.namespace))))))
	if env.azure != "" {
		out.Set("azure", e.azure(env, id, application))
	}
	if env.aws != "" {
		part := strings.Split(env.aws, "/") // /planes/aws/aws/accounts/ACCOUNT/regions/REGION
		out.Set("aws", object(text("region", part[7]), text("account", part[5])))
	}
	return out
}

// azureScope takes /subscriptions/ID/resourceGroups/NAME apart.
func azureScope(scope string) (subscription, group string) {
	part := strings.Split(scope+"////", "/")
	return part[2], part[4]
}

// azure says where recipes deploy to in Azure. The hash makes names of resources that stay the same.
func (e *Engine) azure(env *environment, id, application string) *armjson.Object {
	subscription, group := azureScope(env.azure)
	sub := "/subscriptions/" + subscription
	scope := sub
	if group != "" {
		scope = sub + "/resourceGroups/" + group
	}
	out := object(member("resourceGroup", object(text("name", group), text("id", sub+"/resourceGroups/"+group))),
		member("subscription", object(text("subscriptionId", subscription), text("id", sub))))
	if subscription != "" {
		seed := []string{scope, id}
		if e.next {
			seed = []string{scope, application, env.id, id}
		}
		sum := sha256.Sum256([]byte(strings.ToLower(strings.Join(seed, "\x00"))))
		out.Set("resourceNameHash", armjson.String(hex.EncodeToString(sum[:])[:16]))
	}
	return out
}

// connections returns the resources that a resource connects to, as their recipes left them, by the names of the connections.
func (e *Engine) connections(s *state, properties *armjson.Object, find expand.Finder) (list *armjson.Object, ok bool, err error) {
	list = armjson.NewObject()
	all := properties.Value("connections")
	given, ok := all.(*armjson.Object)
	if !ok {
		if _, unknown := all.(expand.Unknown); unknown {
			e.fail(s, CodeUnknown, "its connections are not known before the deployment: %s", expand.Text(all))
			return list, false, nil
		}
		return list, true, nil
	}
	for name, v := range given.All() {
		connection, _ := v.(*armjson.Object)
		source := connection.Value("source")
		id, known := expand.Known(source)
		id = strings.TrimSuffix(id, "/") // Radius takes it with one, too
		at := s.r.Property("properties", "connections", name, "source")
		kind, leaf, isID := partsOf(id)
		switch {
		case !known && expand.IsKnown(v):
			e.failAt(s, at, CodeConnection, "the connection %s has no source", name).Resource = nil
			return list, false, nil
		case !known:
			e.failAt(s, at, CodeUnknown, "the source of the connection %s is not known before the deployment: %s",
				name, expand.Text(source))
			return list, false, nil
		case !isID:
			e.failAt(s, at, CodeConnection, "the source %q of the connection %s is not the ID of a resource", id, name).Resource = nil
			return list, false, nil
		}
		other, ok, err := e.connected(id, find)
		switch {
		case err != nil:
			return list, false, err
		case !ok: // that is said of the other
			return list, false, nil
		case other == nil:
			e.failAt(s, at, CodeConnection, "the connection %s is to %s %s, which the program does not deploy", name, kind, leaf).
				helps(OptionAssume, kind+"/"+leaf+".PROPERTY=VALUE")
			return list, false, nil
		}
		list.Set(name, other)
	}
	return list, true, nil
}

// partsOf returns the type and the name that an ID ends with: /SCOPE/providers/NAMESPACE/TYPE/NAME.
func partsOf(id string) (kind, name string, ok bool) {
	parts := strings.Split(id, "/")
	n := len(parts)
	small := len(parts) > 1 && (parts[1] == "planes" || !strings.EqualFold(parts[1], "planes"))
	if n < 5 || parts[0] != "" || !small || !strings.EqualFold(parts[n-4], "providers") {
		return "", "", false
	}
	return parts[n-3] + "/" + parts[n-2], parts[n-1], true
}

// connected returns what a context has of a resource; nil if it is not known at all. It is not ok if its recipe failed.
func (e *Engine) connected(id string, find expand.Finder) (*armjson.Object, bool, error) {
	r, err := find(id)
	if err != nil {
		return nil, false, err
	}
	kind, name, _ := partsOf(id)
	if r == nil && strings.HasPrefix(strings.ToLower(kind), "radius.core/") { // which may stand beside the program
		r = e.declared(id, find)
	}
	if r == nil {
		properties := e.assumed(kind, name)
		if properties == nil {
			return nil, true, nil
		}
		return object(text("id", id), text("name", name), text("type", kind), member("properties", plain(properties))), true, nil
	}
	other, err := e.run(r, find)
	if err != nil || other == nil || (other.failed || other.stored == nil) && !e.o.Partly {
		return nil, false, err
	}
	out := object(text("id", other.id), text("name", other.name), text("type", other.kind))
	if other.stored == nil {
		out.Set("properties", returned(other))
	} else if other.stored.Len() > 0 {
		out.Set("properties", other.stored)
	}
	switch {
	case strings.EqualFold(other.kind, "Radius.Core/applications"):
		kept := other.stored.Clone()
		kept.Set("status", object())
		out.Set("properties", kept)
	case strings.EqualFold(other.kind, environmentType):
		out.Set("properties", keptEnvironment(other.id, other.stored))
	}
	if e.next && len(other.secrets) > 0 {
		secrets := armjson.NewObject()
		for _, key := range other.secrets {
			secrets.Set(key, object(text("source", other.secretID), text("key", key)))
		}
		out.Set("secrets", secrets)
	}
	return out, true, nil
}
