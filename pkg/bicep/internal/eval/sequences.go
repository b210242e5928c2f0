package eval

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/collate"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// addSequences adds the functions that take strings and arrays alike, some of them
// objects too.
func addSequences(m map[string]builtin) {
	m["indexof"] = builtin{2, 2, indexOf(false)}
	m["lastindexof"] = builtin{2, 2, indexOf(true)}
	m["contains"] = builtin{2, 2, contains}
	m["length"] = builtin{1, 1, lengthOf}
	m["empty"] = builtin{1, 1, empty}
	m["take"] = builtin{2, 2, take}
	m["skip"] = builtin{2, 2, skip}
	m["first"] = builtin{1, 1, edge(false)}
	m["last"] = builtin{1, 1, edge(true)}
}

// indexOf makes indexOf and lastIndexOf: of a text in a string as people read it, without looking
// at case (package collate), or of an element in an array, exactly. The last place of an empty text is that of the last character.
func indexOf(last bool) func(*invocation) (Value, error) {
	return func(c *invocation) (Value, error) {
		if a, ok := c.args[0].v.(armjson.Array); ok {
			x, err := c.value(1)
			if err != nil {
				return nil, err
			}
			found := -1
			for i := range a {
				same, err := c.equal(a[i], x)
				if err != nil {
					return nil, err
				}
				if same {
					found = i
					if !last {
						break
					}
				}
			}
			return armjson.Int(int64(found)), nil
		}
		s, err := c.str(0)
		if err != nil {
			return nil, c.bad(0, "a string or an array")
		}
		x, err := c.str(1)
		if err != nil {
			return nil, err
		}
		if x == "" && last {
			return armjson.Int(int64(max(0, dotnet.Length(s)-1))), nil
		}
		i := collate.Index(s, x, last)
		if i > 0 {
			i = dotnet.Length(s[:i])
		}
		return armjson.Int(int64(i)), nil
	}
}

// contains looks for a text, an element or a property. Texts and elements are
// compared exactly, the names of properties without regard to case.
func contains(c *invocation) (Value, error) {
	switch v := c.args[0].v.(type) {
	case armjson.String:
		s, err := c.str(1)
		if err != nil {
			return nil, err
		}
		return armjson.Bool(strings.Contains(string(v), s)), nil
	case armjson.Array:
		x, err := c.value(1)
		if err != nil {
			return nil, err
		}
		for i := range v {
			same, err := c.equal(v[i], x)
			if same || err != nil {
				return armjson.Bool(same), err
			}
		}
		return armjson.Bool(false), nil
	case *armjson.Object:
		s, ok := c.args[1].v.(armjson.String)
		if !ok {
			return nil, c.bad(1, "the name of a property")
		}
		_, found := c.ev.find(v, string(s))
		return armjson.Bool(found), nil
	}
	return nil, c.bad(0, "a string, an array or an object")
}

func lengthOf(c *invocation) (Value, error) {
	switch v := c.args[0].v.(type) {
	case armjson.String:
		return armjson.Int(int64(dotnet.Length(string(v)))), nil
	case armjson.Array:
		return armjson.Int(int64(len(v))), nil
	case *armjson.Object:
		return armjson.Int(int64(v.Len())), nil
	}
	return nil, c.bad(0, "a string, an array or an object")
}

func empty(c *invocation) (Value, error) {
	switch v := c.args[0].v.(type) {
	case armjson.String:
		return armjson.Bool(v == ""), nil
	case armjson.Array:
		return armjson.Bool(len(v) == 0), nil
	case *armjson.Object:
		return armjson.Bool(v.Len() == 0), nil
	}
	if c.args[0].fn == nil && isNull(c.args[0].v) {
		return armjson.Bool(true), nil
	}
	return nil, c.bad(0, "a string, an array or an object")
}

// take keeps the first n characters or elements: none if n is negative, all if
// there are fewer.
func take(c *invocation) (Value, error) {
	return c.part(func(n, total int64) (int64, int64) { return 0, min(max(n, 0), total) })
}

// skip leaves out the first n characters or elements, likewise.
func skip(c *invocation) (Value, error) {
	return c.part(func(n, total int64) (int64, int64) { return min(max(n, 0), total), total })
}

func (c *invocation) part(bounds func(n, total int64) (int64, int64)) (Value, error) {
	n, err := c.int(1)
	if err != nil {
		return nil, err
	}
	switch v := c.args[0].v.(type) {
	case armjson.String:
		from, to := bounds(n, int64(dotnet.Length(string(v))))
		return armjson.String(dotnet.Slice(string(v), int(from), int(to))), nil
	case armjson.Array:
		from, to := bounds(n, int64(len(v)))
		return v[from:to:to], nil
	}
	return nil, c.bad(0, "a string or an array")
}

// edge makes first and last. Of an empty array they give null, of an empty
// string the empty string.
func edge(last bool) func(*invocation) (Value, error) {
	return func(c *invocation) (Value, error) {
		switch v := c.args[0].v.(type) {
		case armjson.String:
			n := dotnet.Length(string(v))
			if n == 0 {
				return v, nil
			}
			if last {
				return armjson.String(dotnet.Slice(string(v), n-1, n)), nil
			}
			return armjson.String(dotnet.Slice(string(v), 0, 1)), nil
		case armjson.Array:
			if len(v) == 0 {
				return armjson.Null{}, nil
			}
			if last {
				return v[len(v)-1], nil
			}
			return v[0], nil
		}
		return nil, c.bad(0, "a string or an array")
	}
}
