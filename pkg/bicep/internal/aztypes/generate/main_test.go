package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
)

// made returns the library of the types in testdata, and the file that it is in.
func made(t *testing.T) (*aztypes.Library, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "library")
	require.NoError(t, generate("testdata/own", file, "a test"))
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	l, err := aztypes.Verified(data)
	require.NoError(t, err)
	return l, file
}

// testdata/own.txt is what the library says of the types in testdata/own.
func TestALibraryHasWhatItsSourceSays(t *testing.T) {
	t.Parallel()
	l, _ := made(t)
	require.NoError(t, l.Check())
	require.Equal(t, "a test", l.Source())
	require.Contains(t, l.Licence(), "made up for tests")
	require.Equal(t, []string{"Own.Shop"}, l.Providers())

	var b strings.Builder
	for n := range l.Types() {
		for r := range l.Versions(n) {
			fmt.Fprintf(&b, "%s@%s readable %d, writable %d: ", r.Type, r.Version, r.Readable, r.Writable)
			seen := map[aztypes.NodeID]bool{}
			write(&b, l, r.Body, "\n", seen)
			for _, f := range r.Functions {
				fmt.Fprintf(&b, "\n%s(", f.Name)
				write(&b, l, f.Input, "\n", seen)
				b.WriteString("): ")
				write(&b, l, f.Output, "\n", seen)
			}
			b.WriteString("\n\n")
		}
	}
	want, err := os.ReadFile("testdata/own.txt")
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String())
}

var kinds = [...]string{
	aztypes.Any: "any", aztypes.Null: "null", aztypes.Bool: "bool", aztypes.Int: "int", aztypes.String: "string", aztypes.Literal: "literal",
	aztypes.Array: "array", aztypes.Union: "union", aztypes.Object: "object", aztypes.Discriminated: "objects",
	aztypes.SelfType: "its type", aztypes.SelfVersion: "its version",
}

// write writes a type, each one once with its parts.
func write(b *strings.Builder, l *aztypes.Library, id aztypes.NodeID, line string, seen map[aztypes.NodeID]bool) {
	if id == aztypes.None {
		return
	}
	n := l.Node(id)
	b.WriteString(strings.TrimSpace(kinds[n.Kind] + " " + strings.ReplaceAll(n.Name, aztypes.Self, "(its type)") + n.Pattern))
	if n.Discriminator != "" {
		b.WriteString(" by " + n.Discriminator)
	}
	if n.Sensitive {
		b.WriteString(" sensitive")
	}
	if n.Min != nil && n.Max != nil {
		fmt.Fprintf(b, " %d to %d", *n.Min, *n.Max)
	}
	if seen[id] {
		return
	}
	seen[id] = true
	line += "  "
	part := func(name string, id aztypes.NodeID) {
		b.WriteString(line + name + ": ")
		write(b, l, id, line, seen)
	}
	for _, p := range n.Properties {
		part(fmt.Sprintf("%s flags %d", p.Name, p.Flags), p.Type)
	}
	for k, m := range n.Members {
		part(strings.Join(n.Keys[min(k, len(n.Keys)):min(k+1, len(n.Keys))], "")+"|", m)
	}
	for _, s := range n.Literals {
		b.WriteString(line + "|" + strconv.Quote(s))
	}
	if n.Item != aztypes.None {
		part("*", n.Item)
	}
}

// The same types make the same bytes, whichever of them is read first.
func TestALibraryIsReproducible(t *testing.T) {
	t.Parallel()
	_, first := made(t)
	want, err := os.ReadFile(first)
	require.NoError(t, err)
	for range 5 {
		_, again := made(t)
		got, err := os.ReadFile(again)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestVersionsAreSpeltEachInItsWay(t *testing.T) {
	t.Parallel()
	l, _ := made(t)
	for version, want := range map[string]string{"2024-01-01": "Own.Shop/Shops", "2025-01-01": "Own.Shop/shops"} {
		r, ok := l.Find("OWN.SHOP/sHoPs", version)
		require.True(t, ok)
		require.Equal(t, want, r.Type)
	}
	for _, none := range [][2]string{{"Own.Shop/shops", ""}, {"Own.Shop/shops", "2026-01-01"}, {"Own.Shop", "2024-01-01"}, {"Own.Shop/shopsx", "2024-01-01"}, {"Zzz/z", "2024-01-01"}, {"", ""}} {
		require.False(t, l.Has(none[0], none[1]), none)
	}
	require.True(t, l.HasProvider("own.SHOP"))
	require.False(t, l.HasProvider("Own"))
	require.False(t, l.HasProvider("Own.Shop/shops"))
}

// Of the functions, only those whose name begins with list are kept.
func TestFunctions(t *testing.T) {
	t.Parallel()
	l, _ := made(t)
	r, ok := l.Find("Own.Shop/shops", "2025-01-01")
	require.True(t, ok)
	require.Len(t, r.Functions, 2)
	require.Equal(t, "listKeys", r.Functions[0].Name)
	require.Equal(t, aztypes.None, r.Functions[0].Input)
	require.Equal(t, "Want", l.Node(r.Functions[1].Input).Name)
}

// A library without the licence of its types is not made.
func TestTheLicenceIsNeeded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "library")
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS("testdata/own/generated")))
	require.ErrorContains(t, generate(folder, file, ""), "LICENSE")
	require.NoFileExists(t, file)
}

// Whatever happened to a file, it is refused or read: it does not take the program down.
func TestDamagedLibraries(t *testing.T) {
	t.Parallel()
	_, file := made(t)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for i := range data {
		bad := append([]byte(nil), data...)
		bad[i] ^= 0x41
		_, err := aztypes.Verified(bad)
		require.Error(t, err, "byte %d", i)
		if l, err := aztypes.Open(string(bad)); err == nil {
			_ = l.Check() // an error, or none, and no panic
		}
	}
	for _, n := range []int{0, 1, 11, 60, len(data) - 1} {
		_, err := aztypes.Verified(data[:n])
		require.Error(t, err)
	}
}
