// Command mutants changes one place of a package at a time, and runs the tests of the package. A change that no
// test notices is a mutant that survives: the tests say nothing about that place, or it has no effect.
//
//	go run ./cmd/rad/internal/tools/mutants -n 40 -seed 1 ./pkg/params
//
// The changes are chosen at random, and the seed chooses. Nothing is written into the tree: the compiler gets the
// changed file by -overlay. A mutant that does not compile is not counted, and another one takes its place. One whose
// tests do not end counts as killed.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	n := flag.Int("n", 40, "how many mutants of a package are tried")
	seed := flag.Uint64("seed", 1, "where the choice begins")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: mutants [-n N] [-seed N] PACKAGE...")
		os.Exit(2)
	}
	for _, pkg := range flag.Args() {
		if err := try(ctx, os.Stdout, pkg, *n, *seed); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", pkg, err)
			os.Exit(1)
		}
	}
}

// result is what became of a mutant.
type result int

const (
	killed result = iota
	survived
	broken // it does not compile
)

// try tries mutants of a package, and prints those that survive.
func try(ctx context.Context, w io.Writer, pkg string, n int, seed uint64) error {
	dir, files, err := sources(ctx, pkg)
	if err != nil {
		return err
	}
	var all []mutant
	for _, name := range files {
		list, err := mutantsOf(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	temp, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	start := time.Now()
	if r, text, err := test(ctx, pkg, "", time.Hour); err != nil || r != survived {
		return fmt.Errorf("its tests fail without a change: %w\n%s", err, text)
	}
	limit := 10*time.Second + 5*time.Since(start)

	r := rand.New(rand.NewPCG(seed, seed))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var count [broken + 1]int
	for _, m := range all {
		if count[killed]+count[survived] == n {
			break
		}
		overlay, err := m.overlay(temp)
		if err != nil {
			return err
		}
		r, _, err := test(ctx, pkg, overlay, limit)
		if err != nil {
			return err
		}
		if count[r]++; r == survived {
			fmt.Fprintf(w, "%s\n", m)
		}
	}
	fmt.Fprintf(w, "%s: %d mutants, %d killed, %d survived; %d did not compile, of %d places\n", pkg, count[killed]+count[survived], count[killed], count[survived], count[broken], len(all))
	return nil
}

// sources returns the folder of a package, and the files that are compiled here.
func sources(ctx context.Context, pkg string) (dir string, files []string, err error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-json=Dir,GoFiles", pkg).Output()
	if err != nil {
		if e := new(exec.ExitError); errors.As(err, &e) {
			return "", nil, fmt.Errorf("%s", bytes.TrimSpace(e.Stderr))
		}
		return "", nil, err
	}
	var p struct {
		Dir     string
		GoFiles []string
	}
	return p.Dir, p.GoFiles, errors.Join(json.Unmarshal(out, &p))
}

// test runs the tests of a package with an overlay, if there is one.
func test(ctx context.Context, pkg, overlay string, limit time.Duration) (result, string, error) {
	args := []string{"test", "-count=1", "-vet=off", "-failfast", "-timeout", limit.String()}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	out, err := exec.CommandContext(ctx, "go", append(args, pkg)...).CombinedOutput()
	switch e := new(exec.ExitError); {
	case ctx.Err() != nil:
		return 0, "", ctx.Err()
	case err == nil:
		return survived, "", nil
	case !errors.As(err, &e):
		return 0, "", err
	case bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
		return broken, string(out), nil
	}
	return killed, string(out), nil
}
