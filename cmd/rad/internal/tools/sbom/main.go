// Command sbom writes the bill of materials of a Go program, in the format CycloneDX 1.5. It
// reads the list of modules that go puts into each program, so it names what was linked, and
// the same program gives the same file.
//
//	sbom [-azure-types COMMIT] -out FILE PROGRAM
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

func main() {
	azure := flag.String("azure-types", "", "commit of Azure/bicep-types-az that a program with the tag aztypes holds a library of")
	out := flag.String("out", "", "file to write")
	flag.Parse()
	if flag.NArg() != 1 || *out == "" {
		fmt.Fprintln(os.Stderr, "usage: sbom [-azure-types COMMIT] -out FILE PROGRAM")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *azure, *out); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

type document struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licenses   []licence  `json:"licenses,omitempty"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

func run(path, azure, out string) error {
	program, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%s: not a Go program with its list of modules: %w", path, err)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(describe(info, sha256.Sum256(program), azure)); err != nil {
		return err
	}
	return os.WriteFile(out, text.Bytes(), 0o666)
}

// describe lists the modules of a program that has the hash, and the types that are built in.
func describe(info *debug.BuildInfo, sum [sha256.Size]byte, azure string) document {
	root := library(&info.Main)
	root.Type = "application"
	root.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum[:])}}
	own := licence{}
	own.License.ID = "Apache-2.0"
	root.Licenses = []licence{own}
	hasTypes := false
	d := document{
		Schema: "http://cyclonedx.org/schema/bom-1.5.schema.json", Format: "CycloneDX", SpecVersion: "1.5", Version: 1,
		SerialNumber: uuid(sum),
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.time":
			d.Metadata.Timestamp = s.Value
		case "GOOS", "GOARCH", "CGO_ENABLED", "-tags", "vcs.revision":
			root.Properties = append(root.Properties, property{"go:" + s.Key, s.Value})
			hasTypes = hasTypes || s.Key == "-tags" && slices.Contains(strings.Split(s.Value, ","), "aztypes")
		}
	}
	d.Metadata.Component = root
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	d.Components = append(d.Components, component{Type: "library", Name: "std", Version: goVersion, PURL: "pkg:golang/std@" + goVersion, Ref: "pkg:golang/std@" + goVersion})
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		d.Components = append(d.Components, library(m))
	}
	if hasTypes {
		mit := licence{}
		mit.License.ID = "MIT"
		purl := "pkg:github/azure/bicep-types-az@" + azure
		d.Components = append(d.Components, component{Type: "data", Ref: purl, Name: "bicep-types-az", Version: azure, Licenses: []licence{mit}, PURL: purl})
	}
	all := dependency{Ref: root.Ref, DependsOn: []string{}}
	for _, c := range d.Components {
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	d.Dependencies = []dependency{all}
	return d
}

// uuid is the number of a document about a program with this hash: a UUID of version 8, whose
// other bits are free.
func uuid(sum [sha256.Size]byte) string {
	b := sum[:16]
	b[6] = b[6]&0x0f | 0x80
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func library(m *debug.Module) component {
	purl := "pkg:golang/" + m.Path + "@" + strings.ReplaceAll(m.Version, "+", "%2B")
	c := component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl}
	if m.Sum != "" {
		c.Properties = []property{{"go:sum", m.Sum}}
	}
	return c
}
