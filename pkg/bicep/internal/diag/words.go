package diag

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxNames is how many names a message lists at most, so that a message does not
// grow with the program that it is about.
const maxNames = 20

// maxText is how many bytes of a text a message quotes at most: a type is described
// by all that it holds.
const maxText = 1000

// excerpt is the beginning of a long text.
func excerpt(s string) string {
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// Names writes names for a message. Of many it writes the first, and counts the others.
func Names(names []string) string {
	return enumerate(names, func(n string) string { return n })
}

// QuotedNames is Names with each name in quotes.
func QuotedNames(names []string) string {
	return enumerate(names, func(n string) string { return `"` + n + `"` })
}

// enumerate joins the first names by commas, and counts the others.
func enumerate(names []string, show func(string) string) string {
	shown := make([]string, min(len(names), maxNames))
	for i := range shown {
		shown[i] = show(names[i])
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		return fmt.Sprintf("%s and %d more", text, more)
	}
	return text
}

// Chain writes how one thing leads to the next. Of a long chain it writes the beginning and the end.
func Chain[E any](links []E, name func(E) string) string {
	var b strings.Builder
	for i := 0; i < len(links); i++ {
		if i > 0 {
			b.WriteString(" -> ")
		}
		if more := len(links) - maxNames; more > 0 && i == maxNames-1 {
			fmt.Fprintf(&b, "(%d more) -> ", more)
			i += more
		}
		b.WriteString(name(links[i]))
	}
	return b.String()
}

// Words are a part of a message that names files or folders.
type Words struct {
	Text  string
	Files []string // as Text has them
}

func (w Words) String() string { return w.Text }

// File names a file or folder in a message. Where the message is shown, it is written as the
// places of findings are there.
func File(path string) Words { return Words{path, []string{path}} }

// Text is a part of a message that is made only when the message is shown.
type Text func() string

func (t Text) String() string { return t() }

// Arguments writes a number of arguments.
func Arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return strconv.Itoa(n) + " arguments"
}
