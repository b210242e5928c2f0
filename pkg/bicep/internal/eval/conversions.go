package eval

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// addConversions adds the functions that make one type of value from another.
func addConversions(m map[string]builtin) {
	m["string"] = builtin{1, 1, toString}
	m["int"] = builtin{1, 1, toInt}
	m["bool"] = builtin{1, 1, toBool}
	m["float"] = builtin{1, 1, toFloat}
	m["json"] = ofString((*invocation).parseJSON)
	m["array"] = builtin{1, 1, func(c *invocation) (Value, error) {
		v, err := c.value(0)
		if err != nil {
			return nil, err
		}
		if a, ok := v.(armjson.Array); ok {
			return a, nil
		}
		return c.made(armjson.Array{v}, 1)
	}}
	m["base64"] = mapString(func(s string) string { return base64.StdEncoding.EncodeToString(dotnet.UTF8(s)) })
	m["base64tostring"] = ofString((*invocation).fromBase64)
	m["base64tojson"] = ofString(func(c *invocation, s string) (Value, error) {
		v, err := c.fromBase64(s)
		if err != nil {
			return nil, err
		}
		return c.parseJSON(string(v.(armjson.String)))
	})
	m["datauri"] = builtin{1, 1, dataURI}
	m["datauritostring"] = ofString(dataURIToString)
}

// toString evaluates string(x): scalars as they are shown, the rest as compact JSON. A fraction and null
// have no string.
func toString(c *invocation) (Value, error) {
	v, err := c.value(0)
	if err != nil {
		return nil, err
	}
	if isNull(v) || isFraction(v) {
		return nil, c.bad(0, "a string, an integer, a boolean, an array or an object")
	}
	if s, ok := stringOf(v); ok {
		return armjson.String(s), nil
	}
	if err := c.ev.weigh(v); err != nil {
		return nil, err
	}
	return c.makeString(armjson.Text(v))
}

// toInt evaluates int(x). Around the digits of a string there may be blanks and
// before them a sign, as .NET's parser has it.
func toInt(c *invocation) (Value, error) {
	switch v := c.args[0].v.(type) {
	case armjson.Number:
		if _, ok := v.Int64(); ok {
			return v, nil
		}
	case armjson.String:
		s := strings.Trim(string(v), " \t\n\v\f\r")
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return armjson.Int(n), nil
		}
		return nil, c.errorf("the string is not an integer of 64 bits")
	}
	return nil, c.bad(0, "an integer or a string that holds one")
}

// toBool evaluates bool(x), of a boolean, an integer (0 is false) or a string.
func toBool(c *invocation) (Value, error) {
	switch v := c.args[0].v.(type) {
	case armjson.Bool:
		return v, nil
	case armjson.Number:
		if n, ok := v.Int64(); ok {
			return armjson.Bool(n != 0), nil
		}
	case armjson.String:
		switch s := strings.TrimSpace(string(v)); {
		case strings.EqualFold(s, "true"):
			return armjson.Bool(true), nil
		case strings.EqualFold(s, "false"):
			return armjson.Bool(false), nil
		}
		return nil, c.errorf("the string is neither true nor false")
	}
	return nil, c.bad(0, "a boolean, an integer or a string")
}

func toFloat(c *invocation) (Value, error) {
	if f, ok := asFloat(c.args[0].v); ok {
		return number(f), nil
	}
	if s, ok := c.args[0].v.(armjson.String); ok {
		if f, err := strconv.ParseFloat(strings.TrimSpace(string(s)), 64); err == nil {
			return number(f), nil
		}
	}
	return nil, c.bad(0, "a number or a string that holds one")
}

// parseJSON reads JSON as leniently as Newtonsoft's reader does: arrays and
// objects that the end of the text leaves open count as closed, what follows the value is ignored, and an
// element that is left out is null. A byte order mark is no JSON.
func (c *invocation) parseJSON(s string) (Value, error) {
	if err := c.ev.room(len(s)); err != nil {
		return nil, err
	}
	if strings.HasPrefix(s, "\ufeff") {
		return nil, c.errorf("the text begins with a byte order mark")
	}
	v, err := armjson.Parse(s, armjson.Options{Relaxed: true, Untyped: true, Trailing: true})
	if err != nil {
		return nil, c.errorf("%v", err)
	}
	return v, nil
}

func (c *invocation) fromBase64(s string) (Value, error) {
	b, ok := decodeBase64(s)
	if !ok {
		return nil, c.errorf("the string is not base64")
	}
	return c.makeString(source.ValidUTF8(string(b)))
}

// decodeBase64 decodes with padding, passing over white space.
func decodeBase64(s string) ([]byte, bool) {
	if strings.ContainsAny(s, " \t\r\n") {
		s = strings.Map(func(r rune) rune {
			switch r {
			case ' ', '\t', '\r', '\n':
				return -1
			}
			return r
		}, s)
	}
	b, err := base64.StdEncoding.DecodeString(s)
	return b, err == nil
}

// dataURI makes a data URI of a text, or of the JSON of anything else.
func dataURI(c *invocation) (Value, error) {
	v, err := c.value(0)
	if err != nil {
		return nil, err
	}
	if isNull(v) {
		return nil, c.bad(0, "a value")
	}
	kind, content := "text/plain", ""
	if s, ok := stringOf(v); ok {
		content = s
	} else {
		if err := c.ev.weigh(v); err != nil {
			return nil, err
		}
		kind, content = "application/json", armjson.Text(v)
	}
	return c.makeString("data:" + kind + ";charset=utf-8;base64," + base64.StdEncoding.EncodeToString(dotnet.UTF8(content)))
}

// dataURIToString returns the text of data:[type][;charset=x][;base64],content, where x is utf-8 or us-ascii.
func dataURIToString(c *invocation, s string) (Value, error) {
	if len(s) < 5 || !strings.EqualFold(s[:5], "data:") {
		return nil, c.errorf("the string is not a data URI")
	}
	head, content, ok := strings.Cut(s[5:], ",")
	if !ok {
		return nil, c.errorf("the string is not a data URI")
	}
	params := strings.Split(head, ";")
	b := []byte(nil)
	if strings.EqualFold(strings.TrimSpace(params[len(params)-1]), "base64") {
		params = params[:len(params)-1]
		if b, ok = decodeBase64(dotnet.UnescapeData(content)); !ok {
			return nil, c.errorf("the content is not base64")
		}
	} else {
		b = dotnet.UTF8(dotnet.UnescapeData(content))
	}
	for _, p := range params {
		name, charset, ok := strings.Cut(p, "=")
		if !ok || !strings.EqualFold(strings.TrimSpace(name), "charset") {
			continue
		}
		switch strings.ToLower(strings.Trim(charset, ` "`)) {
		case "utf-8":
		case "us-ascii":
			for i, x := range b {
				if x >= utf8.RuneSelf {
					b[i] = '?'
				}
			}
		default:
			return nil, c.errorf("the character set of the data URI is neither utf-8 nor us-ascii")
		}
	}
	return c.makeString(source.ValidUTF8(string(b)))
}
