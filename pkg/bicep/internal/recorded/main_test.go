package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pack writes a file as the conformance tools pack theirs.
func pack(t *testing.T, path string, lines ...string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, line := range lines {
		_, err := io.WriteString(z, line+"\n")
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o666))
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	from, out := t.TempDir(), t.TempDir()
	pack(t, filepath.Join(from, "versions.jsonl.gz"),
		`{"version": "0.40.2", "stamp": "0.40.2.1"}`,
		`{"version": "0.40.2", "case": "op/4", "ok": false, "diags": []}`,
		`{"version": "0.46.1", "case": "op/4", "ok": true, "diags": [], "output": "corrected"}`,
		`{"version": "0.46.1", "case": "op/5", "ok": true, "diags": []}`,
		`{"version": "0.46.1", "case": "op/6", "ok": false, "diags": [[1, 1, "E", "BCP001"]]}`,
		`{"version": "0.40.2", "id": "version/1", "files": {"a.bicep": "5"}, "entry": "a.bicep", "ok": true, "diags": [], "output": "5"}`)
	pack(t, filepath.Join(from, "big.jsonl.gz"))
	pack(t, filepath.Join(from, "fuzz.jsonl.gz"),
		`{"id": "hash/1", "files": {"a.bicep": "<&>", "b.bicep": ""}, "entry": "a.bicep", "ok": true, "diags": [[1, 2, "W", "BCP081"], [1, 3, "I", "x"]], "output": "{\n}", "order": true}`)
	pack(t, filepath.Join(from, "language.jsonl.gz"),
		`{"id": "op/1", "files": {"a.bicep": "1"}, "entry": "a.bicep", "ok": false, "azw": true, "diags": [[1, 2, "W", "BCP036"], [3, 4, "E", "BCP035"]], "radius": true}`,
		`{"id": "op/2", "files": {"a.bicep": "2"}, "entry": "a.bicep", "ok": true, "diags": [], "az": true}`,
		`{"id": "op/3", "files": {"a.bicep": "3"}, "entry": "a.bicep", "ok": true, "diags": [], "crash": true}`)
	pack(t, filepath.Join(from, "programs.jsonl.gz"),
		`{"id": "op/4", "files": {"a.bicep": "4"}, "entry": "a.bicep", "ok": true, "diags": [], "output": ""}`,
		`{"id": "op/5", "files": {"a.bicep": "5"}, "entry": "a.bicep", "ok": true, "diags": [[1, 1, "W", "x"]], "output": "kept"}`,
		`{"id": "op/6", "files": {"a.bicep": "6"}, "entry": "a.bicep", "ok": true, "diags": [], "output": "gone"}`)
	unchanged := filepath.Join(out, "hash.jsonl.gz")

	var log strings.Builder
	require.NoError(t, update(from, out, &log))
	assert.Equal(t, "hash: 1 programs written\nop: 4 programs written\nversion: 1 programs written\n6 programs in 3 families\n", log.String())
	text, err := unpack(unchanged)
	require.NoError(t, err)
	assert.Equal(t, `{"id":"hash/1","files":{"a.bicep":"<&>","b.bicep":""},"entry":"a.bicep","ok":true,"diagnostics":[[1,3,"Info","x"]],"output":"{\n}","order":true}`+"\n", string(text))
	text, err = unpack(filepath.Join(out, "op.jsonl.gz"))
	require.NoError(t, err)
	assert.Equal(t, `{"id":"op/1","files":{"a.bicep":"1"},"entry":"a.bicep","ok":false,"diagnostics":[[3,4,"Error","BCP035"]],"azure":true,"radius":true}
{"id":"op/4","files":{"a.bicep":"4"},"entry":"a.bicep","ok":true,"diagnostics":[],"output":"corrected"}
{"id":"op/5","files":{"a.bicep":"5"},"entry":"a.bicep","ok":true,"diagnostics":[],"output":"kept"}
{"id":"op/6","files":{"a.bicep":"6"},"entry":"a.bicep","ok":false,"diagnostics":[[1,1,"Error","BCP001"]]}
`, string(text))
	text, err = unpack(filepath.Join(out, "version.jsonl.gz"))
	require.NoError(t, err)
	assert.Equal(t, `{"id":"version/1/0.40.2","release":"0.40.2","files":{"a.bicep":"5"},"entry":"a.bicep","ok":true,"diagnostics":[],"output":"5"}`+"\n", string(text))

	// The same programs, packed otherwise, are left alone.
	pack(t, unchanged, `{"id":"hash/1","files":{"a.bicep":"<&>","b.bicep":""},"entry":"a.bicep","ok":true,"diagnostics":[[1,3,"Info","x"]],"output":"{\n}","order":true}`)
	before, err := os.ReadFile(unchanged)
	require.NoError(t, err)
	log.Reset()
	require.NoError(t, update(from, out, &log))
	assert.Equal(t, "6 programs in 3 families\n", log.String())
	after, err := os.ReadFile(unchanged)
	require.NoError(t, err)
	assert.Equal(t, before, after)
}

func TestWhatIsNoRecord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, record, want string }{
		{"no program", `{"id": "op/1", "ok": true, "diags": []}`, "big.jsonl.gz: line 1 is not a program"},
		{"no family", `{"id": "op", "files": {"a": ""}, "entry": "a", "ok": true, "diags": []}`, "line 1 is not a program"},
		{"level", `{"id": "op/1", "files": {"a": ""}, "entry": "a", "ok": true, "diags": [[1, 1, "X", "BCP001"]]}`, "the level X is none of E, W and I"},
		{"no JSON", `{`, "big.jsonl.gz: line 1: unexpected end"},
	} {
		from := t.TempDir()
		pack(t, filepath.Join(from, "versions.jsonl.gz"))
		pack(t, filepath.Join(from, "big.jsonl.gz"), c.record)
		assert.ErrorContains(t, update(from, t.TempDir(), io.Discard), c.want, c.name)
	}
	assert.ErrorContains(t, update(t.TempDir(), t.TempDir(), io.Discard), "versions.jsonl.gz")

	// A family that is not recorded any more is named, and nothing is removed.
	from, out := t.TempDir(), t.TempDir()
	for _, name := range sources {
		pack(t, filepath.Join(from, name+".jsonl.gz"), `{"id": "op/`+name+`", "files": {"a": ""}, "entry": "a", "ok": true, "diags": []}`)
	}
	pack(t, filepath.Join(out, "gone.jsonl.gz"))
	assert.ErrorContains(t, update(from, out, io.Discard), "gone.jsonl.gz holds a family that is not recorded")
}

func TestShow(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "op.jsonl.gz")
	pack(t, path,
		`{"id":"op/1","files":{"b.bicep":"1","a.bicep":"a\n\nb\r\n"},"entry":"a.bicep","ok":true,"diagnostics":[[3,4,"Error","BCP035"],[1,2,"Info","x"]],"output":"{\n}","azure":true}`,
		`{"id":"op/2","files":{"a.bicep":""},"entry":"a.bicep","ok":false,"diagnostics":[]}`)
	var b strings.Builder
	require.NoError(t, show(path, &b))
	assert.Equal(t, `op/1
  azure: true
  diagnostics:
    [3,4,"Error","BCP035"]
    [1,2,"Info","x"]
  entry: "a.bicep"
  files:
    a.bicep:
      a
      
      b`+"\r"+`
      
    b.bicep: "1"
  ok: true
  output:
    {
    }
op/2
  diagnostics: []
  entry: "a.bicep"
  files:
    a.bicep: ""
  ok: false
`, b.String())
	pack(t, path, `{"entry":"a.bicep"}`)
	assert.ErrorContains(t, show(path, io.Discard), "a program has no ID")
}
