package dotnet

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// ReadTime reads a date and a time as DateTimeOffset.Parse does in the invariant culture; what has no
// offset is in UTC. A time without a date, and a date without a year, are not read: .NET takes the rest from the
// clock, and then one program has two values.
//
// .NET reads almost anything. The text is cut into words, numbers and what is between them, and their order
// decides:
//
//	2020-1-2                        numbers: the first has three digits or more, so it is the year
//	1/2/2020, 1.2.2020, 1/2/20      otherwise month, day, year; 00 to 49 are in this century
//	2 January 2020, Jan 2, 2020     a month's name: the number that is no day is the year
//	2020-01, January 2020           the first of the month
//	Thu, 02 Jan 2020 03:04:05 GMT   the weekday must be right
//	2020-01-02T03:04:05.678+05:30   a time has colons; after it AM or PM, an offset, Z or GMT
//	20200102T030405Z                ARM's own form
func ReadTime(s string) (time.Time, bool) {
	if len(s) > 100 {
		return time.Time{}, false
	}
	if t, err := time.Parse("20060102T150405Z", s); err == nil {
		return t, t.Year() > 0
	}
	r := timeReader{rest: strings.Trim(s, " \t\r\n\v\f"), weekday: -1}
	for r.rest != "" {
		if !r.next() {
			return time.Time{}, false
		}
	}
	return r.time()
}

type timeReader struct {
	rest    string
	numbers []dateNumber // of the date, in order
	month   time.Month   // if it has a name
	weekday time.Weekday // -1 if none is given
	clock   struct {
		given                bool
		hour, minute, second int
		ticks                int64 // hundreds of nanoseconds
		half                 byte  // 'A' or 'P'
	}
	zoned  bool
	offset int // seconds east of UTC
}

type dateNumber struct{ value, digits int }

// next reads the next word, number or separator.
func (r *timeReader) next() bool {
	c := r.rest[0]
	switch {
	case c == ' ' || c == '\t' || c == ',':
		r.rest = r.rest[1:]
		return true
	case isDigit(c):
		return r.number()
	case c == '/' || c == '.':
		r.rest = r.rest[1:]
		return len(r.numbers) > 0 && !r.clock.given
	case c == '+' || c == '-' && r.clock.given:
		return r.readOffset()
	case c == '-':
		r.rest = r.rest[1:]
		return len(r.numbers) > 0
	}
	n := 0
	for n < len(r.rest) && isLetter(r.rest[n]) {
		n++
	}
	word := r.rest[:n]
	r.rest = r.rest[n:]
	return n > 0 && r.word(word)
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// digits takes the digits that come next.
func (r *timeReader) digits() (value, n int) {
	for n < len(r.rest) && isDigit(r.rest[n]) {
		value = min(value*10+int(r.rest[n]-'0'), math.MaxInt32)
		n++
	}
	r.rest = r.rest[n:]
	return value, n
}

// number reads a number of the date, or the time that begins with it.
func (r *timeReader) number() bool {
	value, n := r.digits()
	if strings.HasPrefix(r.rest, ":") {
		return n <= 2 && r.time24(value)
	}
	if half := strings.TrimLeft(r.rest, " "); !r.clock.given && len(half) > 1 &&
		half[1]|0x20 == 'm' && (half[0]|0x20 == 'a' || half[0]|0x20 == 'p') {
		r.clock.given, r.clock.hour = true, value // 3 PM
		return n <= 2
	}
	r.numbers = append(r.numbers, dateNumber{value, n})
	return len(r.numbers) <= 3 && n <= 4
}

// time24 reads what follows an hour: a colon, minutes, and seconds with a fraction.
func (r *timeReader) time24(hour int) bool {
	if r.clock.given {
		return false
	}
	r.clock.given, r.clock.hour = true, hour
	r.rest = r.rest[1:]
	var n int
	if r.clock.minute, n = r.digits(); n == 0 || n > 2 {
		return false
	}
	if !strings.HasPrefix(r.rest, ":") {
		return true
	}
	r.rest = r.rest[1:]
	if r.clock.second, n = r.digits(); n == 0 || n > 2 {
		return false
	}
	if strings.HasPrefix(r.rest, ".") {
		fraction := r.rest
		r.rest = r.rest[1:]
		if _, n = r.digits(); n == 0 {
			return false
		}
		f, err := strconv.ParseFloat("0"+fraction[:n+1], 64)
		r.clock.ticks = int64(math.Round(f * 1e7))
		return err == nil
	}
	return true
}

// readOffset reads +1, +01, +0130 or +01:30.
func (r *timeReader) readOffset() bool {
	sign := 1
	if r.rest[0] == '-' {
		sign = -1
	}
	r.rest = r.rest[1:]
	hours, n := r.digits()
	minutes := 0
	switch {
	case n == 0 || n > 4 || r.zoned:
		return false
	case n > 2:
		hours, minutes = hours/100, hours%100
	case strings.HasPrefix(r.rest, ":"):
		r.rest = r.rest[1:]
		if minutes, n = r.digits(); n == 0 || n > 2 {
			return false
		}
	}
	r.zoned, r.offset = true, sign*(hours*60+minutes)*60
	return minutes < 60 && hours*60+minutes <= 14*60
}

// word reads the name of a month, a weekday or a zone, a half of the day, or the T before a time.
func (r *timeReader) word(w string) bool {
	switch lower := strings.ToLower(w); lower {
	case "t":
		return len(r.numbers) > 1 && !r.clock.given && r.rest != ""
	case "z", "gmt":
		ok := !r.zoned
		r.zoned = true
		return ok
	case "am", "pm", "a", "p":
		ok := r.clock.given && r.clock.half == 0
		r.clock.half = lower[0]
		return ok
	default:
		for m := time.January; m <= time.December; m++ {
			if isName(lower, m.String()) {
				ok := r.month == 0
				r.month = m
				return ok
			}
		}
		for d := time.Sunday; d <= time.Saturday; d++ {
			if isName(lower, d.String()) {
				ok := r.weekday < 0
				r.weekday = d
				return ok
			}
		}
	}
	return false
}

// isName reports whether a word in lower case is a name or its first three letters.
func isName(word, name string) bool {
	name = strings.ToLower(name)
	return word == name || word == name[:3]
}

// time puts the parts together.
func (r *timeReader) time() (time.Time, bool) {
	year, month, day, ok := r.date()
	c := &r.clock
	switch {
	case c.half == 'a' && c.hour <= 12:
		c.hour %= 12
	case c.half == 'p' && c.hour < 12:
		c.hour += 12
	case c.half == 'a':
		return time.Time{}, false
	}
	if !ok || year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || c.hour > 23 || c.minute > 59 || c.second > 59 {
		return time.Time{}, false
	}
	zone := time.UTC
	if r.offset != 0 {
		zone = time.FixedZone("", r.offset)
	}
	t := time.Date(year, month, day, c.hour, c.minute, c.second, 0, zone)
	if t.Day() != day || r.weekday >= 0 && t.Weekday() != r.weekday {
		return time.Time{}, false
	}
	t = t.Add(time.Duration(c.ticks) * 100)
	utc := t.UTC().Year()
	return t, utc >= 1 && utc <= 9999 && t.Year() <= 9999
}

// date says which number is the year, which the month and which the day.
func (r *timeReader) date() (year int, month time.Month, day int, ok bool) {
	n := r.numbers
	if r.month != 0 {
		switch len(n) {
		case 1: // January 2020
			return n[0].value, r.month, 1, n[0].digits > 2
		case 2:
			if n[0].digits > 2 { // 2020 January 2
				return n[0].value, r.month, n[1].value, n[1].digits <= 2
			}
			return n[1].century(), r.month, n[0].value, true
		}
		return 0, 0, 0, false
	}
	switch {
	case len(n) == 2 && n[0].digits > 2: // 2020-01
		return n[0].value, time.Month(n[1].value), 1, n[1].digits <= 2
	case len(n) == 2 && n[1].digits > 2: // 01/2020
		return n[1].value, time.Month(n[0].value), 1, true
	case len(n) != 3 || n[1].digits > 2:
		return 0, 0, 0, false
	case n[0].digits > 2:
		return n[0].value, time.Month(n[1].value), n[2].value, n[2].digits <= 2
	}
	return n[2].century(), time.Month(n[0].value), n[1].value, true
}

// century returns a year: one of two digits is between 1950 and 2049.
func (n dateNumber) century() int {
	switch {
	case n.digits > 2:
		return n.value
	case n.value < 50:
		return 2000 + n.value
	}
	return 1900 + n.value
}
