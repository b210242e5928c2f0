package eval

import (
	"time"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// addDates adds the functions of points in time.
func addDates(m map[string]builtin) {
	m["datetimeadd"] = builtin{2, 3, dateTimeAdd}
	m["datetimefromepoch"] = builtin{1, 1, func(c *invocation) (Value, error) {
		n, err := c.int(0)
		if err != nil {
			return nil, err
		}
		if n < minEpoch || n > maxEpoch {
			return nil, c.errorf("%d is outside the years 1 to 9999", n)
		}
		return armjson.String(time.Unix(n, 0).UTC().Format(isoSeconds)), nil
	}}
	m["datetimetoepoch"] = ofString(func(c *invocation, s string) (Value, error) {
		t, ok := dotnet.ReadTime(s)
		if !ok {
			return nil, c.errorf("the string is not a date and time")
		}
		return armjson.Int(t.Unix()), nil
	})
}

const (
	isoSeconds = "2006-01-02T15:04:05Z"

	minEpoch = -62135596800
	maxEpoch = 253402300799
)

// dateTimeAdd evaluates dateTimeAdd(base, duration [, format]). Without a format
// the result is in ISO 8601, whatever the base looks like. The clock is that of the base: a base with an offset
// is not converted, and the Z at the end of the result is then wrong. So it is in ARM.
func dateTimeAdd(c *invocation) (Value, error) {
	base, duration, err := args2(c.str, c.str)
	if err != nil {
		return nil, err
	}
	t, ok := dotnet.ReadTime(base)
	if !ok {
		return nil, c.errorf("its first argument is not a date and time")
	}
	d, ok := dotnet.ReadDuration(duration)
	if !ok {
		return nil, c.errorf("its second argument is not a duration such as P1DT2H")
	}
	sec := t.Unix() + d.Seconds
	if sec < minEpoch || sec > maxEpoch {
		return nil, c.errorf("the result is outside the years 1 to 9999")
	}
	t = time.Unix(sec, int64(t.Nanosecond())+d.Nanoseconds).In(t.Location())
	if t.Year() < 1 || t.Year() > 9999 {
		return nil, c.errorf("the result is outside the years 1 to 9999")
	}
	if len(c.args) < 3 || isNull(c.args[2].v) {
		return armjson.String(t.Format(isoSeconds)), nil
	}
	f, err := c.str(2)
	if err != nil {
		return nil, err
	}
	s, err := dotnet.Time(t, f)
	if err != nil {
		return nil, c.errorf("%v", err)
	}
	return c.makeString(s)
}
