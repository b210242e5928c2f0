package eval

import (
	"errors"
	"strings"
	"unsafe"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// format evaluates format('…{0,5:N2}…', …), .NET's composite format in the
// invariant culture. Arrays and objects are shown as JSON in which all double quotes are replaced
// by single ones, whatever else the text holds: that of createArray('it”s', '"')
// is ['it's','\”], which nobody can read back.
func format(c *invocation) (Value, error) {
	f, err := c.str(0)
	if err != nil {
		return nil, err
	}
	args := make([]Value, len(c.args)-1)
	for i := range args {
		if args[i], err = c.value(i + 1); err != nil {
			return nil, err
		}
		if err := c.ev.weigh(args[i]); err != nil {
			return nil, err
		}
	}
	size := 32
	for _, a := range args { // mostly each is shown once, and texts are what is long
		s, _ := a.(armjson.String)
		size += len(s)
	}
	out, err := dotnet.Compose(f, dotnet.Items{
		Count:  len(args),
		Text:   func(i int, spec string) (string, error) { return formatValue(args[i], spec) },
		Size:   size,
		Widest: maxString - 1,
		Most:   maxValueText,
	})
	if errors.Is(err, dotnet.ErrTooLong) {
		err = errSize
	}
	if err != nil {
		return nil, c.errorf("%v", err)
	}
	if err := c.ev.room(len(out)); err != nil {
		return nil, err
	}
	return armjson.String(dotnet.Joined(unsafe.String(unsafe.SliceData(out), len(out)))), nil // nobody else has the bytes
}

// formatValue formats one value. The format applies to numbers only.
func formatValue(v Value, spec string) (string, error) {
	switch x := v.(type) {
	case armjson.Number:
		if spec == "" {
			break
		}
		return dotnet.Number(x, spec)
	case armjson.Array, *armjson.Object:
		return strings.ReplaceAll(armjson.Text(v), `"`, "'"), nil
	}
	s, _ := stringOf(v)
	return s, nil
}
