// Asotable reads the source of Azure Service Operator and writes the table that package
// aso is built with: which kinds there are, what each field of a spec is called in the
// body that Azure takes, and what is special about it.
//
//	go run . -out ../../../pkg/manifest/aso/table.gz
//	go run . -text
//
// The source is parsed and not compiled. Each ConvertToARM method assigns the fields of a
// spec to the properties of a body, one after the other, so the mapping is read off its
// statements. A statement that cannot be read is an error: the table has no gaps.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const modulePath = "github.com/Azure/azure-service-operator/v2"

func main() {
	dir := flag.String("source", "", "`folder` of the module (default: where go.mod's version of it lies)")
	out := flag.String("out", "", "`file` to write the table to, compressed")
	text := flag.Bool("text", false, "print the table")
	flag.Parse()
	if err := run(*dir, *out, *text); err != nil {
		fmt.Fprintln(os.Stderr, "asotable:", err)
		os.Exit(1)
	}
}

func run(dir, out string, text bool) error {
	_, version, _ := strings.Cut(filepath.Base(dir), "@")
	if dir == "" {
		var err error
		if dir, version, err = findModule(); err != nil {
			return err
		}
	}
	t, err := read(dir)
	if err != nil {
		return err
	}
	plain := t.text(version)
	if text {
		if _, err := os.Stdout.Write(plain); err != nil {
			return err
		}
	}
	packed, err := pack(plain)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s: %d kinds in their versions, %d object types, %d enumerations, %d fields; %d bytes, %d compressed\n",
		version, len(t.kinds), len(t.types.list), len(t.enums.list), t.fields, len(plain), len(packed))
	if out == "" {
		return nil
	}
	return os.WriteFile(out, packed, 0o666)
}

// findModule returns where the module lies that go.mod requires, and its version.
func findModule() (dir, version string, err error) {
	cmd := exec.Command("go", "list", "-m", "-json", modulePath)
	cmd.Stderr = os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		return "", "", fmt.Errorf("go list: %w", err)
	}
	var module struct{ Dir, Version string }
	if err := json.Unmarshal(answer, &module); err != nil {
		return "", "", err
	}
	if module.Dir == "" {
		return "", "", fmt.Errorf("the module is not here; run: go mod download %s", modulePath)
	}
	return module.Dir, module.Version, nil
}

// pack compresses the table. Equal tables give equal bytes.
func pack(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
