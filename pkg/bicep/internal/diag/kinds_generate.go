//go:build ignore

// This program writes kinds.go: the catalogue, and a constant for each of its entries.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"
)

func main() {
	text, err := os.ReadFile("catalogue.txt")
	if err != nil {
		log.Fatal(err)
	}
	levels := map[string]string{"error": "Error", "warning": "Warning", "info": "Info", "off": "Off"}
	var kinds, entries, b bytes.Buffer
	var entry []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); line == "" || line[0] == '#' {
			continue
		}
		if entry = append(entry, line); len(entry) < 3 {
			continue
		}
		name, level, _ := strings.Cut(entry[0], " ")
		level, code, named := strings.Cut(level, " ")
		if !named {
			code = name
		}
		if levels[level] == "" {
			log.Fatalf("%s: want a kind and its level, which is error, warning, info or off", entry[0])
		}
		fmt.Fprintf(&kinds, "\t%s\n", name)
		fmt.Fprintf(&entries, "\t{%q, %s, %q,\n\t\t%q},\n", code, levels[level], entry[1], entry[2])
		entry = nil
	}
	b.WriteString("// Code generated from catalogue.txt by go generate; DO NOT EDIT.\n\npackage diag\n\n" +
		"// The kinds of diagnostics. The zero value is none of them.\nconst (\n\t_ Kind = iota\n")
	kinds.WriteTo(&b)
	b.WriteString(")\n\n// catalogue is what catalogue.txt says of each kind.\nvar catalogue = [...]entry{\n\t{},\n")
	entries.WriteTo(&b)
	b.WriteString("}\n")
	if err := os.WriteFile("kinds.go", b.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
