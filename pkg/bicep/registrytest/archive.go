package registrytest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"testing"
)

// Types returns an archive of types with one resource type, Acme/things@v1, whose
// body has the property of the given name.
func Types(t testing.TB, property string) []byte {
	t.Helper()
	return Archive(t,
		"index.json", `{"resources": {"Acme/things@v1": {"$ref": "types.json#/3"}}, "resourceFunctions": {}, "settings": {"name": "Acme", "version": "1.0.0", "isSingleton": false}}`,
		"types.json", `[{"$type": "StringType"},
 {"$type": "AnyType"},
 {"$type": "ObjectType", "name": "Acme/things", "properties": {"name": {"type": {"$ref": "#/0"}, "flags": 9}, "`+property+`": {"type": {"$ref": "#/0"}, "flags": 1}}},
 {"$type": "ResourceType", "name": "Acme/things@v1", "scopeType": 8, "body": {"$ref": "#/2"}, "flags": 0}]`)
}

// Archive returns a gzip tar of names and contents.
func Archive(t testing.TB, namesAndContents ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for i := 0; i < len(namesAndContents); i += 2 {
		name, content := namesAndContents[i], namesAndContents[i+1]
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(content)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
