package dotnet

import (
	"strconv"
	"strings"
)

// Duration is a length of time: seconds, and nanoseconds of the same sign.
type Duration struct{ Seconds, Nanoseconds int64 }

type durationUnit struct {
	letter byte
	sec    int64
}

const month = 30 * 24 * 3600

var (
	dateUnits = []durationUnit{{'Y', 365 * 24 * 3600}, {'M', month}, {'D', 24 * 3600}}
	timeUnits = []durationUnit{{'H', 3600}, {'M', 60}, {'S', 1}}
)

// ReadDuration reads an ISO 8601 duration. As .NET's reader of XML durations has it, a year counts 365 days,
// twelve months are a year, and those that are left count 30 days each.
func ReadDuration(s string) (Duration, bool) {
	s = strings.Trim(s, " \t\r\n")
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if !strings.HasPrefix(s, "P") || len(s) < 3 || len(s) > 100 {
		return Duration{}, false
	}
	s = s[1:]
	var d Duration
	units := dateUnits
	inTime := false
	for s != "" {
		if s[0] == 'T' {
			if inTime || len(s) == 1 {
				return Duration{}, false
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
			return Duration{}, false
		}
		var nano int64
		if s[i] == '.' && inTime {
			j := i + 1
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			frac := (s[i+1:j] + "000000000")[:9]
			if j == i+1 || j >= len(s) || s[j] != 'S' {
				return Duration{}, false
			}
			nano, _ = strconv.ParseInt(frac, 10, 64)
			i = j
		}
		k := 0
		for k < len(units) && units[k].letter != s[i] {
			k++
		}
		if k == len(units) {
			return Duration{}, false
		}
		d.Seconds += n * units[k].sec
		if units[k].sec == month {
			d.Seconds += n / 12 * 5 * 24 * 3600
		}
		d.Nanoseconds += nano
		if d.Seconds > 1<<50 {
			return Duration{}, false
		}
		units = units[k+1:]
		s = s[i+1:]
	}
	if neg {
		d.Seconds, d.Nanoseconds = -d.Seconds, -d.Nanoseconds
	}
	return d, true
}
