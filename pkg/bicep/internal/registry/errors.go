package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// display makes a text that a registry chose fit for a message: short, and without
// characters that a terminal would obey.
func display(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n == maxMessage {
			b.WriteString("…")
			break
		}
		n++
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) ||
			unicode.Is(unicode.Zp, r) || r == unicode.ReplacementChar:
			b.WriteByte('?')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// statusOf returns the status that a registry answered with, or 0.
func statusOf(err error) int {
	if answer, ok := errors.AsType[*statusError](err); ok {
		return answer.status
	}
	return 0
}

// refused reports whether credentials may help.
func refused(err error) bool {
	switch statusOf(err) {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return true // registries hide what is private behind 404
	}
	return false
}

// plainURLError leaves the URL out of an error: its query may hold a signature.
func plainURLError(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// explain says in words why a registry did not answer a request as expected. host is
// the one that was asked, tried what was given to it.
func explain(err error, host, tried string) error {
	var content *contentError
	if err == nil || errors.Is(err, context.Canceled) || errors.As(err, &content) {
		return err
	}
	var rule *ruleError
	status := statusOf(err)
	temporary := status == 0 || status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
	f := &report.NetworkError{Text: inWords(err, host, tried).Error(), Temporary: temporary}
	switch {
	case errors.As(err, &rule):
		f.Temporary = false
	case errors.Is(err, io.ErrUnexpectedEOF):
		f.Err = io.ErrUnexpectedEOF
	case status == http.StatusNotFound:
		f.Err = errGone
	}
	return f
}

// errGone says that a registry has no such artifact.
var errGone = errors.New("there is no such artifact")

// inWords is the text of explain.
func inWords(err error, host, tried string) error {
	var rule *ruleError
	var answer *statusError
	var dns *net.DNSError
	registry := host
	host, led := asked(err, registry)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s%s broke off in the middle of its answer: %w", host, led, io.ErrUnexpectedEOF)
	case errors.As(err, &rule):
		return fmt.Errorf("the registry %s is not followed: %w", registry, rule)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s%s took too long", host, led)
	case statusOf(err) == http.StatusUnauthorized, statusOf(err) == http.StatusForbidden:
		return fmt.Errorf("%s%s refused access (status %d) with %s; %s", host, led, statusOf(err), tried, loginHint(registry))
	case errors.As(err, &answer):
		text := fmt.Sprintf("%s%s answered with status %d", host, led, answer.status)
		if answer.status == http.StatusNotFound && led == "" {
			text = fmt.Sprintf("%s has no such artifact (status 404), with %s", host, tried)
		}
		if seconds, err := strconv.Atoi(answer.wait); err == nil {
			text += fmt.Sprintf(" and wants to be asked again in %v", time.Duration(seconds)*time.Second)
		} else if answer.wait != "" {
			text += fmt.Sprintf(" and wants to be asked again: %s", display(answer.wait))
		}
		if answer.message != "" {
			text += ": " + display(answer.message)
		}
		return errors.New(text)
	case errors.As(err, &dns):
		return fmt.Errorf("the host %s%s is not known%s", hostname(host), led, viaProxy(host))
	}
	if failed, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("%s%s cannot be reached%s: %s", host, led, viaProxy(host), display(failed.Err.Error()))
	}
	return fmt.Errorf("%s%s: %s", host, strings.TrimSuffix(led, ","), display(plainURLError(err).Error()))
}

// asked returns the host that an error is about: the registry, or one that it named as its token
// server or redirected to. led then says so.
func asked(err error, registry string) (host, led string) {
	var answer *statusError
	var failed *url.Error
	switch {
	case errors.As(err, &answer):
		host = answer.host
	case errors.As(err, &failed):
		if u, e := url.Parse(failed.URL); e == nil {
			host = u.Host
		}
	}
	if host == "" || strings.EqualFold(hostname(host), hostname(registry)) ||
		hostname(registry) == "docker.io" && hostname(host) == "registry-1.docker.io" {
		return registry, ""
	}
	return display(host), ", to which " + registry + " leads,"
}

func viaProxy(host string) string {
	if p := proxyFor(host); p != "" {
		return " by way of the proxy " + p
	}
	return ""
}

func loginHint(host string) string {
	if azureCloud(host) != "" {
		name, _, _ := strings.Cut(hostname(host), ".")
		return fmt.Sprintf("'az login' or 'az acr login --name %s' gives it credentials", name)
	}
	return fmt.Sprintf("'docker login %s' gives it credentials", host)
}
