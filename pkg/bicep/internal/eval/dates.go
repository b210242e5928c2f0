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
		t, ok := parseTime(s)
		if !ok {
			return nil, c.errorf("the string is not a date and time")
		}
		return armjson.Int(t.Unix()), nil
	})
}

const (
	isoSeconds = "2006-01-02T15:04:05Z"
	// plainTime is .NET's general format in the invariant culture.
	plainTime = "01/02/2006 15:04:05"

	minEpoch = -62135596800
	maxEpoch = 253402300799
)

// dateTimeAdd evaluates dateTimeAdd(base, duration [, format]). Without a format
// the result is in ISO 8601, whatever the base looks like.
func dateTimeAdd(c *invocation) (Value, error) {
	base, err := c.str(0)
	if err != nil {
		return nil, err
	}
	duration, err := c.str(1)
	if err != nil {
		return nil, err
	}
	t, ok := parseTime(base)
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
	t = time.Unix(sec, int64(t.Nanosecond())+d.nano).UTC()
	if len(c.args) < 3 || isNull(c.args[2].v) {
		return armjson.String(t.Format(isoSeconds)), nil
	}
	f, err := c.str(2)
	if err != nil {
		return nil, err
	}
	if f == "" {
		return armjson.String(t.Format(plainTime)), nil
	}
	s, err := dotnet.Time(t, f)
	if err != nil {
		return nil, c.errorf("%v", err)
	}
	return c.makeString(s)
}

// timeLayouts are the forms of a time that are read, the most usual first.
var timeLayouts = []string{
	isoSeconds,
	"20060102T150405Z",
	"2006-01-02T15:04:05.999999999Z07:00",
	"2006-01-02T15:04:05.999999999Z0700",
	"2006-01-02T15:04:05.999999999",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999 Z07:00",
	"2006-01-02 15:04:05.999999999",
	"2006-01-02 15:04",
	"2006-01-02",
	"2006-01",
	"2006/01/02 15:04:05",
	"2006/01/02",
	"1/2/2006 15:04:05",
	"1/2/2006 3:04:05 PM",
	"1/2/2006 15:04",
	"1/2/2006 3:04 PM",
	"1/2/2006",
	"Mon, 02 Jan 2006 15:04:05 GMT",
	"2 January 2006",
	"January 2, 2006",
	"2 Jan 2006",
	"Jan 2, 2006",
}

func parseTime(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if len(s) > 64 {
		return time.Time{}, false
	}
	for _, l := range timeLayouts {
		if t, err := time.Parse(l, s); err == nil && t.Year() > 0 {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// span is a duration: seconds, and nanoseconds of the same sign.
type span struct{ sec, nano int64 }

type durationUnit struct {
	letter byte
	sec    int64
}

var (
	dateUnits = []durationUnit{{'Y', 365 * 24 * 3600}, {'M', 30 * 24 * 3600}, {'D', 24 * 3600}}
	timeUnits = []durationUnit{{'H', 3600}, {'M', 60}, {'S', 1}}
)

// parseDuration reads an ISO 8601 duration. A year counts 365 days and a month
// 30, as .NET's reader of XML durations has it.
func parseDuration(s string) (span, bool) {
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
		n, err := strconv.ParseInt(s[:i], 10, 40)
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
