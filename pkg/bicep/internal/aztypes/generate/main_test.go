package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// The content of the library equals its source, as another parser reads it.
func TestALibraryEqualsItsSource(t *testing.T) {
	t.Parallel()
	l, file := made(t)
	require.NoError(t, compare("testdata/own", file, ""))
	require.NoError(t, l.Check())
	require.Equal(t, "a test", l.Source())
	require.Contains(t, l.Licence(), "made up for tests")
	require.Equal(t, 6, l.Len())
	require.Equal(t, 3, l.Types())
	require.Equal(t, []string{"Own.Shop"}, l.Providers())
}

// The comparison finds what differs: it is not a proof otherwise.
func TestWhatDiffersIsFound(t *testing.T) {
	t.Parallel()
	_, file := made(t)
	for _, edit := range [][2]string{
		{`"maxValue": 1000000`, `"maxValue": 1000001`}, {`"flags": 4`, `"flags": 5`}, {`"value": "large"`, `"value": "huge"`},
		{`"pattern": "^[a-z0-9]+$"`, `"pattern": "^[a-z]+$"`}, {`"sensitive": true`, `"sensitive": false`}, {`"writableScopes": 0`, `"writableScopes": 8`},
		{`"discriminator": "kind"`, `"discriminator": "name"`}, {`"name": "listSas"`, `"name": "listAll"`}, {`"right"`, `"wrong"`},
		{`Own.Shop/kinds@`, `Own.Shop/kinsmen@`}, {`"minLength": 3`, `"minimumLength": 3`},
	} {
		folder := t.TempDir()
		require.NoError(t, os.CopyFS(folder, os.DirFS("testdata/own")))
		path := filepath.Join(folder, "generated/shop/2025-01-01/types.json")
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(text), edit[0])
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), edit[0], edit[1], 1)), 0o644))
		require.Error(t, compare(folder, file, ""), edit[0])
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
