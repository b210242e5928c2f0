package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBillOfRad(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("links a program: that of a test does not have the list of its modules")
	}
	self := filepath.Join(t.TempDir(), "rad")
	built, err := exec.Command("go", "build", "-o", self, "github.com/radbicep/rad/cmd/rad").CombinedOutput()
	require.NoError(t, err, "%s", built)
	out := filepath.Join(t.TempDir(), "bill.json")
	require.NoError(t, run(self, "", out))
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	var d document
	require.NoError(t, json.Unmarshal(text, &d))
	require.Equal(t, "CycloneDX", d.Format)
	program, err := os.ReadFile(self)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%x", sha256.Sum256(program)), d.Metadata.Component.Hashes[0].Content)
	names := map[string]bool{}
	for i, c := range d.Components {
		names[c.Name] = true
		require.Equal(t, c.Ref, d.Dependencies[0].DependsOn[i])
	}
	require.True(t, names["std"])
	require.False(t, names["github.com/stretchr/testify"], "tests use it, the program does not")
	require.True(t, names["github.com/spf13/cobra"], "%v", names)

	again := filepath.Join(t.TempDir(), "again.json")
	require.NoError(t, run(self, "", again))
	same, err := os.ReadFile(again)
	require.NoError(t, err)
	require.Equal(t, string(text), string(same))
}

func TestTypesThatAreBuiltIn(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Settings: []debug.BuildSetting{{Key: "-tags", Value: "x,aztypes"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}}}
	info.Main.Path, info.Main.Version = "example.com/rad", "v1.2.3+dirty"
	d := describe(info, [32]byte{}, "abc")
	require.Equal(t, "pkg:golang/example.com/rad@v1.2.3%2Bdirty", d.Metadata.Component.PURL)
	require.Equal(t, "2026-01-02T03:04:05Z", d.Metadata.Timestamp)
	require.Len(t, d.Components, 2)
	require.Equal(t, "pkg:github/azure/bicep-types-az@abc", d.Components[1].PURL)
}

func TestWhatIsNoGoProgram(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(path, []byte("text"), 0o666))
	require.ErrorContains(t, run(path, "", path+".json"), "not a Go program")
	require.NoFileExists(t, path+".json")
}
