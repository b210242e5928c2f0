package check

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func resource(typ, body string) Input {
	return Input{Resource: Resource{ID: "/r", Type: typ, Exists: true, Readable: true, Body: []byte(body)}}
}

func TestTheDefaultCheck(t *testing.T) {
	t.Parallel()
	r := NewRegistry()
	for body, passes := range map[string]bool{
		`{}`: true, `{"properties":{}}`: true, `{"properties":{"provisioningState":"succeeded"}}`: true,
		`{"properties":{"provisioningState":"Updating"}}`: false, `{"properties":{"provisioningState":"Failed"}}`: false,
	} {
		result, err := r.Run(context.Background(), resource("A/b", body))
		require.NoError(t, err)
		require.Equal(t, passes, result.Passed(), body)
		if !passes {
			require.Equal(t, "ResourceNotReady", result.Reason())
			require.Contains(t, result.Message(), "/r")
		}
	}
	result, err := r.Run(context.Background(), Input{Resource: Resource{ID: "/r", Readable: true}})
	require.NoError(t, err)
	require.False(t, result.Passed())
	result, err = r.Run(context.Background(), Input{Resource: Resource{ID: "/r"}})
	require.NoError(t, err)
	require.True(t, result.Passed(), "what cannot be read cannot be judged")
	_, err = r.Run(context.Background(), resource("A/b", `not JSON`))
	require.Error(t, err)
}

func TestTheChain(t *testing.T) {
	t.Parallel()
	r := NewRegistry()
	var order []string
	note := func(name string) Func {
		return func(ctx context.Context, in Input, next Next) (Result, error) {
			order = append(order, name)
			return next(ctx, in)
		}
	}
	r.Add("a/B", note("first"))
	r.Add("A/b", note("second"))
	r.Add("*", note("all"))
	r.Add("A/other", note("other"))
	result, err := r.Run(context.Background(), resource("A/B", `{}`))
	require.NoError(t, err)
	require.True(t, result.Passed())
	require.Equal(t, []string{"all", "first", "second"}, order)

	r.Add("X/panics", Func(func(context.Context, Input, Next) (Result, error) { panic("oh") }))
	_, err = r.Run(context.Background(), resource("X/panics", `{}`))
	require.ErrorContains(t, err, "panicked: oh")
	r.Add("X/errs", Func(func(context.Context, Input, Next) (Result, error) { return Result{}, errors.New("no") }))
	_, err = r.Run(context.Background(), resource("X/errs", `{}`))
	require.EqualError(t, err, "no")
	r.Add("X/fails", Func(func(context.Context, Input, Next) (Result, error) { return Failure("", "why"), nil }))
	result, err = r.Run(context.Background(), resource("X/fails", `{}`))
	require.NoError(t, err)
	require.NotEmpty(t, result.Reason(), "a condition needs a reason")
}

func TestPrivateEndpoint(t *testing.T) {
	t.Parallel()
	r := NewRegistry()
	body := func(state, kind string) Input {
		return resource("Microsoft.Network/privateEndpoints", `{"properties":{"provisioningState":"Succeeded","`+kind+`":[{"name":"sql","properties":{"privateLinkServiceConnectionState":{"status":"`+state+`","description":"please approve"}}}]}}`)
	}
	for state, reason := range map[string]string{"Approved": "", "": "", "Pending": "ConnectionPending", "Rejected": "ConnectionNotApproved"} {
		for _, kind := range []string{"privateLinkServiceConnections", "manualPrivateLinkServiceConnections"} {
			result, err := r.Run(context.Background(), body(state, kind))
			require.NoError(t, err)
			require.Equal(t, reason, result.Reason(), state)
			if reason != "" {
				require.Contains(t, result.Message(), "please approve")
			}
		}
	}
	for state, want := range map[string]Severity{"Approved": 0, "Pending": Warning, "Rejected": Error, "Disconnected": Error} {
		result, err := r.Run(context.Background(), body(state, "privateLinkServiceConnections"))
		require.NoError(t, err)
		require.Equal(t, want, result.Severity(), state)
	}
	// One that cannot be read is not known to be ready.
	hidden := Input{Resource: Resource{ID: "/r", Type: "Microsoft.Network/privateEndpoints", Problem: "Radius has no access"}}
	unknown, err := r.Run(context.Background(), hidden)
	require.NoError(t, err)
	require.Equal(t, "ResourceNotReadable", unknown.Reason())
	require.Equal(t, Info, unknown.Severity())
	require.Contains(t, unknown.Message(), "Radius has no access")
	result, err := r.Run(context.Background(), resource("microsoft.network/privateendpoints", `{"properties":{"provisioningState":"Updating"}}`))
	require.NoError(t, err)
	require.Equal(t, "ResourceNotReady", result.Reason())
}

// A resource whose type has a check, and that cannot be read, passes only if the check says so itself.
func TestWhatCannotBeReadIsUnknown(t *testing.T) {
	t.Parallel()
	r := NewRegistry()
	r.Add("A/next", Func(func(ctx context.Context, in Input, next Next) (Result, error) { return next(ctx, in) }))
	r.Add("A/knows", Func(func(context.Context, Input, Next) (Result, error) { return Success(), nil }))
	r.Add("A/severe", Func(func(context.Context, Input, Next) (Result, error) { return Unknown("Why", "").WithSeverity(99), nil }))
	for typ, want := range map[string]Severity{"A/next": Info, "A/knows": 0, "A/severe": Error, "A/none": 0} {
		result, err := r.Run(context.Background(), Input{Resource: Resource{ID: "/r", Type: typ}})
		require.NoError(t, err)
		require.Equal(t, want, result.Severity(), typ)
	}
	require.Zero(t, Success().WithSeverity(Error).Severity())
}
