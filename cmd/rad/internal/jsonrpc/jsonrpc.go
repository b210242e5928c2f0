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
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Codes of errors, and what is bounded.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	NoMethod       = -32601
	InvalidParams  = -32602
	InternalError  = -32603
	Failed         = -32000 // the method says why
	Cancelled      = -32800

	maxMessage = 64 << 20        // bytes of a message
	maxHeader  = 16 << 10        // bytes of a header
	maxBatch   = 1000            // requests of one message
	maxHeld    = 128             // requests that are held; more are not read. Of a large one each MiB counts as one.
	patience   = 5 * time.Second // for what is being answered when the input ends
)

// Error is an error with a code.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// Server answers requests over one connection.
type Server struct {
	// Handle answers one request. It is called from several goroutines. Params is nil where there are none. An
	// error that is no *Error has the code Failed.
	Handle func(ctx context.Context, method string, params json.RawMessage) (any, error)
	// Fault is told of a panic of Handle.
	Fault func(fault any, stack []byte)
	// Limit is how long Handle may take; 0 is without end. Late is the error of what takes longer.
	Limit time.Duration
	Late  error

	held    chan struct{} // has an element for each request that is held
	working chan struct{} // and for each that Handle is at
	cancels sync.Map      // of the requests that are held, by their ids: context.CancelCauseFunc
	writing sync.Mutex
	out     io.Writer
}

// message is a request, a notification, or an answer of the other side.
type message struct {
	ID                    json.RawMessage // null is one, too
	Method                *string
	Params, Result, Error json.RawMessage
}

type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Serve, which is called once, answers what it reads until the input ends. What has begun by then has some seconds.
// The error says that the input cannot be understood any more, or is that of reading.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.out, s.held, s.working = out, make(chan struct{}, maxHeld), make(chan struct{}, max(4, runtime.GOMAXPROCS(0)))
	ended := make(chan error, 1)
	go func() { ended <- s.read(ctx, bufio.NewReader(in)) }()
	select {
	case err := <-ended:
		patient, stop := context.WithTimeout(ctx, patience)
		defer stop()
		s.hold(patient, maxHeld)
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hold waits until there is room for n requests more.
func (s *Server) hold(ctx context.Context, n int) {
	for range n {
		select {
		case s.held <- struct{}{}:
		case <-ctx.Done():
		}
	}
}

// read reads messages, and begins to answer them.
func (s *Server) read(ctx context.Context, in *bufio.Reader) error {
	for {
		size, err := readHeader(in)
		if err == nil && size > maxMessage {
			s.write(failure(InvalidRequest, fmt.Sprintf("a message of %d bytes; the limit is %d", size, maxMessage)))
			if _, err = io.CopyN(io.Discard, in, size); err == nil {
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
		s.begin(ctx, body.Bytes())
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
func (s *Server) begin(ctx context.Context, body []byte) {
	batch, isBatch := []json.RawMessage{body}, bytes.HasPrefix(bytes.TrimSpace(body), []byte("["))
	if !json.Valid(body) || isBatch && json.Unmarshal(body, &batch) != nil {
		s.write(failure(ParseError, "the message is not JSON"))
		return
	} else if len(batch) == 0 || len(batch) > maxBatch {
		s.write(failure(InvalidRequest, fmt.Sprintf("a batch has between 1 and %d requests", maxBatch)))
		return
	}
	calls := make([]func() *answer, len(batch))
	for i, one := range batch {
		calls[i] = s.prepare(ctx, one)
	}
	places := 1 + len(body)>>20
	s.hold(ctx, places)
	go func() {
		var answers []*answer
		for _, call := range calls {
			if a := call(); a != nil {
				answers = append(answers, a)
			}
		}
		if isBatch && len(answers) > 0 {
			s.write(answers)
		} else if len(answers) > 0 {
			s.write(answers[0])
		}
		for range places {
			<-s.held
		}
	}()
}

// prepare returns what answers a message; nothing is answered to a notification.
func (s *Server) prepare(ctx context.Context, text json.RawMessage) func() *answer {
	var m message
	err := json.Unmarshal(text, &m)
	id := string(m.ID)
	switch {
	case err == nil && m.Method == nil && (m.Result != nil || m.Error != nil):
		return nothing // an answer; nothing was asked here
	case err != nil || m.Method == nil || id != "" && strings.Contains("{[tf", id[:1]):
		return func() *answer { return failure(InvalidRequest, "the message is no request") }
	case *m.Method == "$/cancelRequest":
		var which message
		_ = json.Unmarshal(m.Params, &which)
		if stop, ok := s.cancels.Load(string(which.ID)); ok {
			stop.(context.CancelCauseFunc)(&Error{Cancelled, "the request was cancelled"})
		}
		return nothing
	}
	ctx, stop := context.WithCancelCause(ctx)
	if id != "" {
		s.cancels.Store(id, stop)
	}
	return func() *answer {
		defer stop(nil)
		result, err := s.call(ctx, stop, &m)
		if id == "" {
			return nil
		}
		s.cancels.Delete(id)
		a := &answer{Version: "2.0", ID: m.ID, Result: result}
		if err != nil && !errors.As(err, &a.Error) {
			a.Error = &Error{Failed, err.Error()}
		}
		return a
	}
}

// call has a request handled. A panic must not end the server, and work that looks at no context is not waited for.
func (s *Server) call(ctx context.Context, stop context.CancelCauseFunc, m *message) (json.RawMessage, error) {
	select {
	case s.working <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if s.Limit > 0 {
		defer time.AfterFunc(s.Limit, func() { stop(s.Late) }).Stop()
	}
	var text json.RawMessage
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if fault := recover(); fault != nil {
				s.Fault(fault, debug.Stack())
				err = &Error{InternalError, fmt.Sprintf("internal error: %v", fault)}
			}
			<-s.working
			done <- err
		}()
		var result any
		if result, err = s.Handle(ctx, *m.Method, m.Params); err == nil {
			text, err = json.Marshal(result)
		} else if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}()
	select {
	case err := <-done:
		return text, err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func nothing() *answer { return nil }

// failure answers what has no id that can be told.
func failure(code int, text string) *answer {
	return &answer{Version: "2.0", Error: &Error{code, text}}
}

// write writes a message whole. One that nobody reads any more is dropped: the input ends as well.
func (s *Server) write(v any) {
	text, _ := json.Marshal(v) // it holds texts, numbers and JSON
	s.writing.Lock()
	defer s.writing.Unlock()
	_, _ = fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(text), text)
}
