package dotnet

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// URI is an absolute URI in the form that .NET's Uri gives it:
//
//	HTTPS://H.org:443/a/../b c?d   https://h.org/b%20c?d   scheme and host in lower case, no default port, no dots
//	https://ä.org/%7E%C3%B6%2f     https://ä.org/~%C3%B6%2f   hosts keep their letters, escapes of what needs none go
//	//h/x, /x                      file://h/x, file:///x
//	mailto:a@b.c, urn:a:b          of mailto the host is known; of others without // all is path
type URI struct {
	Scheme, User, Host string
	Port               int // -1 if it is the scheme's own, or there is none
	Path               string
	Query, Fragment    string // with ? and #, or empty

	authority bool // there is // before the host
}

// scheme is what .NET knows of a scheme. Of others it knows nothing.
type scheme struct {
	port      int
	authority bool // must have a host; its path begins with a slash, and dots in it are resolved
}

var schemes = map[string]scheme{
	"http": {80, true}, "https": {443, true}, "ws": {80, true}, "wss": {443, true}, "ftp": {21, true}, "file": {-1, true},
	"gopher": {70, true}, "nntp": {119, true}, "telnet": {23, true}, "ldap": {389, true}, "net.tcp": {808, true}, "net.pipe": {-1, true},
}

// ParseURI reads an absolute URI, or a path that begins with a slash.
func ParseURI(s string) (URI, bool) {
	s = strings.Trim(s, " \t\r\n")
	u := URI{Port: -1}
	var rest string
	switch n := schemeLen(s); {
	case strings.HasPrefix(s, "//") || strings.HasPrefix(s, `\\`):
		u.Scheme, rest = "file", s
	case strings.HasPrefix(s, "/"):
		u.Scheme, rest = "file", "//"+s
	case n == 0:
		return URI{}, false
	case n == 1: // C:\x and c:/x are paths
		if len(s) < 3 || s[2] != '/' && s[2] != '\\' {
			return URI{}, false
		}
		u.Scheme, rest = "file", "///"+s
	default:
		u.Scheme, rest = strings.ToLower(s[:n]), s[n+1:]
	}
	known := schemes[u.Scheme]
	if u.Scheme != "mailto" && !known.authority && !strings.HasPrefix(rest, "//") {
		u.split(rest, false)
		return u, true
	}
	if known.authority && u.Scheme != "net.pipe" {
		rest = slashes(rest)
	}
	if u.Scheme != "mailto" {
		if !strings.HasPrefix(rest, "//") {
			return URI{}, false
		}
		rest, u.authority = rest[2:], true
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if !u.server(rest[:end], known) {
		return URI{}, false
	}
	u.split(rest[end:], known.authority)
	return u, true
}

// schemeLen returns how long the scheme is that s begins with, or 0.
func schemeLen(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c == ':':
			return i
		case isLetter(c) || i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		default:
			return 0
		}
	}
	return 0
}

// slashes turns backslashes before the query into slashes.
func slashes(s string) string {
	end := strings.IndexAny(s, "?#")
	if end < 0 {
		end = len(s)
	}
	return strings.ReplaceAll(s[:end], `\`, "/") + s[end:]
}

// server reads user, host and port.
func (u *URI) server(s string, known scheme) bool {
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		u.User, s = normal(s[:i])+"@", s[i+1:]
	}
	host, port := s, ""
	if i := strings.LastIndexByte(s, ':'); i > strings.LastIndexByte(s, ']') {
		host, port = s[:i], s[i+1:]
	}
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return false
		}
		if u.Port = int(n); known.authority && u.Port == known.port {
			u.Port = -1
		}
	}
	if host == "" {
		return u.Scheme == "file" || !known.authority && u.Scheme != "mailto"
	}
	if strings.HasPrefix(host, "[") {
		a, ok := IP(strings.Trim(host, "[]"))
		u.Host = "[" + IPText(a) + "]"
		return ok && host[len(host)-1] == ']' && !a.Is4()
	}
	if a, ok := IP(host); ok {
		u.Host = IPText(a)
		return true
	}
	u.Host = strings.ToLower(host)
	for _, r := range host {
		if r < utf8.RuneSelf && !isLetter(byte(r)) && !isDigit(byte(r)) && !strings.ContainsRune("-._", r) {
			return false
		}
	}
	return host[0] != '.' && host[0] != '-' && !strings.Contains(host, "..")
}

// split takes path, query and fragment apart.
func (u *URI) split(s string, rooted bool) {
	if i := strings.IndexByte(s, '#'); i >= 0 {
		s, u.Fragment = s[:i], normal(s[i:])
	}
	if i := strings.IndexByte(s, '?'); i >= 0 {
		s, u.Query = s[:i], normal(s[i:])
	}
	if u.Path = normal(s); rooted {
		u.Path = withoutDots(u.Path)
	}
}

// withoutDots resolves the segments . and .. of a path.
func withoutDots(path string) string {
	if path == "" {
		return "/"
	}
	if !strings.Contains(path, "/.") {
		return path
	}
	segments := strings.Split(path[1:], "/")
	out := make([]string, 0, len(segments))
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case ".", "..":
			if s == ".." && len(out) > 0 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, s)
		}
	}
	return "/" + strings.Join(out, "/")
}

const (
	unreserved = "-._~"
	reserved   = ":/?#[]@!$&'()*+,;="
	upperHex   = "0123456789ABCDEF"
)

// normal escapes what cannot be in a URI, and unescapes what needs no escape.
func normal(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && (isLetter(s[i]) || isDigit(s[i]) || s[i] != '%' && strings.IndexByte(unreserved+reserved, s[i]) >= 0)
	}
	if plain {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			x, ok := hexPair(s[i+1:])
			switch {
			case !ok:
				out = append(out, "%25"...)
				continue
			case isLetter(x) || isDigit(x) || strings.IndexByte(unreserved, x) >= 0:
				out = append(out, x)
			case x >= utf8.RuneSelf:
				out = append(out, '%', upperHex[x>>4], upperHex[x&15])
			default:
				out = append(out, s[i:i+3]...)
			}
			i += 2
			continue
		}
		if isLetter(c) || isDigit(c) || strings.IndexByte(unreserved+reserved, c) >= 0 {
			out = append(out, c)
		} else {
			out = append(out, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return string(out)
}

// hexPair returns the byte that the two digits of base sixteen stand for that s begins with.
func hexPair(s string) (byte, bool) {
	if len(s) < 2 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:2], 16, 8)
	return byte(n), err == nil
}

// WellFormed reports whether a text is an absolute URI with a scheme in which nothing needs to be escaped. Letters
// that are not ASCII need not.
func WellFormed(s string) bool {
	if schemeLen(s) < 2 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if c == '%' {
			if _, ok := hexPair(s[i+1:]); !ok {
				return false
			}
		} else if c < utf8.RuneSelf && !isLetter(c) && !isDigit(c) && strings.IndexByte(unreserved+reserved, c) < 0 {
			return false
		}
	}
	_, ok := ParseURI(s)
	return ok
}

// String returns the URI in its normal form, escaped.
func (u *URI) String() string { return u.before() + u.Path + u.Query + u.Fragment }

// before returns all that is before the path.
func (u *URI) before() string {
	s := u.Scheme + ":"
	if u.authority {
		s += "//"
	}
	s += u.User + u.Host
	if u.Port >= 0 {
		s += ":" + strconv.Itoa(u.Port)
	}
	return s
}

// Display returns the URI as people read it: escapes are replaced by what they stand for, unless it has a
// meaning in URIs.
func (u *URI) Display() string {
	s := u.String()
	if !strings.Contains(s, "%") {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		x, ok := byte(0), false
		if s[i] == '%' {
			x, ok = hexPair(s[i+1:])
		}
		switch {
		case ok && x >= utf8.RuneSelf:
			run := []byte{x}
			for j := i + 3; j < len(s) && s[j] == '%'; j += 3 {
				if x, ok = hexPair(s[j+1:]); !ok || x < utf8.RuneSelf {
					break
				}
				run = append(run, x)
			}
			r, n := utf8.DecodeRune(run)
			if r == utf8.RuneError && n == 1 {
				out = append(out, s[i:i+3]...)
			} else {
				out = append(out, run[:n]...)
			}
			i += 3*n - 1
		case ok && x > 0x1F && x != 0x7F && strings.IndexByte(reserved+`%\`, x) < 0:
			out = append(out, x)
			i += 2
		default:
			out = append(out, s[i])
		}
	}
	return string(out)
}

// Resolve returns the URI that a reference means where u is the base.
func (u *URI) Resolve(ref string) (URI, bool) {
	ref = strings.Trim(ref, " \t\r\n")
	if n := schemeLen(ref); n > 0 {
		if n == 1 && len(ref) > 2 && (ref[2] == '/' || ref[2] == '\\') && u.Scheme != "file" {
			return ParseURI(u.Scheme + ":///" + ref)
		}
		return ParseURI(ref)
	}
	known := schemes[u.Scheme].authority
	if known {
		ref = slashes(ref)
	}
	switch {
	case ref == "":
		return *u, true
	case ref[0] == '#':
		return ParseURI(u.before() + u.Path + u.Query + ref)
	case ref[0] == '?':
		return ParseURI(u.before() + u.Path + ref)
	case strings.HasPrefix(ref, "//"):
		return ParseURI(u.Scheme + ":" + ref)
	case ref[0] == '/':
		return ParseURI(u.before() + ref)
	}
	// What follows the last slash of the base is replaced.
	return ParseURI(u.before() + u.Path[:strings.LastIndexByte(u.Path, '/')+1] + ref)
}

// UnescapeURL decodes a text of a form, as HttpUtility.UrlDecode does: + is a blank, %41 and %u0041 are A, and
// bytes that are not UTF-8 become U+FFFD. What is no escape stays.
func UnescapeURL(s string) string {
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '+':
			out = append(out, ' ')
			continue
		case c == '%' && i+5 < len(s) && s[i+1] == 'u':
			if n, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil {
				out = appendUnit(out, rune(n))
				i += 5
				continue
			}
		case c == '%':
			if x, ok := hexPair(s[i+1:]); ok {
				out = append(out, x)
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// appendUnit appends a UTF-16 code unit; one that ends a pair is joined with the one before it.
func appendUnit(out []byte, r rune) []byte {
	n := len(out)
	if r >= 0xDC00 && r < 0xE000 && n >= 3 && out[n-3] == 0xED && out[n-2] >= 0xA0 && out[n-2] < 0xB0 {
		high := rune(out[n-2]&0x3F)<<6 | rune(out[n-1]&0x3F) | 0xD000
		return utf8.AppendRune(out[:n-3], 0x10000+(high-0xD800)<<10+(r-0xDC00))
	}
	if r >= 0xD800 && r < 0xE000 {
		return append(out, 0xED, 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
	}
	return utf8.AppendRune(out, r)
}
