package eval

import (
	"strconv"
	"strings"
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
	base, err := c.str(0)
	if err != nil {
		return nil, err
	}
	duration, err := c.str(1)
	if err != nil {
		return nil, err
	}
	t, ok := dotnet.ReadTime(base)
	if !ok {
		return nil, c.errorf("its first argument is not a date and time")
	}
	d, ok := parseDuration(duration)
	if !ok {
		return nil, c.errorf("its second argument is not a duration such as P1DT2H")
	}
	sec := t.Unix() + d.sec
	if sec < minEpoch || sec > maxEpoch {
		return nil, c.errorf("the result is outside the years 1 to 9999")
	}
	t = time.Unix(sec, int64(t.Nanosecond())+d.nano).In(t.Location())
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

// span is a duration: seconds, and nanoseconds of the same sign.
type span struct{ sec, nano int64 }

type durationUnit struct {
	letter byte
	sec    int64
}

const month = 30 * 24 * 3600

var (
	dateUnits = []durationUnit{{'Y', 365 * 24 * 3600}, {'M', month}, {'D', 24 * 3600}}
	timeUnits = []durationUnit{{'H', 3600}, {'M', 60}, {'S', 1}}
)

// parseDuration reads an ISO 8601 duration. As .NET's reader of XML durations has it, a year counts 365 days,
// twelve months are a year, and those that are left count 30 days each.
func parseDuration(s string) (span, bool) {
	s = strings.Trim(s, " \t\r\n")
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if !strings.HasPrefix(s, "P") || len(s) < 3 || len(s) > 100 {
		return span{}, false
	}
	s = s[1:]
	var d span
	units := dateUnits
	inTime := false
	for s != "" {
		if s[0] == 'T' {
			if inTime || len(s) == 1 {
				return span{}, false
			}
			inTime = true
			units = timeUnits
			s = s[1:]
		}
		i := 0
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		n, err := strconv.ParseInt(s[:i], 10, 32)
		if err != nil || i >= len(s) {
			return span{}, false
		}
		var nano int64
		if s[i] == '.' && inTime {
			j := i + 1
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			frac := (s[i+1:j] + "000000000")[:9]
			if j == i+1 || j >= len(s) || s[j] != 'S' {
				return span{}, false
			}
			nano, _ = strconv.ParseInt(frac, 10, 64)
			i = j
		}
		k := 0
		for k < len(units) && units[k].letter != s[i] {
			k++
		}
		if k == len(units) {
			return span{}, false
		}
		d.sec += n * units[k].sec
		if units[k].sec == month {
			d.sec += n / 12 * 5 * 24 * 3600
		}
		d.nano += nano
		if d.sec > 1<<50 {
			return span{}, false
		}
		units = units[k+1:]
		s = s[i+1:]
	}
	if neg {
		d.sec, d.nano = -d.sec, -d.nano
	}
	return d, true
}
