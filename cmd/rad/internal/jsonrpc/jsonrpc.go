// Package jsonrpc answers requests of JSON-RPC 2.0 in the frames that language servers use. Begin with
// Server.Serve. It knows nothing of Bicep.
package jsonrpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Codes of errors.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	NoMethod       = -32601
	InvalidParams  = -32602
	InternalError  = -32603
	Failed         = -32000 // the method says why
	Cancelled      = -32800
)

const (
	maxMessage = 64 << 20        // bytes of a message
	maxHeader  = 16 << 10        // bytes of a header
	maxBatch   = 1000            // requests of one message
	maxPending = 256             // requests that are being answered; more are not read
	maxHeld    = 2 * maxMessage  // bytes of these
	patience   = 5 * time.Second // for what is being answered when the input ends
)

// Error is an error with a code.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// Server answers requests.
type Server struct {
	// Handle answers one request. It is called from several goroutines. Params is nil where there are none. An
	// error that is no *Error has the code Failed.
	Handle func(ctx context.Context, method string, params json.RawMessage) (any, error)
	// Fault is told of a panic of Handle.
	Fault func(fault any, stack []byte)
}

// message is a request, a notification, or an answer of the other side.
type message struct {
	ID     json.RawMessage `json:"id"` // null is one, too
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// connection is the state of Serve.
type connection struct {
	*Server
	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex
	change  *sync.Cond
	cancels map[string]context.CancelFunc // of the requests that are being answered
	pending int
	held    int // bytes
}

// Serve answers what it reads until the input ends. What has begun by then has some seconds. The error says
// that the input cannot be understood any more, or is that of reading.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := &connection{Server: s, out: out, cancels: map[string]context.CancelFunc{}}
	c.change = sync.NewCond(&c.mu)
	ended := make(chan error, 1)
	go func() { ended <- c.read(ctx, bufio.NewReader(in)) }()
	select {
	case err := <-ended:
		defer time.AfterFunc(patience, stop).Stop()
		c.wait(func() bool { return c.pending == 0 })
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *connection) wait(until func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !until() {
		c.change.Wait()
	}
}

// read reads messages, and begins to answer them.
func (c *connection) read(ctx context.Context, in *bufio.Reader) error {
	for {
		size, err := readHeader(in)
		if err == nil && size > maxMessage {
			c.write(failure(nil, InvalidRequest, fmt.Sprintf("a message of %d bytes; the limit is %d", size, maxMessage)))
			_, err = io.CopyN(io.Discard, in, size)
			if err == nil {
				continue
			}
		}
		var body bytes.Buffer
		if err == nil { // the buffer grows by what comes, and not by what the header says
			_, err = io.CopyN(&body, in, size)
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		c.begin(ctx, body.Bytes())
	}
}

// readHeader returns the length that a header states.
func readHeader(in *bufio.Reader) (size int64, err error) {
	size = -1
	for read := 0; ; {
		line, err := in.ReadSlice('\n')
		if read += len(line); read > maxHeader || errors.Is(err, bufio.ErrBufferFull) {
			return 0, errors.New("the header of a message is too long")
		} else if err != nil {
			return 0, err
		}
		text := strings.TrimSpace(string(line))
		if text == "" && size >= 0 {
			return size, nil
		} else if text == "" {
			return 0, errors.New("a message has no Content-Length")
		}
		if name, value, _ := strings.Cut(text, ":"); strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if size, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || size < 0 {
				return 0, fmt.Errorf("Content-Length is %q; it is a number of bytes", strings.TrimSpace(value))
			}
		}
	}
}

// begin answers a message or a batch on a goroutine of its own. Cancellations take effect at once.
func (c *connection) begin(ctx context.Context, body []byte) {
	batch, ok := []json.RawMessage{body}, true
	isBatch := bytes.HasPrefix(bytes.TrimSpace(body), []byte("["))
	if isBatch {
		ok = json.Unmarshal(body, &batch) == nil
	}
	if !ok || !isBatch && !json.Valid(body) {
		c.write(failure(nil, ParseError, "the message is not JSON"))
		return
	} else if len(batch) == 0 || len(batch) > maxBatch {
		c.write(failure(nil, InvalidRequest, fmt.Sprintf("a batch has between 1 and %d requests", maxBatch)))
		return
	}
	var calls []func() *answer
	for _, one := range batch {
		if call := c.prepare(ctx, one); call != nil {
			calls = append(calls, call)
		}
	}
	if len(calls) == 0 {
		return
	}
	c.wait(func() bool { return c.pending == 0 || c.pending < maxPending && c.held+len(body) <= maxHeld })
	c.count(1, len(body))
	go func() {
		defer c.count(-1, -len(body))
		answers := []*answer{}
		for _, call := range calls {
			if a := call(); a != nil {
				answers = append(answers, a)
			}
		}
		if isBatch && len(answers) > 0 {
			c.write(answers)
		} else if len(answers) > 0 {
			c.write(answers[0])
		}
	}()
}

func (c *connection) count(requests, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending, c.held = c.pending+requests, c.held+bytes
	c.change.Broadcast()
}

// prepare returns what answers a message; it returns nil for a notification. It is nil itself if there is nothing to do.
func (c *connection) prepare(ctx context.Context, text json.RawMessage) func() *answer {
	var m message
	err := json.Unmarshal(text, &m)
	switch {
	case err == nil && m.Method == nil && (m.Result != nil || m.Error != nil):
		return nil // an answer; nothing was asked here
	case err != nil || m.Method == nil || len(m.ID) > 0 && strings.ContainsRune("{[tf", rune(m.ID[0])):
		return func() *answer { return failure(nil, InvalidRequest, "the message is no request") }
	case *m.Method == "$/cancelRequest":
		c.cancel(m.Params)
		return nil
	}
	if m.ID == nil {
		return func() *answer { _, _ = c.call(ctx, &m); return nil }
	}
	ctx, stop := context.WithCancel(ctx)
	c.mu.Lock()
	c.cancels[string(m.ID)] = stop
	c.mu.Unlock()
	return func() *answer {
		defer stop()
		result, err := c.call(ctx, &m)
		c.mu.Lock()
		delete(c.cancels, string(m.ID))
		c.mu.Unlock()
		return answerOf(ctx, m.ID, result, err)
	}
}

// cancel ends a request that is being answered.
func (c *connection) cancel(params json.RawMessage) {
	var which struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(params, &which) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if stop := c.cancels[string(which.ID)]; stop != nil {
		stop()
	}
}

// call has a request handled. A panic must not end the server.
func (c *connection) call(ctx context.Context, m *message) (result any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			c.Fault(fault, debug.Stack())
			err = &Error{InternalError, fmt.Sprintf("internal error: %v", fault)}
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.Handle(ctx, *m.Method, m.Params)
}

func answerOf(ctx context.Context, to json.RawMessage, result any, err error) *answer {
	var coded *Error
	switch {
	case err == nil:
		return &answer{Version: "2.0", ID: to, Result: result}
	case ctx.Err() != nil:
		return failure(to, Cancelled, "the request was cancelled")
	case errors.As(err, &coded):
		return failure(to, coded.Code, coded.Message)
	}
	return failure(to, Failed, err.Error())
}

func failure(to json.RawMessage, code int, text string) *answer {
	return &answer{Version: "2.0", ID: to, Error: &Error{code, text}}
}

// write writes a message whole. One that nobody reads any more is dropped: the input ends as well.
func (c *connection) write(v any) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		c.Fault(err, debug.Stack())
		return
	}
	text := bytes.TrimSuffix(body.Bytes(), []byte("\n"))
	c.writing.Lock()
	defer c.writing.Unlock()
	_, _ = fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(text), text)
}
