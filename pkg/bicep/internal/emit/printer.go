package emit

import (
	"slices"
	"strconv"

	"github.com/radbicep/rad/pkg/armjson"
)

// printer writes a template's JSON text front to back into one buffer: two spaces for each level, a
// line for each member and element, `{}` and `[]` for empty ones.
//
// The official compiler prints its template, reads it again into a tree and prints that. This has
// one visible effect: of the members of an object with the same key, only the last remains. The
// printer removes the earlier ones from the text when the object ends, which is hardly ever needed.
type printer struct {
	buf     []byte
	frames  []frame  // the objects and arrays that are open
	members []member // those of the open objects, innermost object last
	parts   []part   // the templates of modules in the buffer, if they are noted
}

// frame is an object or array that is open.
type frame struct {
	first  int // where its members begin in printer.members
	count  int
	object bool
	unique bool           // its keys are known to differ
	gone   bool           // some of its members have to be removed
	index  map[string]int // the last member of each key, in printer.members
}

// member is a member of an open object.
type member struct {
	key   string
	start int // where it begins in the buffer, with the comma before it
	gone  bool
}

// With more members than this, an object gets a map to find keys that are repeated.
const linearSearch = 24

func (p *printer) open(object, unique bool) {
	c := byte('[')
	if object {
		c = '{'
	}
	p.buf = append(p.buf, c)
	p.frames = append(p.frames, frame{first: len(p.members), object: object, unique: unique})
}

// object begins an object; its members may repeat keys.
func (p *printer) object() { p.open(true, false) }

// uniqueObject begins an object of which the caller knows that no key comes twice.
func (p *printer) uniqueObject() { p.open(true, true) }

// array begins an array.
func (p *printer) array() { p.open(false, true) }

// end ends the innermost object or array.
func (p *printer) end() {
	f := &p.frames[len(p.frames)-1]
	if f.gone {
		p.cut(p.members[f.first:])
	}
	if f.count > 0 {
		p.buf = armjson.AppendNewline(p.buf, armjson.Indented, len(p.frames)-1)
	}
	c := byte(']')
	if f.object {
		c = '}'
	}
	p.buf = append(p.buf, c)
	p.members = p.members[:f.first]
	p.frames = p.frames[:len(p.frames)-1]
}

// item begins an element of an array.
func (p *printer) item() {
	f := &p.frames[len(p.frames)-1]
	p.next(f)
}

func (p *printer) next(f *frame) {
	if cap(p.buf)-len(p.buf) < littleRoom {
		p.buf = slices.Grow(p.buf, max(min(len(p.buf), mostRoom), littleRoom))
	}
	if f.count > 0 {
		p.buf = append(p.buf, ',')
	}
	f.count++
	p.buf = armjson.AppendNewline(p.buf, armjson.Indented, len(p.frames))
}

// key begins a member of an object.
func (p *printer) key(k string) {
	f := &p.frames[len(p.frames)-1]
	if !f.unique {
		if i := p.find(f, k); i >= 0 {
			p.members[i].gone = true
			f.gone = true
		}
		if f.index != nil {
			f.index[k] = len(p.members)
		}
		p.members = append(p.members, member{key: k, start: len(p.buf)})
	}
	p.next(f)
	p.buf = armjson.AppendString(p.buf, k)
	p.buf = append(p.buf, ": "...)
}

// A buffer with little room left gets twice as much, up to a size: append would copy it more often.
const (
	littleRoom = 512
	mostRoom   = 1 << 20
)

func (p *printer) find(f *frame, k string) int {
	mine := p.members[f.first:]
	if f.index == nil && len(mine) > linearSearch {
		f.index = make(map[string]int, 2*len(mine))
		for i, m := range mine {
			f.index[m.key] = f.first + i
		}
	}
	if f.index != nil {
		if i, ok := f.index[k]; ok {
			return i
		}
		return -1
	}
	for i := range mine {
		if mine[i].key == k && !mine[i].gone {
			return f.first + i
		}
	}
	return -1
}

// cut removes the members that are gone from the text of the innermost object. The last one is
// never gone.
func (p *printer) cut(members []member) {
	to := members[0].start
	moved := p.parts
	for i, x := range p.parts {
		if x.start >= to {
			moved, p.parts = p.parts[i:], p.parts[:i]
			break
		}
	}
	for i, m := range members {
		if m.gone {
			continue
		}
		from, end := m.start, len(p.buf)
		if i+1 < len(members) {
			end = members[i+1].start
		}
		if to == members[0].start && i > 0 {
			from++ // the comma: this is the first now
		}
		for _, x := range moved {
			if from <= x.start && x.start < end {
				x.start, x.end = x.start+to-from, x.end+to-from
				p.parts = append(p.parts, x)
			}
		}
		to += copy(p.buf[to:], p.buf[from:end])
	}
	p.buf = p.buf[:to]
}

func (p *printer) string(s string) { p.buf = armjson.AppendString(p.buf, s) }

func (p *printer) int(i int64) { p.buf = strconv.AppendInt(p.buf, i, 10) }

func (p *printer) bool(b bool) { p.buf = strconv.AppendBool(p.buf, b) }

func (p *printer) null() { p.buf = append(p.buf, "null"...) }

// stringMember writes a member whose value is a string.
func (p *printer) stringMember(k, v string) {
	p.key(k)
	p.string(v)
}
