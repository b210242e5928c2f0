package test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/command"
)

// jsonrpc starts the command. ask returns the answer to a request; DIR in it stands for the root. end closes the input.
func jsonrpc(t *testing.T, args ...string) (dir string, ask func(method, params string) string, end func()) {
	t.Helper()
	dir = t.TempDir()
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- command.Run(context.Background(), append([]string{"bicep", "jsonrpc", "--root", dir}, args...), in, out, io.Discard)
	}()
	ask = func(method, params string) string {
		text := fmt.Sprintf(`{"id":1,"method":"bicep/%s","params":%s}`, method, strings.ReplaceAll(params, "DIR", filepath.ToSlash(dir)))
		_, err := fmt.Fprintf(send, "Content-Length: %d\r\n\r\n%s", len(text), text)
		require.NoError(t, err)
		var size int
		_, err = fmt.Fscanf(receive, "Content-Length: %d\r\n\r\n", &size)
		require.NoError(t, err)
		answer := make([]byte, size)
		_, err = io.ReadFull(receive, answer)
		require.NoError(t, err)
		return string(answer)
	}
	return dir, ask, func() {
		require.NoError(t, send.Close())
		require.Zero(t, <-ended)
	}
}

// TestJSONRPC: each method, over stdin and stdout, on a program that has changed, and outside the root.
func TestJSONRPC(t *testing.T) {
	dir, ask, end := jsonrpc(t)
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("a.bicep", "@description('of a')\nparam a   string?\nresource r 'A.B/c@2020-01-01' = {\n  name: 'r'\n}\noutput o string? = a\n")
	write("a.bicepparam", "using 'a.bicep'\nparam a = externalInput('k', 1)\n")
	for _, one := range []struct{ method, params, want string }{
		{"version", `{}`, `"version":"0.`},
		{"compile", `{"PATH":"DIR/a.bicep"}`, `"success":true`},
		{"compileParams", `[{"path":"DIR/a.bicepparam","parameterOverrides":{"a":5}}]`, `"success":false`},
		{"compileParams", `{"path":"DIR/a.bicepparam"}`, `"message":"parameterOverrides is missing`},
		{"getMetadata", `{"path":"DIR/a.bicep"}`, `{"description":"of a","name":"a","range":{"end":{"char":17,"line":1},"start":{"char":0,"line":0}},"type":{"name":"null | string"}}`},
		{"getDeploymentGraph", `{"path":"DIR/a.bicep"}`, `"isExisting":false,"name":"r"`},
		{"getFileReferences", `{"path":"DIR/a.bicepparam"}`, "a.bicepparam"},
		{"getSnapshot", `{"path":"DIR/a.bicepparam","metadata":{},"externalInputs":[{"kind":"k","config":1,"value":"given"}]}`, "given"},
		{"format", `{"path":"DIR/a.bicep"}`, `param a string?`},
		{"compileParams", `{"path":"DIR/a.bicep"}`, `"message":"path: DIR/a.bicep: its name must end in .bicepparam"`},
		{"getSnapshot", `{"path":"DIR/a.bicepparam","metadata":{"subscriptionId":"x"}}`, `"message":"metadata.subscriptionId \"x\": the ID`},
		{"compile", `{"path":"DIR/../b.bicep"}`, `is outside the project root`},
		{"compile", `"x"`, `-32602`},
		{"outputDocs", `{}`, `-32601`},
	} {
		require.Contains(t, ask(one.method, one.params), strings.ReplaceAll(one.want, "DIR", filepath.ToSlash(dir)), one.method)
	}
	write("a.bicep", "param a strin\n")
	require.Contains(t, ask("compile", `{"path":"DIR/a.bicep"}`), "BCP302")
	end()
}

// TestJSONRPCTimeLimit: the limit of time is that of a request, and the server outlives it.
func TestJSONRPCTimeLimit(t *testing.T) {
	dir, ask, end := jsonrpc(t, "--time-limit", "1ms")
	large := "param a string\n" + strings.Repeat("output o string = '${a}${a}'\n", 20000)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.bicep"), []byte(large), 0o600))
	for range 2 {
		answer := ask("compile", `{"path":"DIR/a.bicep"}`)
		require.Contains(t, answer[:min(len(answer), 200)], `"code":-32000,"message":"the request: it is not done after 1ms`)
	}
	require.Contains(t, ask("version", `{}`), `"version":"0.`)
	end()
}
