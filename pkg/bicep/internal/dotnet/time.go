package dotnet

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Time formats a time with its offset, as a DateTimeOffset, by a format: one letter for a standard format, else
// a custom one. The standard formats that end with GMT or Z show the time in UTC, the others that of its zone.
func Time(t time.Time, f string) (string, error) {
	switch f {
	case "":
		f = "MM/dd/yyyy HH:mm:ss zzz"
	case "r", "R", "u":
		t = t.UTC()
	}
	if len(f) == 1 {
		custom := standardTime(f[0])
		if custom == "" {
			return "", fmt.Errorf("%q is not a format of dates", f)
		}
		f = custom
	}
	if len(f) > 1000 {
		return "", errors.New("the format is too long")
	}
	var b strings.Builder
	for f != "" {
		n, err := writeTime(&b, t, f)
		if err != nil {
			return "", err
		}
		f = f[n:]
	}
	return b.String(), nil
}

// standardTime returns the custom format that a letter stands for, or "".
func standardTime(letter byte) string {
	switch letter {
	case 'd':
		return "MM/dd/yyyy"
	case 'D':
		return "dddd, dd MMMM yyyy"
	case 'f':
		return "dddd, dd MMMM yyyy HH:mm"
	case 'F':
		return "dddd, dd MMMM yyyy HH:mm:ss"
	case 'g':
		return "MM/dd/yyyy HH:mm"
	case 'G':
		return "MM/dd/yyyy HH:mm:ss"
	case 'm', 'M':
		return "MMMM dd"
	case 'o', 'O':
		return "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffffzzz"
	case 'r', 'R':
		return "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'"
	case 's':
		return "yyyy'-'MM'-'dd'T'HH':'mm':'ss"
	case 't':
		return "HH:mm"
	case 'T':
		return "HH:mm:ss"
	case 'u':
		return "yyyy'-'MM'-'dd HH':'mm':'ss'Z'"
	case 'y', 'Y':
		return "yyyy MMMM"
	}
	return ""
}

// writeTime writes what the first part of a format stands for, and returns the length of the part: a letter,
// as often as it is repeated, or a literal.
func writeTime(b *strings.Builder, t time.Time, f string) (int, error) {
	c, n := f[0], 1
	for n < len(f) && f[n] == c {
		n++
	}
	switch c {
	case 'd':
		pad(b, t.Day(), n, t.Weekday().String()[:3], t.Weekday().String())
	case 'M':
		pad(b, int(t.Month()), n, t.Month().String()[:3], t.Month().String())
	case 'y':
		if n <= 2 {
			pad(b, t.Year()%100, n, "", "")
		} else {
			fmt.Fprintf(b, "%0*d", n, t.Year())
		}
	case 'h':
		pad(b, (t.Hour()+11)%12+1, min(n, 2), "", "")
	case 'H':
		pad(b, t.Hour(), min(n, 2), "", "")
	case 'm':
		pad(b, t.Minute(), min(n, 2), "", "")
	case 's':
		pad(b, t.Second(), min(n, 2), "", "")
	case 'f', 'F':
		if n > 7 {
			return 0, errors.New("the format has too many digits of seconds")
		}
		fraction := fmt.Sprintf("%09d", t.Nanosecond())[:n]
		if c == 'F' {
			fraction = strings.TrimRight(fraction, "0")
		}
		b.WriteString(fraction)
	case 't':
		half := "AM"
		if t.Hour() >= 12 {
			half = "PM"
		}
		b.WriteString(half[:min(n, 2)])
	case 'z':
		writeOffset(b, t, min(n, 3))
	case 'K':
		for range n {
			writeOffset(b, t, 3)
		}
	case 'g':
		b.WriteString("A.D.")
	case '\'', '"':
		return writeQuoted(b, f)
	case '\\':
		if len(f) == 1 {
			return 0, errors.New("the format ends with a backslash")
		}
		b.WriteByte(f[1])
		return 2, nil
	case '%':
		if len(f) == 1 || f[1] == '%' {
			return 0, errors.New("the format is not well formed")
		}
		return 1, nil
	default:
		b.WriteString(f[:n])
	}
	return n, nil
}

// writeOffset writes the offset of a time as +1, +01 or +01:00.
func writeOffset(b *strings.Builder, t time.Time, n int) {
	_, seconds := t.Zone()
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	fmt.Fprintf(b, "%c%0*d", sign, min(n, 2), seconds/3600)
	if n == 3 {
		fmt.Fprintf(b, ":%02d", seconds/60%60)
	}
}

// writeQuoted writes the quoted text that a format begins with, and returns its length with the quotes.
func writeQuoted(b *strings.Builder, f string) (int, error) {
	for i := 1; i < len(f); i++ {
		switch {
		case f[i] == f[0]:
			return i + 1, nil
		case f[i] == '\\' && i+1 < len(f):
			i++
		}
		b.WriteByte(f[i])
	}
	return 0, errors.New("a quote in the format is not closed")
}

// pad writes a number with one or two digits, or one of its names.
func pad(b *strings.Builder, v, n int, short, long string) {
	switch {
	case n >= 4 && long != "":
		b.WriteString(long)
	case n == 3 && short != "":
		b.WriteString(short)
	case n == 1:
		b.WriteString(strconv.Itoa(v))
	default:
		fmt.Fprintf(b, "%02d", v)
	}
}
