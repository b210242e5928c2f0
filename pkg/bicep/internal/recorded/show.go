package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// show writes the programs of a file so that people can read them and git can compare them: a line for
// each line of a text, and the program's ID before it, without indentation. Git takes such a line for the
// heading of what follows.
func show(path string, out io.Writer) error {
	text, err := unpack(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	for line := range bytes.Lines(text) {
		var p map[string]json.RawMessage
		var id string
		if err := json.Unmarshal(line, &p); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := json.Unmarshal(p["id"], &id); err != nil {
			return fmt.Errorf("%s: a program has no ID: %w", path, err)
		}
		delete(p, "id")
		fmt.Fprintln(w, id)
		showMembers(w, "  ", p)
	}
	return w.Flush()
}

func showMembers(w io.Writer, indent string, members map[string]json.RawMessage) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var text string
		var list []json.RawMessage
		var inner map[string]json.RawMessage
		value, deeper := members[name], indent+"  "
		switch {
		case json.Unmarshal(value, &text) == nil && strings.Contains(text, "\n"):
			fmt.Fprintf(w, "%s%s:\n", indent, name)
			for line := range strings.SplitSeq(text, "\n") {
				fmt.Fprintf(w, "%s%s\n", deeper, line)
			}
		case json.Unmarshal(value, &list) == nil && len(list) > 0:
			fmt.Fprintf(w, "%s%s:\n", indent, name)
			for _, item := range list {
				fmt.Fprintf(w, "%s%s\n", deeper, item)
			}
		case json.Unmarshal(value, &inner) == nil && len(inner) > 0:
			fmt.Fprintf(w, "%s%s:\n", indent, name)
			showMembers(w, deeper, inner)
		default:
			fmt.Fprintf(w, "%s%s: %s\n", indent, name, value)
		}
	}
}
