// Package aztypes reads Azure's resource types from a compact library.
//
// Azure publishes its types as 350 MB of JSON, of which nearly everything is the
// same from version to version. A library holds each type once and nothing that
// the compiler has no use for, such as descriptions: 1.6 MB. It is read in place.
// Opening it takes a few slices of its text, and a type costs what it has in it.
// Package pack makes libraries.
//
// # Format
//
// A library is a header and sections, one after the other:
//
//	magic     8 bytes
//	checksum  u32, CRC-32C of all that follows
//	hot       u32, how many nodes have a short reference
//	count     u32, how many pairs of type and version there are
//	offset    u32 for the beginning of each section, and one for the end
//
// Integers are little-endian; uv is an unsigned varint and zz a zigzag varint. A
// grouped section holds items, each after its length as uv; a section of u24
// says where every eighth of them begins.
//
//	source     text: where the library comes from
//	licence    text
//	words      grouped: parts of strings, the most frequent first
//	strings    grouped: strings in codes. A byte below 176 is a word, one from 176
//	           to 254 and the next byte are a word, 255 is a length and text
//	props      6 bytes each: u20 name, u4 flags, u24 node. Properties that are in
//	           more than one list
//	nodes      grouped: types
//	versions   u16 count, u16 offsets, text: API versions in order
//	scopes     pairs of bytes: where a type can be read, and where deployed
//	typeNames  grouped codes: names of resource types in the order of their lower
//	           case, as the newest version spells them
//	entries    for each type, at a u24 offset: uv other spellings, each as long as
//	           the name; uv versions, and for each: uv step in versions, uv scopes
//	           and whether there are functions, uv spelling if there are others, zz
//	           step of the body's node, functions (uv count; each uv name, uv
//	           output, uv input+1)
//
// A node begins with a byte: its kind in four bits, and whether it is sensitive,
// has a least and a greatest bound, and has more. After the bounds as zz follows:
//
//	string         if it has more: uv pattern
//	literal        uv string
//	array          reference
//	union          uv count, and references; if it has more: strings, of which
//	               each is a literal
//	object         uv name, list; if it has more: reference to the type of the
//	               properties that are not named
//	discriminated  uv name, uv discriminator, list, uv count, and for each member
//	               uv key and reference
//
// A reference is a uv: an even one is twice the number of a hot node, an odd one
// the zigzag distance from the node that it is in. A list of properties is a
// uv, twice the number of steps and one more if it is a change of another object's
// list, to which a reference follows. A step is a uv: an even one is twice a number
// in props; of others, the lower three bits are 1 to copy so many properties of the
// other list, 3 to pass them over, and 7 for flags that a uv name and a reference
// follow.
package aztypes

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// Magic is what every library begins with. The last byte is the format's version.
const Magic = "azTypes\x01"

// The sections, in the order in which they stand.
const (
	Source = iota
	Licence
	Words
	WordAt
	Strings
	StringAt
	Props
	Nodes
	NodeAt
	Versions
	Scopes
	TypeNames
	TypeNameAt
	Entries
	EntryAt
	Sections // how many there are
)

// Facts on which the reader and the writer of libraries must agree.
const (
	Group        = 8   // items between two offsets of a grouped section
	OneByte      = 176 // codes below are words
	Text         = 255 // the code before text
	MaxWords     = OneByte + (Text-OneByte)*256
	Self         = "\x00"         // the name of a body that is called like its resource
	HeaderPrefix = len(Magic) + 4 // what the checksum does not cover
	HeaderSize   = HeaderPrefix + 8 + 4*(Sections+1)
	MaxText      = 64 << 10 // the length of a string
)

// Checksum returns the checksum of what follows the first part of the header. The table is
// made here, since it is not needed at start-up.
func Checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// Library is a library of types. It may be used from several goroutines.
type Library struct {
	section [Sections]string
	hot     int
	count   int
}

// The ways in which a file is not a library.
var (
	ErrFormat  = errors.New("it is not a library of Azure's types, or one of another version of rad")
	ErrDamaged = errors.New("the library of Azure's types is damaged")
)

// Open returns the library that a text holds. The text is trusted to be one that
// package pack made: see Verified for one that comes from a file.
func Open(text string) (*Library, error) {
	if len(text) < HeaderSize || text[:len(Magic)] != Magic {
		return nil, ErrFormat
	}
	l := &Library{}
	l.hot, l.count = u32(text, HeaderPrefix), u32(text, HeaderPrefix+4)
	at := HeaderPrefix + 8
	for i := range l.section {
		from, to := u32(text, at+4*i), u32(text, at+4*i+4)
		if from < HeaderSize || from > to || to > len(text) {
			return nil, ErrDamaged
		}
		l.section[i] = text[from:to]
	}
	return l, nil
}

// Verified returns the library that a file holds, if it is whole.
func Verified(data []byte) (*Library, error) {
	if !IsLibrary(data) {
		return nil, ErrFormat
	}
	if Checksum(data[HeaderPrefix:]) != binary.LittleEndian.Uint32(data[len(Magic):]) {
		return nil, ErrDamaged
	}
	return Open(string(data))
}

// IsLibrary reports whether a file begins like a library.
func IsLibrary(data []byte) bool {
	return len(data) >= HeaderSize && string(data[:len(Magic)]) == Magic
}

// Source says where the library comes from.
func (l *Library) Source() string { return l.section[Source] }

// Licence returns the licence of what the library was made of.
func (l *Library) Licence() string { return l.section[Licence] }

// Len returns the number of resource types, each version counted.
func (l *Library) Len() int { return l.count }

func u32(s string, at int) int {
	return int(s[at]) | int(s[at+1])<<8 | int(s[at+2])<<16 | int(s[at+3])<<24
}

func u24(s string, at int) int { return int(s[at]) | int(s[at+1])<<8 | int(s[at+2])<<16 }

// input reads numbers from a place on.
type input struct {
	s string
	i int
}

func (r *input) uv() int {
	b := r.s[r.i]
	r.i++
	if b < 0x80 {
		return int(b)
	}
	v := int(b & 0x7f)
	for shift := 7; ; shift += 7 {
		b = r.s[r.i]
		r.i++
		v |= int(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
}

func (r *input) zz() int64 {
	v := uint64(0)
	for shift := 0; ; shift += 7 {
		b := r.s[r.i]
		r.i++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return int64(v>>1) ^ -int64(v&1)
		}
	}
}

// count reads how many items follow, each of which takes a byte at least.
func (r *input) count() int {
	n := r.uv()
	if n < 0 || n > len(r.s)-r.i {
		panic(ErrDamaged)
	}
	return n
}

// item returns an item of a grouped section.
func (l *Library) item(section, offsets, n int) string {
	r := input{l.section[section], u24(l.section[offsets], n/Group*3)}
	for k := n % Group; k > 0; k-- {
		r.i += r.uv()
	}
	size := r.uv()
	return r.s[r.i : r.i+size]
}

// appendCodes appends the text that codes stand for.
func (l *Library) appendCodes(b []byte, codes string) []byte {
	for i := 0; i < len(codes); i++ {
		switch c := codes[i]; {
		case c < OneByte:
			b = append(b, l.item(Words, WordAt, int(c))...)
		case c == Text:
			n := int(codes[i+1])
			b = append(b, codes[i+2:i+2+n]...)
			i += 1 + n
		default:
			b = append(b, l.item(Words, WordAt, OneByte+int(c-OneByte)<<8+int(codes[i+1]))...)
			i++
		}
		if len(b) > MaxText {
			panic(ErrDamaged)
		}
	}
	return b
}

func (l *Library) str(n int) string {
	var buf [96]byte
	return string(l.appendCodes(buf[:0], l.item(Strings, StringAt, n)))
}

// HasEmbedded reports whether a library is built in.
func HasEmbedded() bool { return embedded != "" }

// Embedded returns the library that is built in, or nil.
func Embedded() *Library {
	if embedded == "" {
		return nil
	}
	l, err := Open(embedded)
	if err != nil {
		panic(err) // the program was not built by `make aztypes`
	}
	return l
}
