package pack

import (
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
)

// File is a file of types.
type File struct{ Path, Text string }

// Options say what a library is made of besides the types.
type Options struct {
	// Source says where the types come from.
	Source string
	// Licence is the text under which they are published.
	Licence string
	// Index holds the resource types that are wanted, as type@version in lower case,
	// with the file and the element of each. Nil stands for all that the files have,
	// of which the first one counts.
	Index map[string]Place
}

// Place is an element of a file.
type Place struct {
	File    string
	Element int
}

// Make returns the library of the types in files. It reads them one after the other
// and keeps what differs from what it has.
func Make(files iter.Seq2[File, error], o Options) ([]byte, error) {
	b := &builder{options: o, ids: make(map[hash]int32), types: make(map[string]*entry), strings: make(map[string]string)}
	if err := parsed(files, b.file); err != nil {
		return nil, err
	}
	if missing := len(o.Index) - b.resources; o.Index != nil && missing > 0 {
		return nil, fmt.Errorf("the index names %d resource types that are not in the files", missing)
	}
	return b.model().encode(o)
}

// parsed reads files, several at a time, and gives them to a function in their order.
func parsed(files iter.Seq2[File, error], use func(*typeFile) error) error {
	type result struct {
		file *typeFile
		err  error
	}
	queue := make(chan chan result, runtime.GOMAXPROCS(0))
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(queue)
		for file, err := range files {
			one := make(chan result, 1)
			select {
			case queue <- one:
			case <-stop:
				return
			}
			if err != nil {
				one <- result{nil, err}
				return
			}
			go func() {
				f, err := readFile(file.Path, file.Text)
				if err == nil {
					f.withoutNames()
					f.hashAll()
				}
				one <- result{f, err}
			}()
		}
	}()
	for one := range queue {
		r := <-one
		if r.err != nil {
			return r.err
		}
		if err := use(r.file); err != nil {
			return err
		}
	}
	return nil
}

// withoutNames replaces in the bodies of resources what only repeats the resource's
// name, which else would make each differ from all others.
func (f *typeFile) withoutNames() {
	selfType := none
	for i := range f.resources {
		r := &f.resources[i]
		typ, version, _ := strings.Cut(r.name, "@")
		if selfType == none {
			selfType = len(f.nodes)
			f.nodes = append(f.nodes, node{kind: aztypes.SelfType, item: none}, node{kind: aztypes.SelfVersion, item: none})
		}
		body := f.nodes[r.body]
		body.props = slices.Clone(body.props)
		for j := range body.props {
			p := &body.props[j]
			switch of := &f.nodes[p.node]; {
			case of.kind != aztypes.Literal:
			case p.name == "type" && of.name == typ:
				p.node = int32(selfType)
			case p.name == "apiVersion" && of.name == version:
				p.node = int32(selfType + 1)
			}
		}
		if body.name == typ {
			body.name = aztypes.Self
		}
		r.body = int32(len(f.nodes))
		f.nodes = append(f.nodes, body)
	}
}

// builder gathers what differs.
type builder struct {
	options   Options
	nodes     []node
	ids       map[hash]int32
	types     map[string]*entry // by name in lower case
	functions []function
	strings   map[string]string
	resources int
}

// entry is a resource type with its versions.
type entry struct {
	versions []version
}

// version is a resource type in a version.
type version struct {
	typ, version       string
	body               int32
	readable, writable uint8
	functions          []function
}

// maxNodes is how many types a library may hold: references have 24 bits.
const maxNodes = 1 << 22

func (b *builder) file(f *typeFile) error {
	for _, r := range f.resources {
		key := strings.ToLower(r.name)
		if b.options.Index != nil && b.options.Index[key] != (Place{f.path, r.element}) {
			continue
		}
		typ, v, _ := strings.Cut(r.name, "@")
		e := b.types[strings.ToLower(typ)]
		if e == nil {
			e = &entry{}
			b.types[strings.ToLower(typ)] = e
		}
		if slices.ContainsFunc(e.versions, func(o version) bool { return strings.EqualFold(o.version, v) }) {
			continue
		}
		e.versions = append(e.versions, version{typ: typ, version: v, body: b.add(f, r.body), readable: r.readable, writable: r.writable})
		b.resources++
	}
	for _, fn := range f.functions {
		if len(fn.name) < 4 || !strings.EqualFold(fn.name[:4], "list") {
			continue // only these can be called
		}
		fn.name = strings.Clone(fn.name)
		fn.output = b.add(f, fn.output)
		if fn.input != none {
			fn.input = b.add(f, fn.input)
		}
		b.functions = append(b.functions, fn)
	}
	if len(b.nodes) > maxNodes {
		return errors.New("there are more types than a library can hold")
	}
	return nil
}

// add returns the number of a file's node, and of all that it leads to.
func (b *builder) add(f *typeFile, i int32) int32 {
	if id, ok := b.ids[f.hashes[i]]; ok {
		return id
	}
	var todo []int32
	number := func(i int32) int32 {
		id, ok := b.ids[f.hashes[i]]
		if !ok {
			id = int32(len(b.nodes))
			b.ids[f.hashes[i]] = id
			b.nodes = append(b.nodes, f.nodes[i])
			todo = append(todo, id)
		}
		return id
	}
	first := number(i)
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := b.nodes[id]
		n.name, n.more = b.text(n.name), b.text(n.more)
		n.props = slices.Clone(n.props)
		for j := range n.props {
			n.props[j].name = b.text(n.props[j].name)
		}
		n.members = slices.Clone(n.members)
		for j := range n.members {
			n.members[j].key = b.text(n.members[j].key)
		}
		n.each(func(to *int32) { *to = number(*to) })
		b.nodes[id] = n
	}
	return first
}

// text returns the one copy of a string.
func (b *builder) text(s string) string {
	if kept, ok := b.strings[s]; ok {
		return kept
	}
	b.strings[s] = s
	return s
}
