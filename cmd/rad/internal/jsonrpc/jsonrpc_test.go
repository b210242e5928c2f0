package jsonrpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/jsonrpc"
)

func frame(texts ...string) (out string) {
	for _, text := range texts {
		out += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text)
	}
	return out
}

func handle(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "wait", "late":
		<-ctx.Done()
		return nil, errors.New("it was ended")
	case "deaf":
		select {}
	case "panic":
		panic("a fault")
	case "fail":
		return nil, errors.New("a reason")
	}
	return string(params), nil
}

// TestAnswers: what goes in, and what comes out.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ in, out, err string }{
		"request":           {in: frame(`{"id":1,"method":"a","params":[1]}`), out: frame(`{"jsonrpc":"2.0","id":1,"result":"[1]"}`)},
		"text as id":        {in: frame(`{"id":"x","method":"a"}`), out: frame(`{"jsonrpc":"2.0","id":"x","result":""}`)},
		"null is an id":     {in: frame(`{"id":null,"method":"a"}`), out: frame(`{"jsonrpc":"2.0","id":null,"result":""}`)},
		"notification":      {in: frame(`{"method":"a","params":{"id":1}}`, `{"method":"panic"}`)},
		"an answer":         {in: frame(`{"id":1,"result":2}`)},
		"failure":           {in: frame(`{"id":1,"method":"fail"}`), out: frame(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"a reason"}}`)},
		"panic":             {in: frame(`{"id":1,"method":"panic"}`), out: frame(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error: a fault"}}`)},
		"cancelled":         {in: frame(`{"id":1,"method":"wait"}`, `{"method":"$/cancelRequest","params":{"id":1}}`), out: frame(`{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"the request was cancelled"}}`)},
		"late":              {in: frame(`{"id":1,"method":"late"}`), out: frame(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"too late"}}`)},
		"deaf":              {in: frame(`{"id":1,"method":"deaf"}`), out: frame(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"too late"}}`)},
		"batch":             {in: frame(`[{"id":1,"method":"a"},{"method":"a"},3]`), out: frame(`[{"jsonrpc":"2.0","id":1,"result":""},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is no request"}}]`)},
		"empty batch":       {in: frame(`[]`), out: frame(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a batch has between 1 and 1000 requests"}}`)},
		"id of no kind":     {in: frame(`{"id":{},"method":"a"}`), out: frame(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is no request"}}`)},
		"broken":            {in: frame(`{"id`), out: frame(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}`)},
		"header":            {in: "X: y\ncontent-LENGTH : 20\n\n" + `{"id":1,"method":""}`, out: frame(`{"jsonrpc":"2.0","id":1,"result":""}`)},
		"half a message":    {in: "Content-Length: 500\r\n\r\n{"},
		"half a header":     {in: "Content-Le"},
		"too long":          {in: "Content-Length: 70000000\r\n\r\n{}", out: frame(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message of 70000000 bytes; the limit is 67108864"}}`)},
		"no length":         {in: "X: y\r\n\r\n{}", err: "a message has no Content-Length"},
		"length below zero": {in: "Content-Length: -1\r\n\r\n", err: `Content-Length is "-1"; it is a number of bytes`},
		"endless header":    {in: strings.Repeat("x", 1<<20), err: "the header of a message is too long"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			s := jsonrpc.Server{Handle: handle, Fault: func(any, []byte) {}, Late: errors.New("too late")}
			if name == "late" || name == "deaf" {
				s.Limit = time.Millisecond
			}
			err := s.Serve(t.Context(), strings.NewReader(test.in), &out)
			require.Equal(t, test.out, out.String())
			if test.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, test.err)
			}
		})
	}
}

// TestBeside: a request does not wait for the one before it.
func TestBeside(t *testing.T) {
	t.Parallel()
	in, send := io.Pipe()
	receive, out := io.Pipe()
	s := jsonrpc.Server{Handle: handle, Fault: func(any, []byte) {}}
	ended := make(chan error)
	go func() { ended <- s.Serve(t.Context(), in, out) }()
	_, _ = io.WriteString(send, frame(`{"id":1,"method":"wait"}`, `{"id":2,"method":"a"}`))
	want := frame(`{"jsonrpc":"2.0","id":2,"result":""}`)
	got := make([]byte, len(want))
	_, err := io.ReadFull(receive, got)
	require.NoError(t, err)
	require.Equal(t, want, string(got))
	go func() { _, _ = io.Copy(io.Discard, receive) }()
	_, _ = io.WriteString(send, frame(`{"method":"$/cancelRequest","params":{"id":1}}`))
	require.NoError(t, send.Close())
	require.NoError(t, <-ended)
}
