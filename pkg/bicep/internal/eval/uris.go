package eval

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
)

// addURIs adds the functions of URIs.
func addURIs(m map[string]builtin) {
	m["uri"] = builtin{2, 2, resolveURI}
	m["uricomponent"] = mapString(escape)
	m["uricomponenttostring"] = mapString(unescape)
	m["parseuri"] = ofString(parseURI)
	m["builduri"] = builtin{1, 1, buildURI}
}

const upperHex = "0123456789ABCDEF"

// escape percent-encodes all that RFC 3986 does not leave unreserved.
func escape(s string) string {
	var b strings.Builder
	for _, c := range utf8Bytes(s) {
		if isAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~' {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(upperHex[c>>4])
		b.WriteByte(upperHex[c&15])
	}
	return b.String()
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// unescape decodes percent-encodings that are UTF-8 and leaves others as they are.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '%' {
			out = append(out, s[i])
			i++
			continue
		}
		var run []byte // the bytes that are encoded from here on
		j := i
		for j+2 < len(s) && s[j] == '%' && isHex(s[j+1]) && isHex(s[j+2]) {
			n, _ := strconv.ParseUint(s[j+1:j+3], 16, 8)
			run = append(run, byte(n))
			j += 3
		}
		if len(run) == 0 {
			out = append(out, '%')
			i++
			continue
		}
		for k := 0; k < len(run); {
			r, n := utf8.DecodeRune(run[k:])
			if r == utf8.RuneError && n == 1 {
				out = append(out, s[i+3*k:i+3*k+3]...)
			} else {
				out = append(out, run[k:k+n]...)
			}
			k += n
		}
		i = j
	}
	return string(out)
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// absolute parses an absolute URI and puts it into the form that .NET gives it:
// host in lower case, no default port, a path, blanks and the like encoded.
func absolute(s string) (*url.URL, bool) {
	u, err := url.Parse(clean(s))
	if err != nil || u.Scheme == "" || u.Opaque == "" && u.Host == "" && u.Scheme != "file" {
		return nil, false
	}
	normalise(u)
	return u, true
}

// clean encodes what url.Parse refuses, and trims blanks.
func clean(s string) string {
	s = strings.TrimSpace(s)
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%' && !(i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])):
			b.WriteString("%25")
		case c <= ' ' || c >= 0x7F || strings.IndexByte("\"<>\\^`{|}", c) >= 0:
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

var defaultPorts = map[string]string{"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443"}

func normalise(u *url.URL) {
	u.Scheme = strings.ToLower(u.Scheme)
	u.Host = strings.ToLower(u.Host)
	if p := u.Port(); p != "" && p == defaultPorts[u.Scheme] {
		u.Host = strings.TrimSuffix(u.Host, ":"+p)
	}
	if u.Path == "" && u.Opaque == "" {
		u.Path = "/"
	}
}

// resolveURI evaluates uri(base, relative) as RFC 3986 resolves references.
func resolveURI(c *invocation) (Value, error) {
	base, err := c.str(0)
	if err != nil {
		return nil, err
	}
	relative, err := c.str(1)
	if err != nil {
		return nil, err
	}
	b, ok := absolute(base)
	if !ok {
		return nil, c.errorf("its first argument is not an absolute URI")
	}
	r, err := url.Parse(clean(relative))
	if err != nil {
		// A first segment with a colon reads as a scheme.
		if r, err = url.Parse("./" + clean(relative)); err != nil {
			return nil, c.errorf("its second argument is not a relative URI")
		}
	}
	u := b.ResolveReference(r)
	normalise(u)
	return c.makeString(u.String())
}

// parseURI splits a URI into its parts.
func parseURI(c *invocation, s string) (Value, error) {
	u, ok := absolute(s)
	if !ok {
		return nil, c.errorf("the string is not an absolute URI")
	}
	o := armjson.NewObject()
	o.Set("scheme", armjson.String(u.Scheme))
	o.Set("host", armjson.String(u.Hostname()))
	port := u.Port()
	if port == "" {
		port = defaultPorts[u.Scheme]
	}
	if n, err := strconv.ParseInt(port, 10, 32); err == nil {
		o.Set("port", armjson.Int(n))
	}
	o.Set("path", armjson.String(u.EscapedPath()))
	query := ""
	if u.RawQuery != "" {
		query = "?" + u.RawQuery
	}
	o.Set("query", armjson.String(query))
	return o, nil
}

// buildURI builds a URI from scheme, host, port, path and query.
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
	u := url.URL{Scheme: strings.ToLower(part[0]), Host: strings.ToLower(part[1])}
	if u.Scheme == "" || u.Host == "" {
		return nil, c.errorf("the scheme and the host must not be empty")
	}
	if v, ok := Find(o, "port"); ok && !isNull(v) {
		n, ok := asInt(v)
		if !ok || n < -1 || n > 65535 {
			return nil, c.errorf("the port is not an integer from 0 to 65535")
		}
		if p := strconv.FormatInt(n, 10); n >= 0 && p != defaultPorts[u.Scheme] {
			u.Host += ":" + p
		}
	}
	s := u.Scheme + "://" + u.Host
	path := clean(part[2])
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	s += path
	if q := clean(strings.TrimPrefix(part[3], "?")); q != "" {
		s += "?" + q
	}
	return c.makeString(s)
}
