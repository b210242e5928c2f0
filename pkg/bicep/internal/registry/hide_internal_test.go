package registry

import (
	"errors"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// TestHiding: no form of a credential of this run is in a text, and other texts stay as they are.
func TestHiding(t *testing.T) {
	t.Parallel()
	c := New(Options{})
	h := c.host("r.example", false)
	h.cred.secret = secret{Username: "user", Password: "pa ss/w", RefreshToken: "refresh", AccessToken: "access"}
	h.anonymous.tokens["a"] = "Bearer strange"
	h.identity.tokens["b"] = "Bearer identity"
	h.identity.tokens[""] = "Basic encoded="
	other := c.host("s.example", false)
	other.cred.secret = secret{Password: "four", RefreshToken: "abc"}
	for text, want := range map[string]string{
		"as it is, user":                         "as it is, user",
		"pa ss/w":                                "(credential)",
		"user:pa ss/w":                           "(credential)",
		"x" + url.QueryEscape("pa ss/w") + "y":   "x(credential)y",
		encoded("pa ss/w"):                       "(credential)",
		encoded("user:pa ss/w"):                  "(credential)",
		"refresh, access":                        "(credential), (credential)",
		"strange and identity, identity":         "(credential) and (credential), (credential)",
		"encoded=":                               "(credential)",
		"a text of four letters":                 "a text of (credential) letters",
		"abc and Bearer":                         "abc and Bearer", // three letters are in many words
		encoded("user:other") + encoded("other"): encoded("user:other") + encoded("other"),
	} {
		assert.Equal(t, want, c.hideText(text), text)
		err := errors.New(text)
		hidden := c.Hide(err)
		assert.EqualError(t, hidden, want)
		require.ErrorIs(t, hidden, err)
	}
	require.NoError(t, c.Hide(nil))
	network := &report.NetworkError{Text: "it says refresh", Temporary: true}
	hidden := c.Hide(fmt.Errorf("asked: %w", network))
	require.EqualError(t, hidden, "asked: it says (credential)")
	var got *report.NetworkError
	require.ErrorAs(t, hidden, &got)
	assert.Equal(t, &report.NetworkError{Text: "it says (credential)", Temporary: true}, got)
	// Of two of which one begins the other, the longer one is taken out as a whole.
	other.cred.secret = secret{Password: "identityless"}
	assert.Equal(t, "(credential)", c.hideText("identityless"))
	// One with characters that messages show otherwise is found as they show it.
	other.cred.secret = secret{Password: "pass\x1bword"}
	assert.Equal(t, "(credential)", c.hideText(display("pass\x1bword")))
}
