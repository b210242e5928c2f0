package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMutants(t *testing.T) {
	t.Parallel()
	list, err := mutantsIn("a.go", `package a

import "fmt"

type t struct {
	a int `+"`json:\"a\"`"+`
}

func f(a, b int) (c int) {
	if a < b && !g() {
		c = 3
		a++
	}
	fmt.Println("x")
	return a + b
}
`)
	require.NoError(t, err)
	var got []string
	for _, m := range list {
		got = append(got, fmt.Sprintf("%d %q -> %q", m.line, m.text[m.from:m.to], m.with))
	}
	assert.Equal(t, []string{
		`10 "a < b && !g()" -> "!(a < b && !g())"`, `10 "&&" -> "||"`, `10 "<" -> "<="`, `10 "!" -> ""`,
		`11 "c = 3" -> "_ = 3"`, `11 "3" -> "4"`, `12 "++" -> "--"`,
		`14 "fmt.Println(\"x\")" -> ""`, `14 "\"x\"" -> "\"\""`, `15 "+" -> "-"`,
	}, got)
}

// A package of which one function is tested, and the other is not.
func TestTry(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles programs")
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod":    "module example.com/a\n\ngo 1.24\n",
		"a.go":      "package a\n\nfunc tested(n int) bool { return n > 3 }\n\nfunc other(n int) bool { return n > 5 }\n",
		"a_test.go": "package a\n\nimport \"testing\"\n\nfunc Test(t *testing.T) {\n\tif tested(3) || !tested(4) {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	var out bytes.Buffer
	require.NoError(t, try(context.Background(), &out, ".", 10, 1))
	assert.Contains(t, out.String(), ".: 4 mutants, 2 killed, 2 survived; 0 did not compile, of 4 places\n")
	assert.Contains(t, out.String(), "a.go:5\n  - func other(n int) bool { return n > 5 }\n  + func other(n int) bool { return n >= 5 }\n")
	assert.NotContains(t, out.String(), "tested")
	left, err := filepath.Glob("*")
	require.NoError(t, err)
	assert.Len(t, left, 3)
	assert.ErrorContains(t, try(context.Background(), &out, "./nosuch", 10, 1), "nosuch")
}
