package radius

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/radbicep/rad/controller/internal/resourceid"
)

// answer is what came back with a status below 300, in the form that Radius' answers have: nothing, or JSON.
type answer struct {
	status     int
	header     http.Header
	body       []byte
	retryAfter time.Duration
}

// read reads what came back for a path. Between Radius and the controller are the API server and proxies, which answer
// too. Their answers say nothing of what Radius holds, so all that has not the form of Radius' is Foreign.
func read(method, path string, res *http.Response, body []byte, now time.Time) (*answer, error) {
	after := retryAfter(res.Header.Get("Retry-After"), now)
	body = bytes.TrimSpace(body)
	if res.StatusCode < 300 {
		if len(body) > 0 && !json.Valid(body) {
			return nil, &Error{Method: method, Path: path, Status: res.StatusCode, RetryAfter: after, Foreign: true, Detail: glimpse(body)}
		}
		return &answer{status: res.StatusCode, header: res.Header, body: body, retryAfter: after}, nil
	}
	e := &Error{Method: method, Path: path, Status: res.StatusCode, RetryAfter: after}
	if e.Detail = armError(body); e.Detail == nil {
		e.Foreign, e.Detail = true, glimpse(body)
		if res.StatusCode < 400 {
			e.Detail = &ServiceError{Message: "a redirect, which is not followed"}
		}
		return nil, e
	}
	if res.StatusCode == http.StatusNotFound {
		e.unrouted = isUnrouted(e.Detail)
		e.Gone = !e.unrouted && saysGone(e.Detail, unescaped(path))
	}
	return nil, e
}

// unescaped is a path as IDs are written.
func unescaped(path string) string {
	if text, err := url.PathUnescape(path); err == nil {
		return text
	}
	return path
}

// Gone is true if an error is Radius' word that what was asked for does not exist.
func Gone(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Gone
}

// armError reads the error of ARM in a body: {"error":{…}}. It returns nil if there is none.
func armError(body []byte) *ServiceError {
	var b struct {
		Error *ServiceError `json:"error"`
	}
	if json.Unmarshal(body, &b) != nil || b.Error == nil || b.Error.Code == "" && b.Error.Message == "" && len(b.Error.Details) == 0 {
		return nil
	}
	return b.Error
}

var missingPlane = regexp.MustCompile(`plane "[^"]*" not found`)

// isUnrouted is true of a 404 with which UCP says that it knows no such path, or no such plane. Both say nothing of a resource.
func isUnrouted(e *ServiceError) bool {
	return strings.HasPrefix(e.Message, "The request '") && strings.HasSuffix(e.Message, " is invalid.") ||
		missingPlane.MatchString(e.Message)
}

// saysGone is true if the error of a 404 says that what an ID names does not exist.
func saysGone(e *ServiceError, id string) bool {
	parsed, err := resourceid.Parse(id)
	switch {
	case e.Is("InvalidResourceType"): // it names the type
		return false
	case err == nil && parsed.Plane() == resourceid.Azure:
		// UCP says NotFound where it has no plane for Azure. These are ARM's own.
		return e.Is("ResourceNotFound", "ResourceGroupNotFound", "ParentResourceNotFound")
	}
	for _, said := range []string{e.Target, e.Message} {
		said = strings.ToLower(said)
		name := strings.ToLower(id[strings.LastIndex(id, "/")+1:])
		if strings.Contains(said, strings.ToLower(id)) || strings.Contains(said, "'"+name+"'") || strings.Contains(said, `"`+name+`"`) {
			return true
		}
	}
	return false
}

// isFor returns an error if an answer is not what an ID names.
func (a *answer) isFor(method, id string) error {
	if got := idOf(a.body); !strings.EqualFold(withoutPlane(got), withoutPlane(id)) {
		what := "what it answered has no id"
		if got != "" {
			what = "what it answered is " + got
		}
		return &Error{Method: method, Path: id, Cause: badAnswer(what)}
	}
	return nil
}

// withoutPlane is an ID of Azure as Azure writes it.
func withoutPlane(id string) string {
	id = unescaped(id)
	const plane = "/planes/azure/azurecloud/subscriptions/"
	if len(id) > len(plane) && strings.EqualFold(id[:len(plane)], plane) {
		return id[len(plane)-len("/subscriptions/"):]
	}
	return strings.TrimRight(id, "/")
}

var tags = regexp.MustCompile(`(?s)<(script|style|head)\b.*?</(script|style|head)>|<[^>]*>`)

// glimpse is what an answer says that is not Radius': the message of a Status of Kubernetes, or the beginning of the text.
func glimpse(body []byte) *ServiceError {
	var status struct{ Kind, Message string }
	if json.Unmarshal(body, &status) == nil && status.Kind == "Status" {
		return &ServiceError{Message: "a Status of Kubernetes: " + status.Message}
	}
	text := strings.Join(strings.Fields(tags.ReplaceAllString(string(body[:min(len(body), 4096)]), " ")), " ")
	if text == "" {
		return nil
	}
	if cut := []rune(text); len(cut) > 120 {
		text = string(cut[:120]) + " …"
	}
	return &ServiceError{Message: text}
}

// foreignSentence says what an answer was that is not Radius'.
func (e *Error) foreignSentence() string {
	text := fmt.Sprintf("what answered is not %s: %d %s", cmp.Or(e.Service, "Radius"), e.Status, http.StatusText(e.Status))
	if e.Detail != nil {
		text += ", " + e.Detail.Message
	}
	return text
}
