package registry

import (
	"encoding/base64"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// A registry knows the credential that it was given, and may send it back: as a digest, a type, a tag,
// or in words. A message that quotes the registry goes to a log that others read. So texts that come
// from a registry are shown without the credentials of this run.

// shortest is the length from which a secret is looked for. Shorter ones are in many words.
const shortest = 4

// hiddenSecret stands where a credential was.
const hiddenSecret = "(credential)"

// Hide returns an error whose text, which may quote what the client fetched, shows no credential.
func (c *Client) Hide(err error) error { return c.hide(err) }

// hide returns an error whose text shows no credential.
func (c *Client) hide(err error) error {
	if err == nil {
		return nil
	}
	hidden := c.hideText(err.Error())
	if network, ok := errors.AsType[*report.NetworkError](err); ok {
		network.Text = c.hideText(network.Text)
	}
	if hidden == err.Error() {
		return err
	}
	return &hiddenError{hidden, err}
}

type hiddenError struct {
	text string
	err  error
}

func (e *hiddenError) Error() string { return e.text }
func (e *hiddenError) Unwrap() error { return e.err }

// hideText returns a text without the credentials of this run.
func (c *Client) hideText(text string) string {
	for _, s := range c.secrets() {
		text = strings.ReplaceAll(text, s, hiddenSecret)
	}
	return text
}

// secrets returns the credentials of this run in the forms in which they are sent, the longest first.
func (c *Client) secrets() []string {
	c.mu.Lock()
	hosts := slices.Collect(maps.Values(c.hosts))
	c.mu.Unlock()
	var list []string
	add := func(texts ...string) {
		for _, s := range texts {
			for _, form := range []string{s, url.QueryEscape(s), base64.StdEncoding.EncodeToString([]byte(s)), display(s)} {
				if len(s) >= shortest && !slices.Contains(list, form) {
					list = append(list, form)
				}
			}
		}
	}
	for _, h := range hosts {
		s := h.secret()
		add(s.Password, s.RefreshToken, s.AccessToken)
		if s.Password != "" {
			add(s.Username + ":" + s.Password)
		}
		for _, one := range []*session{h.anonymous, h.identity} {
			one.mu.Lock()
			for _, header := range one.tokens {
				_, token, _ := strings.Cut(header, " ")
				add(token)
			}
			one.mu.Unlock()
		}
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}
