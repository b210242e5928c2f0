package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"
)

// committed is the table that package aso is built with.
const committed = "../../../pkg/manifest/aso/table.gz"

// TestTheTableIsFresh makes the table of the module that go.mod requires, and compares.
func TestTheTableIsFresh(t *testing.T) {
	dir, version, err := findModule()
	if err != nil {
		t.Fatal(err)
	}
	made, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(made.text(version)), "\n")
	packed, err := os.ReadFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(string(text), "\n")
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Fatalf("line %d is missing: %s", i+1, want[i])
		case i >= len(want):
			t.Fatalf("line %d is too much: %s", i+1, got[i])
		case got[i] != want[i]:
			t.Fatalf("line %d is %s\nand should be %s\n(go run . -out %s)", i+1, got[i], want[i], committed)
		}
	}
	if len(made.kinds) != 409 {
		t.Errorf("%d kinds in their versions; version 2.13.0 has 409", len(made.kinds))
	}
}

// TestTheTableSaysWhatTheSourceSays: some facts, as they are read by eye in the source.
func TestTheTableSaysWhatTheSourceSays(t *testing.T) {
	dir, _, err := findModule()
	if err != nil {
		t.Fatal(err)
	}
	made, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := string(made.text("v"))
	for _, want := range []string{
		"storage.azure.com v1api20230101 2023-01-01 StorageAccountsBlobService Microsoft.Storage/storageAccounts/blobServices storage.azure.com/StorageAccount ",
		" name=default",
		"maps=clientId=clientId,principalId=principalId,tenantId=tenantId",
		"\n@objectType AzureBackupRule=azureBackupRule:",
		".disableBgpRoutePropagation:b location:s", // below properties, though it is alone there
		" userAssignedIdentities:[",                // those of pods of AKS are a list in the body, too
		" !~",                                      // required is never said of a property that a config map can give
	} {
		if has := strings.Contains(all, want); has == (want == " !~") {
			t.Errorf("the table has %q: %v", want, has)
		}
	}
}
