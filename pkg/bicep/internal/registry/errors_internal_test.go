package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// TestDisplay: a text of a registry is short in a message, and says nothing to a terminal.
func TestDisplay(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", maxMessage)
	for text, want := range map[string]string{
		"":               "",
		"as it is: ünï…": "as it is: ünï…",
		"a\tb\nc\rd":     "a b c d",
		"\x1b[31m\a\x7f": "?[31m??",
		"a\u202eb":       "a?b", // from right to left
		"a\u200bb":       "a?b", // no width
		"a\u2028b":       "a?b", // a line
		"a\u2029b":       "a?b", // a paragraph
		"a\xffb":         "a?b",
		long:             long,
		long + "x":       long + "…",
		long + "\n":      long + "…",
	} {
		assert.Equal(t, want, display(text), "%q", text)
	}
}

// answered is an answer of a host with a status.
func answered(host string, status int, message, wait string) error {
	return fmt.Errorf("asked: %w", &statusError{status, message, wait, host})
}

// TestMessages are what a user is told about a registry that did not do what was asked, and whether
// asking again later may help.
func TestMessages(t *testing.T) {
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"} {
		t.Setenv(name, "")
	}
	get := func(address string, err error) error { return &url.Error{Op: "Get", URL: address, Err: err} }
	const a, docker, azure = "r.example", "docker.io", "acme.azurecr.io"
	for _, c := range []struct {
		err       error
		host      string
		want      string
		temporary bool
	}{
		{answered(a, 401, "go away", "9"), a, "r.example refused access (status 401) with nothing; 'docker login r.example' gives it credentials", false},
		{answered(a, 403, "", ""), a, "r.example refused access (status 403) with nothing; 'docker login r.example' gives it credentials", false},
		{answered(azure, 401, "", ""), azure, "acme.azurecr.io refused access (status 401) with nothing; 'az login' or 'az acr login --name acme' gives it credentials", false},
		{answered("t.example", 401, "", ""), a, "t.example, to which r.example leads, refused access (status 401) with nothing; 'docker login r.example' gives it credentials", false},
		{answered(a, 404, "", ""), a, "r.example has no such artifact (status 404), with nothing", false},
		{answered(a, 404, "manifest unknown", ""), a, "r.example has no such artifact (status 404), with nothing: manifest unknown", false},
		{answered("t.example", 404, "", ""), a, "t.example, to which r.example leads, answered with status 404", false},
		{answered("", 404, "", ""), a, "r.example has no such artifact (status 404), with nothing", false},
		{answered("R.EXAMPLE:443", 404, "", ""), a, "r.example has no such artifact (status 404), with nothing", false},
		{answered("registry-1.docker.io", 404, "", ""), docker, "docker.io has no such artifact (status 404), with nothing", false},
		{answered("auth.docker.io", 404, "", ""), docker, "auth.docker.io, to which docker.io leads, answered with status 404", false},
		{answered("registry-1.docker.io", 404, "", ""), a, "registry-1.docker.io, to which r.example leads, answered with status 404", false},
		{answered(a, 400, "bad\nname", ""), a, "r.example answered with status 400: bad name", false},
		{answered(a, 408, "", ""), a, "r.example answered with status 408", true},
		{answered(a, 429, "slow", "90"), a, "r.example answered with status 429 and wants to be asked again in 1m30s: slow", true},
		{answered(a, 499, "", ""), a, "r.example answered with status 499", false},
		{answered(a, 500, "", ""), a, "r.example answered with status 500", true},
		{answered(a, 503, "", "after\tlunch"), a, "r.example answered with status 503 and wants to be asked again: after lunch", true},
		{get("https://r.example/v2/", io.ErrUnexpectedEOF), a, "r.example broke off in the middle of its answer: unexpected EOF", true},
		{get("https://t.example/v2/", io.ErrUnexpectedEOF), a, "t.example, to which r.example leads, broke off in the middle of its answer: unexpected EOF", true},
		{get("https://t.example/", &ruleError{"it does that"}), a, "the registry r.example is not followed: it does that", false},
		{context.DeadlineExceeded, a, "r.example took too long", true},
		{get("https://t.example:444/", context.DeadlineExceeded), a, "t.example:444, to which r.example leads, took too long", true},
		{get("https://r.example/", &net.DNSError{Err: "no such host", Name: "x"}), a, "the host r.example is not known", true},
		{get("https://t.example:444/?sig=s3cret", &net.DNSError{Err: "no such host"}), a, "the host t.example, to which r.example leads, is not known", true},
		{get("https://r.example/?sig=s3cret", &net.OpError{Op: "dial", Err: errors.New("connection\nrefused")}), a, "r.example cannot be reached: connection refused", true},
		{get("https://t.example/?sig=s3cret", errors.New("odd\x1b")), a, "t.example, to which r.example leads: odd?", true},
		{errors.New("odd"), a, "r.example: odd", true},
		{get(":", errors.New("odd")), a, "r.example: odd", true},
	} {
		err := explain(c.err, c.host, "nothing")
		assert.EqualError(t, err, c.want)
		var network *report.NetworkError
		require.ErrorAs(t, err, &network, c.want)
		assert.Equal(t, c.temporary, network.Temporary, c.want)
		assert.Equal(t, errors.Is(c.err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrUnexpectedEOF), c.want)
	}
	for _, err := range []error{nil, context.Canceled, &contentError{"it has 1 byte"}} {
		assert.Equal(t, err, explain(err, a, "nothing"), "it is said elsewhere")
	}
}

// TestMessagesNameTheProxy: what cannot be reached may be the proxy.
func TestMessagesNameTheProxy(t *testing.T) {
	if os.Getenv("REGISTRY_TEST_PROXY") == "" {
		// The proxy of the environment is read once in a process.
		runAlone(t, "REGISTRY_TEST_PROXY=1", "HTTPS_PROXY=http://me:s3cret@proxy.example:3128", "NO_PROXY=direct.example")
		return
	}
	unknown := func(host string) string {
		return explain(&url.Error{URL: "https://" + host + "/", Err: &net.DNSError{}}, host, "").Error()
	}
	closed := func(host string) string {
		return explain(&url.Error{URL: "https://" + host + "/", Err: &net.OpError{Err: errors.New("refused")}}, host, "").Error()
	}
	assert.Equal(t, "the host r.example is not known by way of the proxy proxy.example:3128", unknown("r.example"))
	assert.Equal(t, "r.example:444 cannot be reached by way of the proxy proxy.example:3128: refused", closed("r.example:444"))
	assert.Equal(t, "direct.example cannot be reached: refused", closed("direct.example"))
	assert.Equal(t, "localhost:1 cannot be reached: refused", closed("localhost:1"))
}

// TestStatusOf: the status of an answer is known through the errors around it.
func TestStatusOf(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]bool{400: false, 401: true, 402: false, 403: true, 404: true, 405: false, 500: false} {
		err := answered("r.example", status, "", "")
		assert.Equal(t, status, statusOf(err))
		assert.Equal(t, want, refused(err), "credentials may help against %d", status)
	}
	assert.Zero(t, statusOf(errors.New("odd")))
	assert.Zero(t, statusOf(nil))
	assert.False(t, refused(errors.New("odd")))
	assert.EqualError(t, &statusError{status: 418, message: "s3cret"}, "status 418")
}
