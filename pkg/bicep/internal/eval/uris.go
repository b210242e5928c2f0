package eval

import (
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// addURIs adds the functions of URIs.
func addURIs(m map[string]builtin) {
	m["uri"] = builtin{2, 2, resolveURI}
	m["uricomponent"] = mapString(dotnet.EscapeURL)
	m["uricomponenttostring"] = mapString(unescape)
	m["parseuri"] = ofString(parseURI)
	m["builduri"] = builtin{1, 1, buildURI}
}

// unescape decodes what a form encodes.
func unescape(s string) string { return source.ValidUTF8(dotnet.UnescapeURL(s)) }

// resolveURI evaluates uri(base, relative). The base must be written as URIs are, without blanks.
func resolveURI(c *invocation) (Value, error) {
	base, relative, err := args2(c.str, c.str)
	if err != nil {
		return nil, err
	}
	b, ok := dotnet.ParseURI(base)
	if !ok || !dotnet.WellFormed(base) {
		return nil, c.errorf("its first argument is not an absolute URI")
	}
	u, ok := b.Resolve(relative)
	if !ok {
		return nil, c.errorf("its second argument is not a relative URI")
	}
	return c.makeString(u.String())
}

// parseURI splits a URI into its parts. The port is null if it is the usual one. A path that is only a slash, and a
// query that is empty, are left out.
func parseURI(c *invocation, s string) (Value, error) {
	u, ok := dotnet.ParseURI(s)
	if !ok {
		return nil, c.errorf("the string is not an absolute URI")
	}
	o := armjson.NewObject()
	o.Set("scheme", armjson.String(u.Scheme))
	o.Set("host", armjson.String(u.Host))
	o.Set("port", armjson.Null{})
	if u.Port >= 0 {
		o.Set("port", armjson.Int(int64(u.Port)))
	}
	if u.Path != "/" {
		o.Set("path", armjson.String(u.Path))
	}
	if len(u.Query) > 1 {
		o.Set("query", armjson.String(u.Query))
	}
	return c.made(o, o.Len())
}

// buildURI builds a URI from scheme, host, port, path and query, and shows it without escapes where it can.
func buildURI(c *invocation) (Value, error) {
	o, err := c.object(0)
	if err != nil {
		return nil, err
	}
	var part [4]string
	for i, k := range []string{"scheme", "host", "path", "query"} {
		v, ok := Find(o, k)
		if !ok || isNull(v) {
			if i < 2 {
				return nil, c.errorf("the object has no property %q", k)
			}
			continue
		}
		s, ok := v.(armjson.String)
		if !ok {
			return nil, c.errorf("the property %q is %s, not a string", k, describe(v))
		}
		part[i] = string(s)
	}
	scheme, host, path, query := part[0], part[1], part[2], part[3]
	if scheme == "" || host == "" || strings.ContainsAny(scheme, ":/") || strings.ContainsAny(host, "/?#@") {
		return nil, c.errorf("the scheme or the host is empty, or there is more in it")
	}
	if strings.Count(host, ":") > 1 && host[0] != '[' {
		host = "[" + host + "]"
	}
	if v, ok := Find(o, "port"); ok && !isNull(v) {
		n, ok := asInt(v)
		if !ok || n < -1 || n > 65535 {
			return nil, c.errorf("the port is not an integer from 0 to 65535")
		}
		if n >= 0 {
			host += ":" + strconv.FormatInt(n, 10)
		}
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if query != "" && query[0] != '?' {
		query = "?" + query
	}
	u, ok := dotnet.ParseURI(scheme + "://" + host + path + query)
	if !ok {
		return nil, c.errorf("scheme, host and port do not make a URI")
	}
	return c.makeString(u.Display())
}
