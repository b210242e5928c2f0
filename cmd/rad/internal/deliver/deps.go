package deliver

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// A dependency file has rules for make: an output needs the files that were read for it. As
// compilers of C write it, each of these files has a rule of its own without a recipe, so
// that make does not fail when one of them is deleted.

// Rules are the rules of a dependency file.
type Rules struct {
	outputs []string
	inputs  map[string][]string // by output
}

// Add says what an output is made from.
func (m *Rules) Add(output string, inputs []string) {
	if m.inputs == nil {
		m.inputs = map[string][]string{}
	}
	if _, ok := m.inputs[output]; !ok {
		m.outputs = append(m.outputs, output)
	}
	list := append(slices.Clone(m.inputs[output]), inputs...)
	slices.Sort(list)
	m.inputs[output] = slices.Compact(list)
}

// equals is the name of a variable of make that holds an equals sign, which cannot be
// written in the name of a file.
const equals = "rad.equals"

// text returns the file.
func (m *Rules) text() ([]byte, error) {
	var b strings.Builder
	var all []string
	for _, output := range m.outputs {
		inputs := m.inputs[output]
		all = append(all, inputs...)
		for _, name := range append([]string{output}, inputs...) {
			if strings.ContainsAny(name, "\n\r\x00;") {
				return nil, cli.Fail(cli.ExitIO,
					"--deps: %q cannot be named in a makefile: a line end and a semicolon have no escape there", name)
			}
		}
		fmt.Fprintf(&b, "%s:", makeName(output, true))
		for _, name := range inputs {
			b.WriteString(" \\\n  " + makeName(name, false))
		}
		b.WriteString("\n")
	}
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		if !slices.Contains(m.outputs, name) {
			fmt.Fprintf(&b, "\n%s:\n", makeName(name, true))
		}
	}
	text := b.String()
	if strings.Contains(text, "$("+equals+")") {
		text = equals + " := =\n" + text
	}
	return []byte(text), nil
}

// makeName writes the name of a file as make reads it, as a target or as a prerequisite.
func makeName(name string, target bool) string {
	var b strings.Builder
	slashes := 0 // that are right before
	for i, r := range name {
		special := strings.ContainsRune(" \t#:|*?[]~", r) || r == '%' && target
		if r == ':' && i == 1 && runtime.GOOS == "windows" {
			special = false // of a drive
		}
		if special { // a slash before it would be taken for the escape
			b.WriteString(strings.Repeat(`\`, slashes) + `\`)
		}
		switch r {
		case '$':
			b.WriteString("$$")
		case '=':
			b.WriteString("$(" + equals + ")")
		default:
			b.WriteRune(r)
		}
		if slashes++; r != '\\' {
			slashes = 0
		}
	}
	return b.String()
}

// WriteMade writes the dependency file of outputs that were made just now. An output whose content stays is not
// written, so it gets a new time here: make would take it for older than what it is made of, and run its rule
// again each time.
func (m *Rules) WriteMade(o *project.Project, path string) error {
	if err := m.Write(o, path); err != nil {
		return err
	}
	for _, output := range m.outputs { // after the rules: writing them may change a folder that is listed
		if err := o.Bounds.Touch(output); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	return nil
}

// Write writes a dependency file.
func (m *Rules) Write(o *project.Project, path string) error {
	text, err := m.text()
	if err != nil {
		return err
	}
	return cli.FailWith(cli.ExitIO, o.Bounds.WriteFile(path, text))
}

// Dependencies returns what make has to look at: the files that were read, and the folders
// that were listed, unless the output is in them, since writing it changes them.
func Dependencies(o *project.Project, t *workdir.Trace, output string, more []string) []string {
	list := append(t.Files(), more...)
	if abs, err := filepath.Abs(output); err == nil {
		output = abs
	}
	for _, folder := range t.Folders() {
		if filepath.Dir(output) != folder {
			list = append(list, folder)
		}
	}
	out := make([]string, 0, len(list))
	for _, path := range list {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		out = append(out, o.Shown(path))
	}
	return out
}

// SettingsInputs returns the settings file, if there is one: what it says counts for all
// outputs.
func SettingsInputs(o *project.Project) []string {
	if path := o.File.Path; path != "" {
		return []string{path}
	}
	return nil
}

// WriteDeps writes what the manifests were made from. Artifacts of registries are in the
// cache, and are not traced.
func (g *Delivery) WriteDeps(path string, outcomes []*run.Outcome) error {
	var rules Rules
	for _, r := range outcomes {
		rules.Add(r.Target.Outfile, Dependencies(g.Project, r.Reads, r.Target.Outfile, append(SettingsInputs(g.Project), r.Files...)))
	}
	return rules.WriteMade(g.Project, path)
}
