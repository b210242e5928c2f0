// Recorded brings testdata/official, which `go test` replays, up to the answers that
// were recorded of the official compiler:
//
//	go run ./pkg/bicep/internal/recorded --from FOLDER [--out testdata/official]
//
// FOLDER is the folder answers of the conformance tools. Its programs are written by
// family, one file each. A file whose programs are unchanged is left alone. After that
// `go test ./pkg/bicep -run TestOfficialAnswers` names the programs that our compiler
// answers otherwise: repair it, or list them in differences.txt, with the reason.
//
//	go run ./pkg/bicep/internal/recorded --show FILE
//
// prints the programs of a file in lines that git can compare. CONTRIBUTING.md says how git is
// told to do that.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	from := flag.String("from", "", "`FOLDER` with the recorded answers: big.jsonl.gz and others")
	out := flag.String("out", "testdata/official", "`FOLDER` to write to: a file for each family")
	file := flag.String("show", "", "`FILE` to print in lines, such as testdata/official/loop.jsonl.gz")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./pkg/bicep/internal/recorded --from FOLDER [--out FOLDER]\n"+
			"       go run ./pkg/bicep/internal/recorded --show FILE\n\n"+
			"Brings testdata/official up to the recorded answers of the official compiler.\n"+
			"After that, go test ./pkg/bicep -run TestOfficialAnswers says what differs.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if (*from == "") == (*file == "") || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	do := func() error { return update(*from, *out, os.Stdout) }
	if *file != "" {
		do = func() error { return show(*file, os.Stdout) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "recorded:", err)
		os.Exit(1)
	}
}

// sources are the files whose programs need nothing but their own text. Those of radius and
// mutants are in other repositories. versions holds small programs with an answer of each release,
// which are replayed, and answers of releases to programs of the other files. Of these the ones of
// usual are replayed: they correct what is recorded there.
var sources = []string{"versions", "big", "fuzz", "language", "programs"}

// usual is the release that gave the answers that name none.
const usual = "0.46.1"

// A record is a program as it was recorded.
type record struct {
	ID     string          `json:"id"`
	Files  json.RawMessage `json:"files"`
	Entry  string          `json:"entry"`
	OK     bool            `json:"ok"`
	Diags  []place         `json:"diags"`
	Output json.RawMessage `json:"output"`
	Radius bool            `json:"radius"`
	// AZ: the answer needs the library of Azure's types. AZW: its warnings do.
	AZ  bool `json:"az"`
	AZW bool `json:"azw"`
	// Order: the official compiler has several answers, from run to run.
	Order bool `json:"order"`
	// Version is the release that gave the answer, if it is not the one of all others.
	Version string `json:"version"`
	// Case is the program of another file that this is an answer to.
	Case string `json:"case"`
	// Crash: the official compiler has no answer.
	Crash bool `json:"crash"`
}

// A program is a record as testdata/official has it. Its README.md describes the members.
type program struct {
	ID          string          `json:"id"`
	Release     string          `json:"release,omitempty"`
	Files       json.RawMessage `json:"files"`
	Entry       string          `json:"entry"`
	OK          bool            `json:"ok"`
	Diagnostics []place         `json:"diagnostics"`
	Output      json.RawMessage `json:"output,omitempty"`
	Azure       bool            `json:"azure,omitempty"`
	Radius      bool            `json:"radius,omitempty"`
	Order       bool            `json:"order,omitempty"`
}

// A place is a line, a column, a level and a code.
type place [4]any

var levels = map[any]string{"E": "Error", "W": "Warning", "I": "Info"}

// program returns what is replayed of a record.
func (r record) program() (program, error) {
	p := program{ID: r.ID, Release: r.Version, Files: r.Files, Entry: r.Entry,
		OK: r.OK, Diagnostics: []place{}, Output: r.Output, Azure: r.AZW, Radius: r.Radius, Order: r.Order}
	if r.Version != "" {
		p.ID += "/" + r.Version
	}
	for _, d := range r.Diags {
		level, known := levels[d[2]]
		if !known {
			return p, fmt.Errorf("%s: the level %v is none of E, W and I", r.ID, d[2])
		}
		// Both depend on the library of Azure's types.
		if d[3] == "BCP081" || r.AZW && level != "Error" {
			continue
		}
		d[2] = level
		p.Diagnostics = append(p.Diagnostics, d)
	}
	return p, nil
}

// update writes the programs of the folder from into the folder out.
func update(from, out string, log io.Writer) error {
	families := map[string]*bytes.Buffer{}
	count := map[string]int{}
	corrections := map[string]record{}
	for _, name := range sources {
		if err := read(filepath.Join(from, name+".jsonl.gz"), families, count, corrections); err != nil {
			return err
		}
	}
	total := 0
	for _, family := range slices.Sorted(maps.Keys(families)) {
		changed, err := write(filepath.Join(out, family+".jsonl.gz"), families[family].Bytes())
		if err != nil {
			return err
		}
		if changed {
			fmt.Fprintf(log, "%s: %d programs written\n", family, count[family])
		}
		total += count[family]
	}
	old, err := filepath.Glob(filepath.Join(out, "*.jsonl.gz"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if family := strings.TrimSuffix(filepath.Base(path), ".jsonl.gz"); families[family] == nil {
			return fmt.Errorf("%s holds a family that is not recorded: remove it", path)
		}
	}
	fmt.Fprintf(log, "%d programs in %d families\n", total, len(families))
	return nil
}

// read adds the programs of a file to their families. It keeps and applies corrections.
func read(path string, families map[string]*bytes.Buffer, count map[string]int, corrections map[string]record) error {
	text, err := unpack(path)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("%s: line %d: %w", path, n, err)
		}
		if r.Case != "" && r.Version == usual {
			corrections[r.Case] = r
		}
		if r.AZ || r.Crash || r.Version != "" && len(r.Files) == 0 {
			continue
		}
		if c, corrected := corrections[r.ID]; corrected {
			r.OK, r.Diags = c.OK, c.Diags
			if !c.OK || c.Output != nil {
				r.Output = c.Output
			}
		}
		p, err := r.program()
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", path, n, err)
		}
		family, _, found := strings.Cut(r.ID, "/")
		if !found || len(r.Files) == 0 || r.Entry == "" {
			return fmt.Errorf("%s: line %d is not a program: it needs an ID such as loop/0007, files and an entry", path, n)
		}
		if families[family] == nil {
			families[family] = &bytes.Buffer{}
		}
		e := json.NewEncoder(families[family])
		e.SetEscapeHTML(false)
		if err := e.Encode(p); err != nil {
			return err
		}
		count[family]++
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// write packs a text into a file, unless the file holds that text.
func write(path string, text []byte) (changed bool, err error) {
	if old, err := unpack(path); err == nil && bytes.Equal(old, text) {
		return false, nil
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return false, err
	}
	if _, err := z.Write(text); err != nil {
		return false, err
	}
	if err := z.Close(); err != nil {
		return false, err
	}
	return true, os.WriteFile(path, packed.Bytes(), 0o644)
}

func unpack(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
