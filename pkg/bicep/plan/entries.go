package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// entry is what is written of a resource, or of the rounds of a loop that change in the same way.
type entry struct {
	*Item
	rounds  []*expand.Resource // nil for one resource
	objects []*Item            // that its recipe makes, and that change
}

// entries returns what is to be written of a plan, in the order of its items.
func (p *Plan) entries() []*entry {
	var list []*entry
	rounds := map[string][]*Item{}
	for i := range p.Items {
		item := &p.Items[i]
		if item.Resource.Maker != nil && len(list) > 0 { // it stands behind that one
			if of := list[len(list)-1]; item.Action != Unchanged {
				of.objects = append(of.objects, item)
			}
			continue
		}
		list = append(list, &entry{Item: item})
	}
	list = slices.DeleteFunc(list, func(e *entry) bool { return e.Action == Unchanged && len(e.objects) == 0 })
	for _, e := range list {
		if e.isRound() {
			s := withoutIndexes(symbol(e.Resource))
			rounds[s] = append(rounds[s], e.Item)
		}
	}
	first := map[string]*entry{}
	return slices.DeleteFunc(list, func(e *entry) bool {
		if !e.isRound() {
			return false
		}
		s := withoutIndexes(symbol(e.Resource))
		if len(rounds[s]) < 2 {
			return false
		}
		key := s + p.change(e.Item)
		for _, o := range e.objects {
			key += "|" + withoutIndexes(symbol(o.Resource)) + p.change(o)
		}
		if first[key] == nil {
			e.rounds = append(e.rounds, e.Resource)
			first[key] = e
			return false
		}
		first[key].rounds = append(first[key].rounds, e.Resource)
		return true
	})
}

// isRound reports whether an entry is about changes of a round of a loop.
func (e *entry) isRound() bool {
	changes := func(i *Item) bool { return len(i.Changes) > 0 && i.RenamedFrom == "" && i.Action != Deploy }
	return strings.Contains(symbol(e.Resource), "[") && (changes(e.Item) || e.Action == Unchanged) &&
		!slices.ContainsFunc(e.objects, func(o *Item) bool { return !changes(o) })
}

// change returns a text that two items have in common if they change in the same way.
func (p *Plan) change(i *Item) string {
	var b strings.Builder
	key := func(v expand.Value) string { return p.normal.table.Key(p.normal.expression(v)) }
	r := i.Resource
	fmt.Fprint(&b, "|", i.Action, "|", r.Type, "|", r.Position, "|", key(r.Condition), "|", key(r.Copies))
	for _, c := range i.Changes {
		fmt.Fprint(&b, "|", c.Action, "|", c.Path, "|", key(c.Before), "|", key(c.After))
	}
	return b.String()
}

// withoutIndexes returns a symbol without the numbers in brackets.
func withoutIndexes(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, s)
}

// calledAll returns what people call several rounds: db[0-2, 5] 'a', 'b', 'c', …
func (p *Plan) calledAll(rounds []*expand.Resource) string {
	const few = 4
	var symbols, names []string
	for _, r := range rounds {
		symbols = append(symbols, symbol(r))
		name, ok := expand.Known(r.Name)
		switch {
		case ok && len(names) < few:
			names = append(names, clip(types.QuoteString(name), longestSymbol))
		case ok && len(names) == few:
			names = append(names, "…")
		}
	}
	s := inOne(symbols)
	if len(names) > 0 {
		s += " " + strings.Join(names, ", ")
	}
	return clip(s, maxSummary)
}

// inOne returns symbols of rounds as one: r[0], r[1] and r[2] are r[0-2].
func inOne(symbols []string) string {
	first, last := symbols[0], symbols[len(symbols)-1]
	at := 0
	for at < min(len(first), len(last)) && first[at] == last[at] {
		at++
	}
	at = strings.LastIndexByte(first[:at], '[') + 1
	_, after, _ := strings.Cut(first[at:], "]")
	var numbers []int
	for _, s := range symbols {
		number, ok := strings.CutPrefix(s, first[:at])
		number, ends := strings.CutSuffix(number, "]"+after)
		n, err := strconv.Atoi(number)
		if !ok || !ends || err != nil {
			return strings.Join(symbols, ", ")
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if part := strconv.Itoa(numbers[i]); j > i {
			parts = append(parts, part+"-"+strconv.Itoa(numbers[j]))
		} else {
			parts = append(parts, part)
		}
		i = j + 1
	}
	return first[:at] + strings.Join(parts, ", ") + "]" + after
}
