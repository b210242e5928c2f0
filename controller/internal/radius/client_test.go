package radius

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/controller/internal/resourceid"
)

// answers is a transport that gives answers in turn, and records the requests.
type answers struct {
	give []http.Response
	errs []error
	seen []*http.Request
}

func answerOf(status int, body string, headers ...string) http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	i := len(a.seen)
	a.seen = append(a.seen, r)
	if i < len(a.errs) && a.errs[i] != nil {
		return nil, a.errs[i]
	}
	res := a.give[i]
	res.Request = r
	return &res, nil
}

func clientOf(t *testing.T, give ...http.Response) (*Client, *answers) {
	t.Helper()
	a := &answers{give: give}
	c, err := New(Options{Endpoint: "https://api.example:6443/apis/api.ucp.dev/v1alpha3/", Transport: a, Timeout: time.Second})
	require.NoError(t, err)
	return c, a
}

const deploymentID = "/planes/radius/local/resourceGroups/g/providers/Microsoft.Resources/deployments/d"

func TestWhereOperationsAreAsked(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		headers []string
		token   string
		asked   string
	}{
		"another host":  {[]string{"Azure-AsyncOperation", "http://ucp.pod:9443/planes/radius/local/op?api-version=1&t=a%2Fb"}, "status:/planes/radius/local/op?api-version=1&t=a%2Fb", "https://api.example:6443/apis/api.ucp.dev/v1alpha3/planes/radius/local/op?api-version=1&t=a%2Fb"},
		"with the base": {[]string{"Location", "https://evil.example/apis/api.ucp.dev/v1alpha3/planes/aws/aws/op"}, "location:/planes/aws/aws/op", "https://api.example:6443/apis/api.ucp.dev/v1alpha3/planes/aws/aws/op"},
		"both":          {[]string{"Location", "/planes/x/l", "Azure-AsyncOperation", "/planes/x/s"}, "status:/planes/x/s", "https://api.example:6443/apis/api.ucp.dev/v1alpha3/planes/x/s"},
		"other paths":   {[]string{"Location", "http://h/operations/1"}, "location:/operations/1", "https://api.example:6443/apis/api.ucp.dev/v1alpha3/operations/1"},
		"dots":          {[]string{"Location", "http://h/planes/../../secrets"}, DeploymentToken(deploymentID), "https://api.example:6443/apis/api.ucp.dev/v1alpha3" + deploymentID + "?api-version=2020-10-01"},
	} {
		c, a := clientOf(t, answerOf(201, `{"id":"/d","properties":{"provisioningState":"Running"}}`, tt.headers...), answerOf(200, `{"id":"/d","status":"Running","properties":{"provisioningState":"Running"}}`))
		p, err := c.PutDeployment(context.Background(), deploymentID, []byte(`{}`))
		require.NoError(t, err, name)
		require.Equal(t, tt.token, p.Token, name)
		_, err = c.Poll(context.Background(), p.Token)
		require.NoError(t, err, name)
		require.Equal(t, tt.asked, a.seen[1].URL.String(), name)
	}
}

func TestPoll(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		token  string
		answer http.Response
		want   State
		says   string
		fails  bool
	}{
		"running":              {"status:/planes/op", answerOf(200, `{"status":"Provisioning"}`), Running, "", false},
		"accepted":             {"status:/planes/op", answerOf(202, ``), Running, "", false},
		"done":                 {"status:/planes/op", answerOf(200, `{"status":"succeeded"}`), Succeeded, "", false},
		"no content":           {"status:/planes/op", answerOf(204, ``), Succeeded, "", false},
		"failed":               {"status:/planes/op", answerOf(200, `{"status":"Failed","error":{"code":"A","message":"outer","details":[{"code":"B","message":"inner"}]}}`), Failed, "B: inner", false},
		"canceled":             {"status:/planes/op", answerOf(200, `{"status":"Canceled"}`), Failed, "", false},
		"says nothing":         {"status:/planes/op", answerOf(200, ``), Lost, "", false},
		"lost":                 {"status:/planes/op", answerOf(404, `{"error":{"code":"NotFound","message":"no such operation"}}`), Lost, "", false},
		"throttled":            {"status:/planes/op", answerOf(429, ``), Running, "", true},
		"broken":               {"status:/planes/op", answerOf(500, ``), Running, "", true},
		"location runs":        {"location:/planes/op", answerOf(202, ``), Running, "", false},
		"location done":        {"location:/planes/op", answerOf(200, `{"id":"/d"}`), Succeeded, "", false},
		"location without end": {"location:/planes/op", answerOf(200, `{}`), Lost, "", false},
		"location no content":  {"location:/planes/op", answerOf(204, ``), Succeeded, "", false},
		"location failed":      {"location:/planes/op", answerOf(409, `{"error":{"code":"C","message":"m"}}`), Failed, "C: m", false},
		"resource runs":        {"resource:/planes/op", answerOf(200, `{"id":"/op","properties":{"provisioningState":"Accepted"}}`), Running, "", false},
		"resource failed":      {"resource:/planes/op", answerOf(200, `{"id":"/op","properties":{"provisioningState":"Failed","error":{"message":"why"}}}`), Failed, "why", false},
		"gone":                 {"gone:/planes/x/op", answerOf(404, `{"error":{"code":"NotFound","message":"the resource with id '/planes/x/OP' was not found"}}`), Succeeded, "", false},
		"not gone":             {"gone:/planes/x/op", answerOf(200, `{"id":"/planes/X/op","properties":{"provisioningState":"Deleting"}}`), Running, "", false},
		"another's token":      {`{"type":"poller"}`, answerOf(200, ``), Lost, "", false},
		"a redirect elsewhere": {"status:/planes/op", answerOf(302, ``, "Location", "http://evil.example"), Running, "", true},
	} {
		c, a := clientOf(t, tt.answer)
		p, err := c.Poll(context.Background(), tt.token)
		require.Equal(t, tt.fails, err != nil, name)
		require.Equal(t, tt.want, p.State, name)
		require.Equal(t, tt.says, p.Error.Sentence(), name)
		require.LessOrEqual(t, len(a.seen), 1, name)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	id := "/planes/aws/aws/accounts/1/regions/r/providers/AWS.S3/Bucket/a b%7Cc"
	c, a := clientOf(t, answerOf(204, ``), answerOf(202, ``), answerOf(202, ``, "Location", "/planes/op"))
	p, err := c.Delete(context.Background(), id, "default")
	require.NoError(t, err)
	require.Equal(t, Succeeded, p.State)
	require.Equal(t, "DELETE", a.seen[0].Method)
	require.Equal(t, "api-version=default", a.seen[0].URL.RawQuery)
	p, err = c.Delete(context.Background(), id, "default")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(p.Token, "gone:"))
	p, err = c.Delete(context.Background(), id, "default")
	require.NoError(t, err)
	require.Equal(t, "location:/planes/op", p.Token)
}

func TestGroups(t *testing.T) {
	t.Parallel()
	const group = "/planes/radius/local/resourceGroups/shop"
	c, a := clientOf(t, answerOf(200, `{"id":"/planes/radius/local/resourcegroups/Shop"}`))
	require.NoError(t, c.EnsureGroup(context.Background(), group))
	require.Len(t, a.seen, 1, "an existing group is left as it is")
	c, a = clientOf(t, answerOf(404, `{"error":{"code":"NotFound","target":"/planes/radius/local/resourcegroups/shop"}}`), answerOf(200, `{"id":"/planes/radius/local/resourcegroups/shop"}`))
	require.NoError(t, c.EnsureGroup(context.Background(), group))
	require.Equal(t, "PUT", a.seen[1].Method)
	body, _ := io.ReadAll(a.seen[1].Body)
	require.JSONEq(t, `{"location":"global","name":"shop","properties":{}}`, string(body))
	require.Equal(t, "api-version=2023-10-01-preview", a.seen[1].URL.RawQuery)
	c, a = clientOf(t, answerOf(500, `{}`))
	require.Error(t, c.EnsureGroup(context.Background(), group))
	require.Len(t, a.seen, 1)
}

func TestStepsFollowPagesAndModules(t *testing.T) {
	t.Parallel()
	c, a := clientOf(t,
		answerOf(200, `{"value":[
		  {"properties":{"provisioningOperation":"Read","provisioningState":"Succeeded","targetResource":{"id":"/planes/x/existing"}}},
		  {"properties":{"provisioningState":"Succeeded","targetResource":{"id":"/planes/x/one"}}}],"nextLink":"http://h/planes/next?page=2"}`),
		answerOf(200, `{"value":[{"properties":{"provisioningOperation":"Create","provisioningState":"Failed","statusMessage":{"error":{"code":"E","message":"no"}},"targetResource":{"id":"/g/providers/Microsoft.Resources/deployments/module"}}}]}`),
		answerOf(200, `{"value":[{"properties":{"provisioningState":"Failed","targetResource":{"id":"/planes/x/two"}}}]}`))
	steps, err := c.Steps(context.Background(), deploymentID, nil)
	require.NoError(t, err)
	require.Len(t, steps, 3)
	require.Equal(t, "E: no", steps[1].Error.Sentence())
	require.Equal(t, "/planes/x/two", steps[2].ID)
	require.Equal(t, "page=2", a.seen[1].URL.RawQuery)
	require.Contains(t, a.seen[2].URL.Path, "/deployments/module/operations")
}

// A deployment without a list is told from one that did nothing. A module without one may not have begun.
func TestStepsThatAreNotListed(t *testing.T) {
	t.Parallel()
	for _, status := range []int{404, 405, 501} {
		c, _ := clientOf(t, answerOf(status, `{"error":{"code":"NotFound"}}`))
		_, err := c.Steps(context.Background(), deploymentID, nil)
		require.ErrorIs(t, err, ErrNotListed, status)
	}
	c, _ := clientOf(t, answerOf(200, `{"value":[]}`))
	_, err := c.Steps(context.Background(), deploymentID, nil)
	require.NoError(t, err)
	c, _ = clientOf(t, answerOf(200, `{"value":[{"properties":{"provisioningState":"Failed","targetResource":{"id":"/g/providers/Microsoft.Resources/deployments/module"}}}]}`), answerOf(404, `{"error":{"code":"NotFound"}}`))
	steps, err := c.Steps(context.Background(), deploymentID, nil)
	require.NoError(t, err)
	require.Len(t, steps, 1)
	const inAzure = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Resources/deployments/module"
	c, _ = clientOf(t, answerOf(200, `{"value":[{"properties":{"provisioningState":"Failed","targetResource":{"id":"`+inAzure+`"}}}]}`))
	steps, err = c.Steps(context.Background(), deploymentID, nil)
	require.ErrorIs(t, err, ErrNotListed, "Radius is not asked for a deployment in Azure")
	require.Len(t, steps, 1)
	pages := make([]http.Response, maxStepRequest)
	for i := range pages {
		pages[i] = answerOf(200, `{"value":[{"properties":{"provisioningState":"Succeeded","targetResource":{"id":"/planes/x/one"}}}],"nextLink":"http://h/planes/next"}`)
	}
	c, _ = clientOf(t, pages...)
	steps, err = c.Steps(context.Background(), deploymentID, nil)
	require.ErrorIs(t, err, ErrNotListed, "there are more pages than are asked for")
	require.Len(t, steps, maxStepRequest)
}

// Modules that have ended are listed once.
func TestStepsOfModulesThatHaveEnded(t *testing.T) {
	t.Parallel()
	top := func(state string) http.Response {
		return answerOf(200, `{"value":[{"properties":{"provisioningState":"Succeeded","targetResource":{"id":"/g/providers/Microsoft.Resources/deployments/done"}}},
		  {"properties":{"provisioningState":"`+state+`","targetResource":{"id":"/planes/x/own"}}}]}`)
	}
	done := answerOf(200, `{"value":[{"properties":{"provisioningState":"Succeeded","targetResource":{"id":"/g/providers/Microsoft.Resources/deployments/inner"}}}]}`)
	inner := answerOf(200, `{"value":[{"properties":{"provisioningState":"Succeeded","targetResource":{"id":"/planes/x/deep"}}}]}`)
	c, a := clientOf(t, top("Running"), done, inner, top("Succeeded"))
	ended := map[string][]Step{}
	steps, err := c.Steps(context.Background(), deploymentID, ended)
	require.NoError(t, err)
	require.Len(t, steps, 4)
	require.Len(t, a.seen, 3)
	again, err := c.Steps(context.Background(), deploymentID, ended)
	require.NoError(t, err)
	require.Len(t, a.seen, 4, "only the deployment itself is asked for again")
	steps[1].State = Succeeded
	require.Equal(t, steps, again)
}

func TestErrors(t *testing.T) {
	t.Parallel()
	c, _ := clientOf(t, answerOf(429, `{"error":{"code":"Slow","message":"{\"error\":{\"code\":\"In\",\"message\":\"nested as text\"}}"}}`, "Retry-After", "17"))
	_, err := c.Get(context.Background(), "/planes/x", "v")
	var e *Error
	require.ErrorAs(t, err, &e)
	require.True(t, e.Transient())
	require.Equal(t, 17*time.Second, e.RetryAfter)
	require.Equal(t, "In: nested as text", e.Sentence())

	c, a := clientOf(t)
	a.errs = []error{errors.New("connection refused")}
	_, err = c.Get(context.Background(), "/planes/x", "v")
	require.ErrorAs(t, err, &e)
	require.True(t, e.Transient())
	require.Contains(t, e.Sentence(), "connection refused")

	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	require.Equal(t, 90*time.Second, retryAfter("Thu, 01 Jan 2026 00:01:30 GMT", now))
	require.Equal(t, 10*time.Minute, retryAfter("7200", now), "no wait is for hours")
	require.Equal(t, 10*time.Minute, retryAfter("1e30", now))
	require.Equal(t, 10*time.Minute, retryAfter("Fri, 02 Jan 2026 00:00:00 GMT", now))
	require.Zero(t, retryAfter("NaN", now))
	require.Zero(t, retryAfter("soon", now))
	require.Zero(t, retryAfter("-3", now))

	for _, endpoint := range []string{"", "radius:443", "ftp://x", "http://user:pass@x", "http://x?y"} {
		_, err := New(Options{Endpoint: endpoint})
		require.Error(t, err, endpoint)
	}
}

func TestVersionsOfTypes(t *testing.T) {
	t.Parallel()
	c, a := clientOf(t, answerOf(200, `{"resourceTypes":{"Containers":{"apiVersions":{"2024":{},"2025":{}},"defaultApiVersion":"2024"},"routes":{"apiVersions":{"1":{},"2":{}}}}}`),
		answerOf(200, `{"resourceTypes":{"routes":{"apiVersions":{"1":{},"2":{}}}}}`), answerOf(404, `{"error":{"code":"NotFound","message":"the resource provider with name 'Unknown.X' was not found"}}`))
	v, err := c.DefaultVersion(context.Background(), idOfType(t, "Radius.Compute/containers"))
	require.NoError(t, err)
	require.Equal(t, "2024", v)
	require.Equal(t, "/apis/api.ucp.dev/v1alpha3/planes/radius/local/providers/Radius.Compute", a.seen[0].URL.Path)
	v, err = c.DefaultVersion(context.Background(), idOfType(t, "Radius.Compute/routes"))
	require.NoError(t, err)
	require.Equal(t, "2", v)
	v, err = c.DefaultVersion(context.Background(), idOfType(t, "Unknown.X/y"))
	require.NoError(t, err)
	require.Empty(t, v)
}

// An answer that is not a deployment must not look like one that succeeded and made nothing.
func TestAnswersThatAreNotDeployments(t *testing.T) {
	t.Parallel()
	const good = `{"id":"/d","properties":{"provisioningState":"Succeeded","outputResources":[]}}`
	for body, want := range map[string]string{
		`{}`: "it has no id", ``: "it has no id", `null`: "it has no id", `[]`: "it has no id",
		`{"properties":{"provisioningState":"Succeeded"}}`: "it has no id",
		`{"id":"/d"}`: "it has no properties.provisioningState", `<html>busy`: "busy", strings.Replace(good, "/d", "/e", 1): "what it answered is /e",
	} {
		c, _ := clientOf(t, answerOf(200, body), answerOf(200, body), answerOf(200, body))
		_, err := c.PutDeployment(context.Background(), deploymentID, []byte(`{}`))
		require.ErrorContains(t, err, want, body)
		_, err = c.Poll(context.Background(), DeploymentToken(deploymentID))
		require.ErrorContains(t, err, want, body)
		_, err = c.GetDeployment(context.Background(), deploymentID)
		require.ErrorContains(t, err, want, body)
		require.Contains(t, err.(*Error).Sentence(), want)
		require.True(t, err.(*Error).Transient())
	}
	c, _ := clientOf(t, answerOf(200, good), answerOf(200, good), answerOf(200, strings.ReplaceAll(good, `,"outputResources":[]`, "")), answerOf(200, `{}`))
	p, err := c.PutDeployment(context.Background(), deploymentID, []byte(`{}`))
	require.NoError(t, err)
	require.Equal(t, Succeeded, p.State)
	for _, lists := range []bool{true, false} {
		d, err := c.GetDeployment(context.Background(), deploymentID)
		require.NoError(t, err)
		require.Equal(t, lists, d.Lists)
	}
	_, err = c.Steps(context.Background(), deploymentID, nil)
	require.ErrorContains(t, err, "not a list of operations")
}

// Between Radius and the controller others answer too. What they say proves nothing: not that a resource is gone, not that a request is wrong.
func TestWhoAnswers(t *testing.T) {
	t.Parallel()
	const id = "/planes/radius/local/resourceGroups/g/providers/Applications.Core/containers/web"
	const azure = "/planes/azure/azurecloud/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/web"
	arm := func(code, message, target string) string {
		return fmt.Sprintf(`{"error": {"code": %q, "message": %q, "target": %q}}`, code, message, target)
	}
	status := func(code int, reason, message string) string {
		return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":%q,"reason":%q,"code":%d}`, message, reason, code)
	}
	const resource = `{"id": "` + id + `", "properties": {"provisioningState": "Succeeded"}}`
	type outcome int
	const (
		unavailable outcome = iota // it is tried again
		gone
		there
		running // a deletion
		refused // a verdict of Radius
	)
	for name, tt := range map[string]struct {
		id          string
		status      int
		body        string
		get, delete outcome
		says        string
	}{
		"UCP: no such resource":            {id, 404, arm("NotFound", "the resource with id '"+id+"' was not found", id), gone, gone, ""},
		"UCP: another spelling":            {id, 404, arm("NotFound", "the resource with id '"+strings.ToUpper(id)+"' was not found", ""), gone, gone, ""},
		"UCP: no such group":               {id, 404, arm("NotFound", "the resource with id '"+id+`' was not found: resource group "/planes/radius/local/resourceGroups/g" not found`, id), gone, gone, ""},
		"UCP: no such plane":               {id, 404, arm("NotFound", "the resource with id '"+id+`' was not found: plane "/planes/radius/local" not found`, id), unavailable, unavailable, "plane"},
		"UCP: no such path":                {id, 404, arm("NotFound", "The request 'GET /apis/api.ucp.dev/v1alpha3"+id+"' is invalid.", ""), unavailable, unavailable, "is invalid"},
		"UCP: no plane for Azure":          {azure, 404, arm("NotFound", "the resource with id '"+azure+"' was not found", azure), refused, refused, "was not found"},
		"Azure: no such resource":          {azure, 404, arm("ResourceNotFound", "The Resource 'Microsoft.Storage/storageAccounts/web' under resource group 'g' was not found.", ""), gone, gone, ""},
		"Azure: no such subscription":      {azure, 404, arm("SubscriptionNotFound", "The subscription 's' could not be found.", ""), refused, refused, "could not be found"},
		"UCP: another version":             {id, 404, arm("InvalidResourceType", "The resource type 'web' could not be found in the namespace 'A.B' for api version '1'.", ""), refused, refused, "api version"},
		"engine: by its name":              {id, 404, arm("DeploymentNotFound", "Deployment 'web' could not be found.", ""), gone, gone, ""},
		"engine: another one":              {id, 404, arm("NotFound", "Deployment 'api' could not be found.", ""), refused, refused, "api"},
		"UCP: done":                        {id, 204, "", unavailable, gone, "has no id"},
		"UCP: done at once":                {id, 200, "", unavailable, gone, "has no id"},
		"UCP: the resource":                {id, 200, resource, there, running, ""},
		"UCP: another resource":            {id, 200, strings.Replace(resource, "web", "api", 1), unavailable, running, "what it answered is /planes"},
		"UCP: it is refused":               {id, 400, arm("BadRequest", "no", ""), refused, refused, "no"},
		"UCP: it is being changed":         {id, 409, arm("Conflict", "busy", ""), refused, refused, "busy"},
		"UCP: it fails":                    {id, 500, arm("Internal", "it broke", ""), unavailable, unavailable, "it broke"},
		"API server: no APIService":        {id, 404, "404 page not found\n", unavailable, unavailable, "404 Not Found, 404 page not found"},
		"API server: no such path":         {id, 404, status(404, "NotFound", "the server could not find the requested resource"), unavailable, unavailable, "a Status of Kubernetes: the server could not find the requested resource"},
		"API server: no right":             {id, 403, status(403, "Forbidden", `planes "radius" is forbidden`), unavailable, unavailable, "is forbidden"},
		"API server: no token":             {id, 401, status(401, "Unauthorized", "Unauthorized"), unavailable, unavailable, "401"},
		"API server: it is not reached":    {id, 503, "service unavailable\n", unavailable, unavailable, "service unavailable"},
		"API server: too large":            {id, 413, status(413, "RequestEntityTooLarge", "limit is 3145728"), unavailable, unavailable, "limit"},
		"proxy: not found":                 {id, 404, "<html><head><title>404</title></head><body><h1>Nothing&nbsp;here</h1></body></html>", unavailable, unavailable, "not Radius: 404 Not Found, Nothing"},
		"proxy: nothing":                   {id, 404, "", unavailable, unavailable, "404"},
		"proxy: a JSON of its own":         {id, 404, `{"message": "no route '` + id + `'"}`, unavailable, unavailable, "404"},
		"proxy: a page in place of all":    {id, 200, "<html>Please log in</html>", unavailable, unavailable, "Please log in"},
		"proxy: forbidden":                 {id, 403, "<html>Blocked</html>", unavailable, unavailable, "Blocked"},
		"proxy: a redirect to a login":     {id, 302, "", unavailable, unavailable, "redirect"},
		"proxy: an empty answer for a GET": {id, 200, "{}", unavailable, running, "has no id"},
	} {
		c, _ := clientOf(t, answerOf(tt.status, tt.body), answerOf(tt.status, tt.body))
		outcomeOf := func(err error, done, runs bool) outcome {
			var e *Error
			switch {
			case Gone(err) || err == nil && done:
				return gone
			case err == nil && runs:
				return running
			case err == nil:
				return there
			case errors.As(err, &e) && e.Transient():
				require.Contains(t, e.Sentence(), tt.says, name)
				return unavailable
			}
			require.Contains(t, err.Error(), tt.says, name)
			return refused
		}
		_, err := c.Get(context.Background(), tt.id, "v")
		require.Equal(t, tt.get, outcomeOf(err, false, false), "GET: %s: %v", name, err)
		p, err := c.Delete(context.Background(), tt.id, "v")
		require.Equal(t, tt.delete, outcomeOf(err, p.State == Succeeded, p.State == Running), "DELETE: %s: %v", name, err)
	}
}

func idOfType(t *testing.T, typ string) resourceid.ID {
	t.Helper()
	id, err := resourceid.Parse("/planes/radius/local/resourceGroups/g/providers/" + typ + "/x")
	require.NoError(t, err)
	return id
}
