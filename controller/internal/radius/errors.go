package radius

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Error is a request that did not succeed: an answer that says so, or none.
type Error struct {
	Method string
	Path   string
	// Status is the HTTP status; 0 means that there was no answer.
	Status int
	// Detail is what the service said.
	Detail *ServiceError
	// RetryAfter is how long the service asked to wait.
	RetryAfter time.Duration
	// Cause is why there was no answer.
	Cause error
	// Foreign is true if what answered is not Radius, but the API server or a proxy before it.
	Foreign bool
	// Gone is true if Radius says that what the request is for does not exist.
	Gone bool
	// Service is what was asked; "" means Radius.
	Service string

	unrouted bool // Radius does not know the path, or the plane
}

func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s %s: %v", e.Method, e.Path, e.Cause)
	}
	said := e.Detail.Sentence()
	if said == "" {
		said = http.StatusText(e.Status)
	}
	return fmt.Sprintf("%s %s: %d: %s", e.Method, e.Path, e.Status, said)
}

func (e *Error) Unwrap() error { return e.Cause }

// Answered is true if it was Radius that answered.
func (e *Error) Answered() bool { return e.Status != 0 && !e.Foreign }

// Transient is true if the same request may succeed later.
func (e *Error) Transient() bool {
	return e.Foreign || e.unrouted || e.Status == 0 ||
		e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooManyRequests || e.Status >= 500
}

// Throttled is true if the service asked for fewer requests.
func (e *Error) Throttled() bool {
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable
}

// Sentence is what the service said, or why it said nothing.
func (e *Error) Sentence() string {
	service := cmp.Or(e.Service, "Radius")
	if errors.As(e.Cause, new(badAnswer)) {
		return service + " did not answer as it should: " + e.Cause.Error()
	}
	if e.Status == 0 {
		return fmt.Sprintf("%s did not answer: %v", service, e.Cause)
	}
	if e.Foreign {
		return e.foreignSentence()
	}
	if said := e.Detail.Sentence(); said != "" {
		return said
	}
	return fmt.Sprintf("%s answered %d %s", service, e.Status, http.StatusText(e.Status))
}

// StatusOf is the HTTP status of an error, 0 if it has none.
func StatusOf(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Status
	}
	return 0
}

// ServiceError is ARM's error.
type ServiceError struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Target  string          `json:"target"`
	Details []*ServiceError `json:"details"`
}

// maxErrorDepth bounds the nesting of errors that is followed.
const maxErrorDepth = 20

// Sentence is what the innermost errors say: that is where the reason is.
func (e *ServiceError) Sentence() string {
	var said []string
	seen := map[string]bool{}
	e.innermost(0, func(in *ServiceError) {
		text := in.Message
		if text == "" {
			text = in.Code
		} else if in.Code != "" {
			text = in.Code + ": " + text
		}
		if text != "" && !seen[text] {
			seen[text] = true
			said = append(said, text)
		}
	})
	return strings.Join(said, "; ")
}

// Is is true if the error, or one within it, has the code.
func (e *ServiceError) Is(codes ...string) bool {
	if e == nil {
		return false
	}
	for _, code := range codes {
		if strings.EqualFold(e.Code, code) {
			return true
		}
	}
	for _, d := range e.Details {
		if d.Is(codes...) {
			return true
		}
	}
	return false
}

// Transient is true if the error, or one within it, says that the same may succeed soon.
func (e *ServiceError) Transient() bool {
	return e.Is("ServiceUnavailable", "ServerBusy", "TooManyRequests", "Throttled", "RequestTimeout", "GatewayTimeout", "BadGateway",
		"Timeout", "OperationTimedOut", "ResourceProviderTimeout", "RetryableError", "InternalServerError")
}

func (e *ServiceError) innermost(depth int, f func(*ServiceError)) {
	if e == nil || depth > maxErrorDepth {
		return
	}
	found := false
	for _, d := range e.Details {
		if d != nil && (d.Code != "" || d.Message != "" || len(d.Details) > 0) {
			found = true
			d.innermost(depth+1, f)
		}
	}
	if found {
		return
	}
	// A service that passes on the answer of another often holds it as text.
	if inner := parseError([]byte(strings.TrimSpace(e.Message))); inner != nil {
		inner.innermost(depth+1, f)
		return
	}
	f(e)
}

// parseError reads the error in a body, {"error":{…}} or the error itself. It returns nil if there is none.
func parseError(body []byte) *ServiceError {
	if len(body) == 0 || body[0] != '{' {
		return nil
	}
	var wrapped struct {
		Error *ServiceError `json:"error"`
	}
	if json.Unmarshal(body, &wrapped) == nil && wrapped.Error != nil &&
		(wrapped.Error.Code != "" || wrapped.Error.Message != "" || len(wrapped.Error.Details) > 0) {
		return wrapped.Error
	}
	var bare ServiceError
	if json.Unmarshal(body, &bare) == nil && (bare.Message != "" || len(bare.Details) > 0) {
		return &bare
	}
	return nil
}
