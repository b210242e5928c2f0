//go:build unix

package test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
)

// # Programs of two sizes
//
// testdata/growth holds families of programs. A family is a program of which a part is written n times:
//
//	-- a chain of variables/main.bicep --
//	var v0 = 'a'
//	* var v#1 = v#0
//	output o string = v#n
//
// A line that begins with "* ", and the lines between "*." and ".", are written n times. So is what is between « and »
// within a line. #0 is the number of the time, from 0, #1 is one more, and #n is n. A file that has #0 or #1 in its name
// is n files. ", n=10" at the end of a name gives n, for programs that follow 2 to the power of n ways.
//
// TestGrowth runs the commands on each program with n and with 4n parts, and TestGrowthOfCombinations on programs that
// are put together at random. Work in proportion to what is read and written is about four times as much then, and work
// for each pair of parts sixteen times. The work is the bytes that are allocated, which other programs on the machine do
// not change, and the processor time of this process, which they change little. Where values double, n is so large
// that both programs end at a limit.
//
// Each run of the tests takes the programs of a few parts and two commands, and looks at the bytes. `make growth` takes 30 parts and all
// commands.

var (
	growthSize = flag.Int("growth", 0, "how many parts a program of TestGrowth has; 0 is a few, and bytes only")
	growthSeed = flag.Uint64("growthseed", 1, "where TestGrowthOfCombinations begins")
)

// What takes less is in proportion, whatever the factor is.
const (
	littleTime   = 400 * time.Millisecond
	littleMemory = 1 << 20 // of a few parts
	fewParts     = 12
	mostTimes    = 2 // as much more as is read and written
)

// No run takes more, whatever its program is.
const (
	mostTime   = 5 * time.Second
	mostMemory = 1 << 30
)

func TestGrowth(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("it takes its time")
	}
	list := families(t)
	require.GreaterOrEqual(t, len(list), 200)
	for _, f := range list {
		if *growthSize == 0 && f.n > usualParts() {
			continue // the large ones take half a minute
		}
		t.Run(f.name, f.test)
	}
}

// test runs the commands on a family.
func (f *family) test(t *testing.T) {
	for _, args := range f.commands() {
		var few, many work
		for range 4 { // one measurement can be disturbed
			few, many = f.work(t, f.n, args), f.work(t, 4*f.n, args)
			if !many.exceeds(few) {
				break
			}
		}
		t.Logf("%-30s %v, %v", args[0], few, many)
		if many.exceeds(few) {
			t.Errorf("%s: %v for %d parts, and %v for four times as many", strings.Join(args, " "), few, f.n, many)
		}
	}
}

type family struct {
	name  string
	n     int
	files []txtar.File
}

func families(t testing.TB) []*family {
	t.Helper()
	paths, err := filepath.Glob("testdata/growth/*.txtar")
	require.NoError(t, err)
	var list []*family
	for _, p := range paths {
		archive, err := txtar.ParseFile(p)
		require.NoError(t, err)
		for _, file := range archive.Files {
			name, base, ok := strings.Cut(file.Name, "/")
			require.True(t, ok, file.Name)
			if len(list) == 0 || list[len(list)-1].name != name {
				f := &family{name: name, n: usualParts()}
				if _, n, ok := strings.Cut(name, ", n="); ok {
					f.n, err = strconv.Atoi(n)
					require.NoError(t, err)
				}
				list = append(list, f)
			}
			f := list[len(list)-1]
			f.files = append(f.files, txtar.File{Name: base, Data: file.Data})
		}
	}
	return list
}

// usualParts is how many parts a program has whose family does not say it.
func usualParts() int {
	if *growthSize == 0 {
		return fewParts
	}
	return *growthSize
}

// commands returns the command lines that a family is for. The last one changes the file.
func (f *family) commands() [][]string {
	list := [][]string{
		{"build", "main.bicep", "--stdout"},
		{"lint", "main.bicep"},
		{"generate-kubernetes-manifest", "main.bicep", "-o", "-"},
		{"plan", "main.bicep"},
		{"graph", "main.bicep", "--format", "json"},
		{"format", "main.bicep", "--stdout"},
		{"lint", "main.bicep", "--fix"},
	}
	if slices.ContainsFunc(f.files, func(x txtar.File) bool { return x.Name == "main.bicepparam" }) {
		for _, i := range []int{2, 3} {
			list[i] = append(list[i], "-p", "main.bicepparam")
		}
		list = append([][]string{{"build-params", "main.bicepparam", "--stdout"}, {"snapshot", "main.bicepparam", "--mode", "overwrite"}}, list...)
	}
	if *growthSize == 0 {
		list = slices.DeleteFunc(list, func(args []string) bool {
			return args[0] != "lint" && args[0] != "plan" || args[len(args)-1] == "--fix"
		})
	}
	return list
}

// work is what a run takes.
type work struct {
	time  time.Duration
	bytes uint64
	text  uint64 // bytes that were read and written
}

func (w work) String() string { return fmt.Sprintf("%v and %d KB", w.time, w.bytes>>10) }

func (w work) exceeds(few work) bool {
	times := mostTimes * max(4, float64(w.text)/float64(few.text))
	slow := *growthSize > 0 && (w.time > mostTime || w.time > littleTime && float64(w.time) > times*float64(few.time))
	return slow || w.bytes > mostMemory || w.bytes > littleMemory*uint64(usualParts()*usualParts())/(fewParts*fewParts) && float64(w.bytes) > times*float64(few.bytes)
}

// counter counts what is written to it.
type counter struct{ n uint64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += uint64(len(b))
	return len(b), nil
}

// work runs a command on the program with n parts. The program may be wrong, but no run may end with a bug.
func (f *family) work(t *testing.T, n int, args []string) (w work) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o700)) // it is a project of its own
	w.text = f.write(t, dir, n)
	back, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.Chdir(dir))
	defer func() { require.NoError(t, os.Chdir(back)) }()
	runtime.GC()
	var before, after runtime.MemStats
	var printed counter
	runtime.ReadMemStats(&before)
	start := processorTime(t)
	status := command.Run(context.Background(), append([]string{"bicep"}, args...), strings.NewReader(""), &printed, &printed)
	w.time = processorTime(t) - start
	runtime.ReadMemStats(&after)
	w.bytes = after.TotalAlloc - before.TotalAlloc
	w.text += printed.n
	for _, file := range f.files {
		if info, err := os.Stat(filepath.Join(dir, file.Name)); err == nil { // lint --fix may have made it larger
			w.text = max(w.text, uint64(info.Size())+printed.n)
		}
	}
	require.Less(t, status, cli.ExitBug, "%s with %d parts", strings.Join(args, " "), n)
	return w
}

func processorTime(t *testing.T) time.Duration {
	var r syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// write writes the files of the program with n parts, and returns how many bytes they have.
func (f *family) write(t *testing.T, dir string, n int) (size uint64) {
	write := func(name, text string) {
		size += uint64(len(text))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, file := range f.files {
		name, text := file.Name, string(file.Data)
		if !strings.Contains(name, "#") {
			write(name, withParts(text, n))
			continue
		}
		for i := range n {
			write(numbered(name, i), withParts(numbered(text, i), n))
		}
	}
	return size
}

// withParts writes a text in which parts are repeated n times.
func withParts(text string, n int) string {
	var b strings.Builder
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		switch {
		case line == "*.":
			line, text, _ = strings.Cut(text, "\n.\n")
			b.WriteString(repeated(line+"\n", n))
		case strings.HasPrefix(line, "* "):
			b.WriteString(repeated(inline(line[2:], n)+"\n", n))
		default:
			b.WriteString(line + "\n")
		}
	}
	return strings.ReplaceAll(inline(b.String(), n), "#n", strconv.Itoa(n))
}

// inline repeats what is between « and ».
func inline(s string, n int) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "«")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		var part string
		part, s, _ = strings.Cut(rest, "»")
		b.WriteString(repeated(part, n))
	}
}

func repeated(part string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(numbered(part, i))
	}
	return b.String()
}

func numbered(part string, i int) string {
	return strings.NewReplacer("#0", strconv.Itoa(i), "#1", strconv.Itoa(i+1)).Replace(part)
}
