package pack

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
)

// maxHot is how many nodes have short references: those that are used most.
const maxHot = 1024

// encoder writes a model as a library.
type encoder struct {
	*model
	number  []int   // of each node in the library; none for one that is not in it
	order   []int32 // the nodes that are, by that number
	hot     int
	strings map[string]int
	words   *words
	lists   []list // of the properties of each node
	shared  map[property]int
	section [aztypes.Sections][]byte
	err     error
}

func (m *model) encode(o Options) ([]byte, error) {
	e := &encoder{model: m}
	e.arrange()
	e.lists, e.shared = m.shorten(e.order)
	e.text()
	e.props()
	e.grouped(aztypes.Nodes, aztypes.NodeAt, len(e.order), func(i int) []byte { return e.node(e.order[i]) })
	e.index()
	e.section[aztypes.Source], e.section[aztypes.Licence] = []byte(o.Source), []byte(o.Licence)
	if e.err != nil {
		return nil, e.err
	}
	return e.join(), nil
}

// arrange numbers the nodes: first the hot ones, then the others in their order.
func (e *encoder) arrange() {
	for i := range e.nodes {
		if e.uses[i] > 0 {
			e.order = append(e.order, int32(i))
		}
	}
	most := slices.Clone(e.order)
	slices.SortStableFunc(most, func(a, b int32) int { return e.uses[b] - e.uses[a] })
	e.hot = min(maxHot, len(most))
	hot := most[:e.hot]
	isHot := make([]bool, len(e.nodes))
	for _, i := range hot {
		isHot[i] = true
	}
	order := slices.Clone(hot)
	for _, i := range e.order {
		if !isHot[i] {
			order = append(order, i)
		}
	}
	e.order = order
	e.number = slices.Repeat([]int{none}, len(e.nodes))
	for n, i := range e.order {
		e.number[i] = n
	}
}

// text writes the words and the strings, the most frequent first.
func (e *encoder) text() {
	uses := make(map[string]int)
	for _, i := range e.order {
		n := &e.nodes[i]
		switch n.kind {
		case aztypes.Literal:
			uses[n.name]++
		case aztypes.String:
			if n.more != "" {
				uses[n.more]++
			}
		case aztypes.Union:
			if e.literals(n) {
				for _, m := range n.members {
					uses[e.nodes[m.node].name]++
				}
			}
		case aztypes.Object, aztypes.Discriminated:
			uses[n.name]++
			if n.kind == aztypes.Discriminated {
				uses[n.more]++
			}
			for _, p := range n.props {
				uses[p.name]++
			}
			for _, m := range n.members {
				uses[m.key]++
			}
		}
	}
	for t := range e.types {
		for _, v := range e.types[t].versions {
			for _, fn := range v.functions {
				uses[fn.name]++
			}
		}
	}
	list := slices.SortedFunc(maps.Keys(uses), func(a, b string) int { return cmp.Or(uses[b]-uses[a], cmp.Compare(a, b)) })
	e.strings = make(map[string]int, len(list))
	for i, s := range list {
		e.strings[s] = i
	}
	if len(list) >= 1<<20 {
		e.err = errors.New("there are more names than a library can hold")
	}
	all := slices.Clone(list)
	for t := range e.types {
		all = append(all, e.types[t].name())
	}
	e.words = newWords(all)
	e.grouped(aztypes.Words, aztypes.WordAt, len(e.words.list), func(i int) []byte { return []byte(e.words.list[i]) })
	e.grouped(aztypes.Strings, aztypes.StringAt, len(list), func(i int) []byte { return e.words.codes(list[i]) })
}

// name returns the type's name as the newest version spells it.
func (t *entry) name() string { return t.versions[len(t.versions)-1].typ }

// grouped writes items, and where every eighth of them begins.
func (e *encoder) grouped(section, offsets, count int, item func(i int) []byte) {
	var data, at []byte
	for i := range count {
		if i%aztypes.Group == 0 {
			at = e.u24(at, len(data))
		}
		b := item(i)
		data = append(uv(data, len(b)), b...)
	}
	e.section[section], e.section[offsets] = data, at
}

// props writes the properties that more than one list has, the most frequent first.
func (e *encoder) props() {
	var list []property
	for p, n := range e.shared {
		if n > 1 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b property) int {
		return cmp.Or(e.shared[b]-e.shared[a], cmp.Compare(a.name, b.name), e.number[a.node]-e.number[b.node], int(a.flags)-int(b.flags))
	})
	var out []byte
	clear(e.shared)
	for i, p := range list {
		e.shared[p] = i
		out = e.u24(out, e.strings[p.name]|int(p.flags)<<20)
		out = e.u24(out, e.number[p.node])
	}
	e.section[aztypes.Props] = out
}

func (e *encoder) node(i int32) []byte {
	n := &e.nodes[i]
	head := byte(n.kind)
	literals := e.literals(n)
	if n.sensitive {
		head |= aztypes.Sensitive
	}
	if n.min != nil {
		head |= aztypes.HasMin
	}
	if n.max != nil {
		head |= aztypes.HasMax
	}
	if literals || n.kind == aztypes.String && n.more != "" || n.kind == aztypes.Object && n.item != none {
		head |= aztypes.HasMore
	}
	b := []byte{head}
	if n.min != nil {
		b = binary.AppendVarint(b, *n.min)
	}
	if n.max != nil {
		b = binary.AppendVarint(b, *n.max)
	}
	str := func(s string) { b = uv(b, e.strings[s]) }
	switch n.kind {
	case aztypes.String:
		if n.more != "" {
			str(n.more)
		}
	case aztypes.Literal:
		str(n.name)
	case aztypes.Array:
		b = e.ref(b, i, n.item)
	case aztypes.Union:
		b = uv(b, len(n.members))
		for _, m := range n.members {
			if literals {
				str(e.nodes[m.node].name)
			} else {
				b = e.ref(b, i, m.node)
			}
		}
	case aztypes.Object:
		str(n.name)
		b = e.list(b, i)
		if n.item != none {
			b = e.ref(b, i, n.item)
		}
	case aztypes.Discriminated:
		str(n.name)
		str(n.more)
		b = e.list(b, i)
		b = uv(b, len(n.members))
		for _, m := range n.members {
			str(m.key)
			b = e.ref(b, i, m.node)
		}
	}
	return b
}

// ref writes a reference in node from.
func (e *encoder) ref(b []byte, from, to int32) []byte {
	if n := e.number[to]; n < e.hot {
		return uv(b, n<<1)
	}
	d := e.number[to] - e.number[from]
	return uv(b, (d<<1^d>>63)<<1|1)
}

// list writes the properties of a node.
func (e *encoder) list(b []byte, i int32) []byte {
	l := &e.lists[i]
	head := len(l.steps) << 1
	if l.base != none {
		head |= 1
	}
	b = uv(b, head)
	if l.base != none {
		b = e.ref(b, i, l.base)
	}
	for _, s := range l.steps {
		switch shared, ok := e.shared[s.property]; {
		case s.copies > 0:
			b = uv(b, s.copies<<3|aztypes.StepCopy)
		case s.skips > 0:
			b = uv(b, s.skips<<3|aztypes.StepSkip)
		case ok:
			b = uv(b, shared<<1)
		default:
			b = uv(b, int(s.property.flags)<<3|aztypes.StepInline)
			b = uv(b, e.strings[s.property.name])
			b = e.ref(b, i, s.property.node)
		}
	}
	return b
}

// index writes the types and their versions.
func (e *encoder) index() {
	numbers := make(map[string]int)
	scopes := make(map[[2]uint8]int)
	var list []string
	for t := range e.types {
		for _, v := range e.types[t].versions {
			if _, ok := numbers[v.version]; !ok {
				numbers[v.version] = 0
				list = append(list, v.version)
			}
			s := [2]uint8{v.readable, v.writable}
			if _, ok := scopes[s]; !ok {
				scopes[s] = len(scopes)
				e.section[aztypes.Scopes] = append(e.section[aztypes.Scopes], s[0], s[1])
			}
		}
	}
	slices.Sort(list)
	at := binary.LittleEndian.AppendUint16(nil, uint16(len(list)))
	size := 0
	for i, v := range list {
		numbers[v] = i
		at = binary.LittleEndian.AppendUint16(at, uint16(size))
		size += len(v)
	}
	if size >= 1<<16 {
		e.err = errors.New("there are more API versions than a library can hold")
	}
	at = binary.LittleEndian.AppendUint16(at, uint16(size))
	e.section[aztypes.Versions] = append(at, strings.Join(list, "")...)

	var data, offsets []byte
	for t := range e.types {
		offsets = e.u24(offsets, len(data))
		data = e.entry(data, &e.types[t], numbers, scopes)
	}
	e.section[aztypes.Entries], e.section[aztypes.EntryAt] = data, e.u24(offsets, len(data))
	e.grouped(aztypes.TypeNames, aztypes.TypeNameAt, len(e.types), func(i int) []byte { return e.words.codes(e.types[i].name()) })
}

func (e *encoder) entry(b []byte, t *entry, versions map[string]int, scopes map[[2]uint8]int) []byte {
	var spellings []string
	for _, v := range t.versions {
		if v.typ != t.name() && !slices.Contains(spellings, v.typ) {
			spellings = append(spellings, v.typ)
		}
	}
	b = uv(b, len(spellings))
	for _, s := range spellings {
		b = append(b, s...)
	}
	b = uv(b, len(t.versions))
	last, body := -1, 0
	for _, v := range t.versions {
		b = uv(b, versions[v.version]-last)
		last = versions[v.version]
		s := scopes[[2]uint8{v.readable, v.writable}] << 1
		if len(v.functions) > 0 {
			s |= 1
		}
		b = uv(b, s)
		if len(spellings) > 0 {
			n := slices.Index(spellings, v.typ)
			if n < 0 {
				n = len(spellings)
			}
			b = uv(b, n)
		}
		b = binary.AppendVarint(b, int64(e.number[v.body]-body))
		body = e.number[v.body]
		if len(v.functions) > 0 {
			b = uv(b, len(v.functions))
			for _, fn := range v.functions {
				b = uv(b, e.strings[fn.name])
				b = uv(b, e.number[fn.output])
				input := 0
				if fn.input != none {
					input = e.number[fn.input] + 1
				}
				b = uv(b, input)
			}
		}
	}
	return b
}

// join puts the header before the sections.
func (e *encoder) join() []byte {
	versions := 0
	for t := range e.types {
		versions += len(e.types[t].versions)
	}
	u32 := binary.LittleEndian.AppendUint32
	out := append([]byte(aztypes.Magic), 0, 0, 0, 0)
	out = u32(u32(out, uint32(e.hot)), uint32(versions))
	at := aztypes.HeaderSize
	for _, s := range e.section {
		out = u32(out, uint32(at))
		at += len(s)
	}
	out = u32(out, uint32(at))
	for _, s := range e.section {
		out = append(out, s...)
	}
	binary.LittleEndian.PutUint32(out[len(aztypes.Magic):], aztypes.Checksum(out[aztypes.HeaderPrefix:]))
	return out
}

func uv(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

func (e *encoder) u24(b []byte, n int) []byte {
	if n >= 1<<24 {
		e.err = errors.New("the types are more than a library can hold")
	}
	return append(b, byte(n), byte(n>>8), byte(n>>16))
}
