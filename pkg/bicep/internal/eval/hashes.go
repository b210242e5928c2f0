package eval

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
	"github.com/radbicep/rad/pkg/bicep/internal/murmur"
)

// addHashes adds the functions that make names out of strings, and fail.
func addHashes(m map[string]builtin) {
	m["uniquestring"] = hashOf(func(s string) string { return murmur.Base32(murmur.Sum(dotnet.UTF8(s))) })
	m["guid"] = hashOf(guid)
	m["fail"] = ofString(func(c *invocation, s string) (Value, error) { return nil, &failure{c.name, s} })
}

// hashOf makes a function of the dash-joined strings that it gets.
func hashOf(f func(string) string) builtin {
	return builtin{1, -1, func(c *invocation) (Value, error) {
		parts := make([]string, len(c.args))
		n := 0
		for i := range c.args {
			s, err := c.str(i)
			if err != nil {
				return nil, err
			}
			parts[i] = s
			n += len(s) + 1
		}
		if err := c.ev.room(n); err != nil {
			return nil, err
		}
		return armjson.String(f(strings.Join(parts, "-"))), nil
	}}
}

// namespace is the UUID in which guid makes its names.
var namespace = [16]byte{0x11, 0xfb, 0x06, 0xfb, 0x71, 0x2d, 0x4d, 0xdd, 0x98, 0xc7, 0xe7, 0x1b, 0xbd, 0x58, 0x88, 0x30}

// guid returns the UUID of version 5 of a name (RFC 4122).
func guid(name string) string {
	h := sha1.New()
	h.Write(namespace[:])
	h.Write(dotnet.UTF8(name))
	b := h.Sum(nil)[:16]
	b[6] = b[6]&0x0F | 0x50
	b[8] = b[8]&0x3F | 0x80
	x := hex.EncodeToString(b)
	return x[:8] + "-" + x[8:12] + "-" + x[12:16] + "-" + x[16:20] + "-" + x[20:]
}

// failure is the error of fail.
type failure struct{ name, message string }

func (f *failure) Error() string { return "function " + f.name + ": " + f.message }

// FailMessage returns the text that a program gave to fail, if an error is that.
func FailMessage(err error) (string, bool) {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.message, true
	}
	return "", false
}
