package armtemplate

import (
	"fmt"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/armjson"
)

// Embedded returns the template as it is in one that deploys it. It is the
// text of the file, but that strings which look like a point in time come out as
// the JSON library of the official compiler writes them. The caller must
// not change it.
func (m *Model) Embedded() *armjson.Object {
	if m.root == nil {
		return nil
	}
	v, changed := normalise(m.root)
	if !changed {
		return m.root
	}
	return v.(*armjson.Object)
}

// normalise returns v with its dates rewritten; what has none is not copied.
func normalise(v armjson.Value) (_ armjson.Value, changed bool) {
	switch v := v.(type) {
	case armjson.String:
		s, ok := rewriteDate(string(v))
		return armjson.String(s), ok
	case armjson.Array:
		var out armjson.Array
		for i, e := range v {
			n, ok := normalise(e)
			if ok && out == nil {
				out = append(make(armjson.Array, 0, len(v)), v[:i]...)
			}
			if out != nil {
				out = append(out, n)
			}
		}
		if out != nil {
			return out, true
		}
	case *armjson.Object:
		var out *armjson.Object
		for k, e := range v.All() {
			n, ok := normalise(e)
			if !ok {
				continue
			}
			if out == nil {
				out = armjson.NewObject()
				for k, e := range v.All() {
					out.Set(k, e)
				}
			}
			out.Set(k, n)
		}
		if out != nil {
			return out, true
		}
	}
	return v, false
}

// rewriteDate rewrites a string of the form
//
//	yyyy-mm-ddThh:mm:ss[.f{1,7}][Z|(+|-)hh[[:]mm]]
//
// The fraction loses the zeros at its end. A time with an offset becomes the
// time of the machine's zone, for which UTC is taken, so that all machines agree.
// It reports whether that made a difference.
func rewriteDate(s string) (string, bool) {
	if len(s) < 19 || len(s) > 40 || s[10] != 'T' || s[4] != '-' || s[7] != '-' || s[13] != ':' || s[16] != ':' {
		return s, false
	}
	year, ok1 := digits(s[0:4])
	month, ok2 := digits(s[5:7])
	day, ok3 := digits(s[8:10])
	hour, ok4 := digits(s[11:13])
	minute, ok5 := digits(s[14:16])
	second, ok6 := digits(s[17:19])
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || year == 0 || month < 1 || month > 12 || day < 1 ||
		hour > 24 || minute > 59 || second > 59 || hour == 24 && minute+second > 0 {
		return s, false
	}
	if last := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day(); day > last {
		return s, false
	}
	rest := s[19:]
	fraction := ""
	if strings.HasPrefix(rest, ".") {
		n := 1
		for n < len(rest) && n <= 7 && '0' <= rest[n] && rest[n] <= '9' {
			n++
		}
		if n == 1 {
			return s, false
		}
		fraction, rest = strings.TrimRight(rest[1:n], "0"), rest[n:]
		if hour == 24 && fraction != "" {
			return s, false
		}
	}
	offset, zone, ok := parseZone(rest)
	if !ok {
		return s, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC).Add(-offset)
	if t.Year() < 1 || t.Year() > 9999 {
		return s, false
	}
	out := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second())
	if fraction != "" {
		out += "." + fraction
	}
	out += zone
	return out, out != s
}

// parseZone reads what follows a time: what to subtract from it, and what
// is written in its place.
func parseZone(s string) (offset time.Duration, written string, ok bool) {
	switch {
	case s == "":
		return 0, "", true
	case s == "Z" || s == "z":
		return 0, "Z", true
	case len(s) < 3 || s[0] != '+' && s[0] != '-':
		return 0, "", false
	}
	h, ok := digits(s[1:3])
	if !ok {
		return 0, "", false
	}
	m := 0
	if rest := strings.TrimPrefix(s[3:], ":"); rest != "" || len(s) > 3 {
		if len(rest) != 2 {
			return 0, "", false
		}
		if m, ok = digits(rest); !ok {
			return 0, "", false
		}
	}
	offset = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if s[0] == '-' {
		offset = -offset
	}
	return offset, "+00:00", true
}

func digits(s string) (int, bool) {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
