// Package source holds the texts that are compiled: files, spans of bytes in them, and the lines
// and columns that people see. Begin with File and with FS, through which all files are read: Disk
// for the disk, Memory for tests and programs that embed the compiler.
//
// It is a leaf: it imports nothing of this module.
package source

import (
	"slices"
	"strings"
	"sync"
)

// Span is a half-open range of bytes in a file.
type Span struct{ Start, End int32 }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return int(s.End - s.Start) }

// Contains reports whether t is within s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Cover returns the smallest span that holds both.
func (s Span) Cover(t Span) Span {
	return Span{min(s.Start, t.Start), max(s.End, t.End)}
}

// Between returns the smallest span from the start of a to the end of b.
func Between(a, b Span) Span { return Span{a.Start, b.End} }

// File is one source text. Its byte order mark, if it had one, is not part of Text.
type File struct {
	Path string // absolute, in the form of the operating system
	Text string

	once  sync.Once
	lines []int32 // the offset at which each line begins

	onceLong sync.Once
	units    []int32 // the UTF-16 code units before each block of unitBlock bytes; for long lines
}

// unitBlock is the distance between the offsets whose column is looked up instead
// of counted, so that a position costs the same in a short line and in a long one.
const unitBlock = 1024

// NewFile returns a file. Text that is not valid UTF-8 has each invalid byte
// replaced, as the official compiler reads it.
func NewFile(path, text string) *File {
	if len(text) >= 3 && text[:3] == "\ufeff" {
		text = text[3:]
	}
	return &File{Path: path, Text: ValidUTF8(text)}
}

// Position is a place as people count: line and column from 1, the column in
// UTF-16 code units, as the official compiler and editors count.
type Position struct{ Line, Column int }

// Position returns the place of a byte offset.
func (f *File) Position(offset int32) Position {
	f.once.Do(f.index)
	offset = min(offset, int32(len(f.Text)))
	line, begins := slices.BinarySearch(f.lines, offset)
	if !begins {
		line--
	}
	start := f.lines[line]
	var units int32
	if offset-start < unitBlock {
		units = codeUnits(f.Text[start:offset])
	} else {
		units = f.unitsBefore(offset) - f.unitsBefore(start)
	}
	if offset > start && f.Text[offset-1] >= 0xf0 {
		units-- // between the two halves of a surrogate pair
	}
	return Position{line + 1, 1 + int(units)}
}

// unitsBefore returns the number of UTF-16 code units before an offset.
func (f *File) unitsBefore(offset int32) int32 {
	f.onceLong.Do(f.countUnits)
	block := offset / unitBlock
	return f.units[block] + codeUnits(f.Text[block*unitBlock:offset])
}

// codeUnits counts the UTF-16 code units of the characters that begin in a piece
// of valid UTF-8.
func codeUnits(text string) int32 {
	var n int32
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= 0xf0: // the first byte of a character beyond the Basic Multilingual Plane
			n += 2
		case c < 0x80 || c >= 0xc0:
			n++
		}
	}
	return n
}

// Line returns the text of line n (from 1), without its end.
func (f *File) Line(n int) string {
	f.once.Do(f.index)
	if n < 1 || n > len(f.lines) {
		return ""
	}
	end := len(f.Text)
	if n < len(f.lines) {
		end = int(f.lines[n])
	}
	s := f.Text[f.lines[n-1]:end]
	for len(s) > 0 && (s[len(s)-1] == '\n' || s[len(s)-1] == '\r') {
		s = s[:len(s)-1]
	}
	return s
}

// Slice returns the text of a span.
func (f *File) Slice(s Span) string { return f.Text[s.Start:s.End] }

// index finds where lines begin: after \n, \r\n or a lone \r.
func (f *File) index() {
	ends := strings.Count(f.Text, "\n")
	f.lines = append(make([]int32, 0, 1+ends), 0)
	if strings.IndexByte(f.Text, '\r') >= 0 {
		f.indexReturns()
		return
	}
	at := 0
	for range ends {
		at += strings.IndexByte(f.Text[at:], '\n') + 1
		f.lines = append(f.lines, int32(at))
	}
}

// indexReturns is index for a text with carriage returns.
func (f *File) indexReturns() {
	for i := 0; i < len(f.Text); i++ {
		switch f.Text[i] {
		case '\r':
			if i+1 < len(f.Text) && f.Text[i+1] == '\n' {
				i++
			}
			f.lines = append(f.lines, int32(i+1))
		case '\n':
			f.lines = append(f.lines, int32(i+1))
		}
	}
}

// countUnits counts the code units before each block.
func (f *File) countUnits() {
	var units int32
	for at := 0; at <= len(f.Text); at += unitBlock {
		f.units = append(f.units, units)
		units += codeUnits(f.Text[at:min(at+unitBlock, len(f.Text))])
	}
}

// Offset returns the offset at which line n (from 1) begins.
func (f *File) Offset(n int) int32 {
	f.once.Do(f.index)
	return f.lines[max(0, min(n, len(f.lines))-1)]
}
