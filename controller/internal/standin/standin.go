// Package standin is what the stand-ins of Radius and of Azure have in common: requests that are recorded, faults, and answers.
package standin

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// Request is a request that was recorded.
type Request struct {
	At                              time.Time
	Method, Host, Path, Query, Body string
	Status                          int // of the answer; 0 if there was none
	Header                          http.Header
}

// Fault is what goes wrong with a request.
type Fault struct {
	// Status is answered in place of doing what was asked. With After it is answered after it was done.
	Status     int
	Body       string
	RetryAfter string
	// Drop breaks the connection.
	Drop bool
	// After means that what was asked is done first.
	After bool
	// Delay is waited before anything else.
	Delay time.Duration
}

// Made is a resource as it is.
type Made struct {
	Version  string
	By       string // the ID of the deployment that made it so
	Contents string // what that declares, with the values of its parameters
	Going    bool   // it is being deleted
}

// Log is the requests so far.
type Log []Request

// Find are the requests whose method and path contain the given texts.
func (l Log) Find(method, path string) []Request {
	var found []Request
	for _, r := range l {
		if (method == "" || r.Method == method) && strings.Contains(strings.ToLower(r.Path), strings.ToLower(path)) {
			found = append(found, r)
		}
	}
	return found
}

// Answer records a request and answers it with what do writes, or with the fault that there is.
func (l *Log) Answer(r Request, fault *Fault, do func(w *httptest.ResponseRecorder)) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	spoilt := fault != nil && (fault.Status != 0 || fault.Drop)
	if !spoilt || fault.After {
		do(w)
	}
	if spoilt {
		w = httptest.NewRecorder()
		if fault.RetryAfter != "" {
			w.Header().Set("Retry-After", fault.RetryAfter)
		}
		if fault.Status != 0 {
			w.WriteHeader(fault.Status)
			_, _ = w.WriteString(fault.Body)
		}
	}
	if fault == nil || !fault.Drop {
		r.Status = w.Code
	}
	*l = append(*l, r)
	return w
}

// Response is what comes back without a network.
func Response(w *httptest.ResponseRecorder, fault *Fault, r *http.Request) (*http.Response, error) {
	if fault != nil && fault.Drop {
		return nil, io.ErrUnexpectedEOF
	}
	res := w.Result()
	res.Request = r
	return res, nil
}

// Reply answers with JSON.
func Reply(w *httptest.ResponseRecorder, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if v != nil {
		_ = json.NewEncoder(w).Encode(v)
	}
}

// Problem is an error in ARM's form.
func Problem(code, message string) map[string]any {
	return map[string]any{"error": map[string]any{"code": code, "message": message}}
}
