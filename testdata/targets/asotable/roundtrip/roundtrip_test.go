// Package roundtrip turns the objects that rad makes back into the bodies that Azure gets, with
// the operator's own code, and compares them with the bodies that the compiler predicts.
//
// The programs are those of ../../aso, and, if ROUNDTRIP_PROGRAMS names a folder, all .bicep files
// in it. Parameters without a default get values that fit their types.
package roundtrip

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-service-operator/v2/api"
	"k8s.io/apimachinery/pkg/runtime"
)

// deployedTo are the flags that say what is deployed to.
var deployedTo = []string{
	"--subscription-id", "00000000-0000-0000-0000-000000000001", "--resource-group", "apps", "--location", "westeurope",
	"--tenant-id", "00000000-0000-0000-0000-000000000002", "--deployment-name", "main",
}

const samples = "../../aso"

// program is a program to convert there and back.
type program struct {
	file string
	name string // of the manifest
	all  bool   // give values to parameters that have a default, too
}

// outcome is what became of a program.
type outcome struct {
	refused   []string // codes of problems; nil if there are objects
	objects   int
	resources int
	late      int // values that Azure or a secret gives
	problems  string
	wrong     []string
}

func TestRoundTrip(t *testing.T) {
	rad := os.Getenv("RAD")
	if rad == "" {
		rad = filepath.Join(t.TempDir(), "rad")
		build := exec.Command("go", "build", "-o", rad, "./cmd/rad")
		build.Dir = "../../../.."
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	var programs []program
	for _, file := range bicepFiles(t, samples, false) {
		programs = append(programs, program{file: file, name: "shop"})
	}
	own := len(programs)
	if dir := os.Getenv("ROUNDTRIP_PROGRAMS"); dir != "" {
		for _, file := range bicepFiles(t, dir, true) {
			programs = append(programs, program{file: file, name: "main"}, program{file: file, name: "main", all: true})
		}
	}
	r := &runner{rad: rad, scheme: api.CreateScheme()}
	r.readTable(t)
	outcomes := make([]outcome, len(programs))
	var next sync.Mutex
	at := 0
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for {
				next.Lock()
				i := at
				at++
				next.Unlock()
				if i >= len(programs) {
					return
				}
				outcomes[i] = r.run(programs[i])
			}
		})
	}
	workers.Wait()
	for _, part := range []struct {
		name     string
		from, to int
	}{{"samples", 0, own}, {os.Getenv("ROUNDTRIP_PROGRAMS"), own, len(programs)}} {
		if part.from == part.to {
			continue
		}
		var sum outcome
		converted := 0
		refused := map[string]int{}
		for i, o := range outcomes[part.from:part.to] {
			p := programs[part.from+i]
			if o.refused != nil {
				refused[strings.Join(o.refused, " ")]++
				if os.Getenv("ROUNDTRIP_SHOW") != "" && o.problems != "" {
					t.Logf("%s (all parameters: %v) is refused:\n%s", p.file, p.all, o.problems)
				}
			} else {
				converted++
			}
			sum.objects, sum.resources, sum.late = sum.objects+o.objects, sum.resources+o.resources, sum.late+o.late
			for _, w := range o.wrong {
				t.Errorf("%s (all parameters: %v): %s", p.file, p.all, w)
			}
		}
		t.Logf("%s: %d runs, %d converted: %d objects for %d resources, %d values given later", part.name, part.to-part.from, converted, sum.objects, sum.resources, sum.late)
		codes := slices.SortedFunc(maps.Keys(refused), func(a, b string) int { return refused[b] - refused[a] })
		for _, c := range codes[:min(len(codes), 15)] {
			t.Logf("%6d refused: %s", refused[c], c)
		}
		if converted == 0 || sum.resources == 0 {
			t.Errorf("%s: nothing was compared", part.name)
		}
	}
}

// bicepFiles returns the programs in a folder, and below it.
func bicepFiles(t *testing.T, dir string, below bool) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && !below:
			return fs.SkipDir
		case filepath.Ext(path) == ".bicep":
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

type runner struct {
	rad    string
	scheme *runtime.Scheme
	types  map[string]bool // Azure's types of the operator's kinds, in lower case
	enums  map[string]bool // the values of all enumerations
}

// readTable reads the table that package aso is built with.
func (r *runner) readTable(t *testing.T) {
	t.Helper()
	packed, err := os.ReadFile("../../../../pkg/manifest/aso/table.gz")
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "\n\n")
	r.types, r.enums = map[string]bool{}, map[string]bool{}
	for line := range strings.SplitSeq(parts[1], "\n") {
		r.types[strings.ToLower(strings.Fields(line)[4])] = true
	}
	for line := range strings.SplitSeq(parts[3], "\n") {
		for value := range strings.SplitSeq(line, "|") {
			r.enums[value] = true
		}
	}
}

// uncovered returns the types of a template's resources that the operator has no kinds for.
func (r *runner) uncovered(template []byte) (list []string) {
	var t any
	if err := decode(template, &t); err != nil {
		return []string{err.Error()}
	}
	var walk func(v any)
	resource := func(v any) {
		o, _ := v.(map[string]any)
		kind, _ := o["type"].(string)
		kind, _, _ = strings.Cut(strings.ToLower(kind), "@")
		if kind == "microsoft.resources/deployments" {
			walk(o["properties"])
		} else if kind != "" && o["existing"] != true && !r.types[kind] {
			list = append(list, kind)
		}
		walk(o["resources"])
	}
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if inner, ok := v["template"]; ok {
				v, _ = inner.(map[string]any)
			}
			switch resources := v["resources"].(type) {
			case []any:
				for _, x := range resources {
					resource(x)
				}
			case map[string]any:
				for _, x := range resources {
					resource(x)
				}
			}
		case []any:
			for _, x := range v {
				resource(x)
			}
		}
	}
	walk(t)
	return list
}

// run converts a program there and back.
func (r *runner) run(p program) (o outcome) {
	bad := func(format string, args ...any) outcome {
		o.wrong = append(o.wrong, fmt.Sprintf(format, args...))
		return o
	}
	file, err := filepath.Abs(p.file)
	if err != nil {
		return bad("%v", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return bad("%v", err)
	}
	flags := deployedTo
	if scope := targetScope(string(text)); scope != "" && scope != "resourceGroup" {
		flags = append(flags[:2:2], flags[4:]...)
		if scope != "subscription" {
			flags = flags[2:]
			if scope == "managementGroup" {
				flags = append(flags, "--management-group-id", "corp")
			}
		}
	}
	template, _, err := r.call("build", file, "--stdout", "--root", "/", "--quiet")
	if err != nil {
		return bad("%v", err)
	}
	if len(template) == 0 {
		o.refused = []string{"does not compile"}
		return o
	}
	if uncovered := r.uncovered(template); len(uncovered) > 0 {
		o.refused = []string{"types that the operator lacks"}
		return o
	}
	// Secure parameters get no value where objects are made: their values are in secrets.
	given, secret, err := values(template, p.all)
	if err != nil {
		return bad("parameters: %v", err)
	}
	dir, err := os.MkdirTemp("", "roundtrip")
	if err != nil {
		return bad("%v", err)
	}
	defer os.RemoveAll(dir)
	with, without := filepath.Join(dir, "with.bicepparam"), filepath.Join(dir, "without.bicepparam")
	relative, err := filepath.Rel(dir, file)
	if err != nil {
		return bad("%v", err)
	}
	if err := errors.Join(writeParameters(without, relative, given), writeParameters(with, relative, given, secret)); err != nil {
		return bad("%v", err)
	}
	manifest, problems, err := r.call(append([]string{"generate-kubernetes-manifest", file, "-p", "@" + without, "--target", "aso", "--root", "/", "--quiet", "--outfile", "-",
		"--name", p.name}, flags...)...)
	if err != nil {
		return bad("%v", err)
	}
	if len(manifest) == 0 {
		if o.refused = codes(problems); o.refused == nil {
			return bad("no objects, and no error: %s", problems)
		}
		o.problems = string(problems)
		return o
	}
	if _, errs, err := r.call(append([]string{"snapshot", with, "--root", "/"}, flags...)...); err != nil {
		return bad("%v\n%s", err, errs)
	} else if text, err = os.ReadFile(filepath.Join(dir, "with.snapshot.json")); err != nil {
		return bad("%s", errs)
	}
	var predicted struct {
		Resources []map[string]any `json:"predictedResources"`
	}
	if err := decode(text, &predicted); err != nil {
		return bad("the snapshot: %v", err)
	}
	c := &comparison{runner: r, manifest: p.name, outcome: &o}
	if err := c.load(manifest); err != nil {
		return bad("%v", err)
	}
	c.compare(predicted.Resources)
	return o
}

// codes returns the codes of the errors that rad printed, each once.
func codes(text []byte) []string {
	var list []string
	for line := range strings.Lines(string(text)) {
		if _, rest, ok := strings.Cut(line, " : Error "); ok {
			if code, _, ok := strings.Cut(rest, ":"); ok && !slices.Contains(list, code) {
				list = append(list, code)
			}
		}
	}
	slices.Sort(list)
	return list
}

// targetScope returns the scope that a program names, or "".
func targetScope(text string) string {
	_, rest, ok := strings.Cut(text, "\ntargetScope = '")
	if !ok {
		if rest, ok = strings.CutPrefix(text, "targetScope = '"); !ok {
			return ""
		}
	}
	scope, _, _ := strings.Cut(rest, "'")
	return scope
}

// decode reads JSON with its numbers as they are written.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// call runs rad; an error is one of the run itself, or a crash.
func (r *runner) call(args ...string) (out, errs []byte, err error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(r.rad, append([]string{"bicep"}, args...)...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 && exit.ExitCode() != 70 {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("rad %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return stdout.Bytes(), stderr.Bytes(), err
}
