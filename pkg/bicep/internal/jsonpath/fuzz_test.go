package jsonpath_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/jsonpath"
)

func FuzzPath(f *testing.F) {
	for _, p := range []string{"$.a.b[?(@.k == 'x' && @.v < 2.5)]..c[1:-1:2]", "a['b','c'][*]", "$..[?(@.k =~ /^x/i)]"} {
		f.Add(p)
	}
	root, err := armjson.Parse(doc, armjson.Options{})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, path string) {
		p, err := jsonpath.Parse(path)
		if err != nil {
			return
		}
		_, _ = p.Select(root)
	})
}
