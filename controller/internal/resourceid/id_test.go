package resourceid

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	const g = "/planes/radius/local/resourceGroups/g"
	for text, want := range map[string]struct {
		plane Plane
		typ   string
		name  string
		rank  int
		path  string
	}{
		g + "/providers/Applications.Core/containers/web":                              {Radius, "Applications.Core/containers", "web", 0, ""},
		g + "/providers/applications.core/Applications/shop":                           {Radius, "applications.core/Applications", "shop", 1, ""},
		g + "/providers/Radius.Core/environments/env":                                  {Radius, "Radius.Core/environments", "env", 2, ""},
		g + "/providers/Radius.Core/recipePacks/p":                                     {Radius, "Radius.Core/recipePacks", "p", 3, ""},
		g + "/providers/Microsoft.Resources/deployments/m":                             {Radius, "Microsoft.Resources/deployments", "m", 4, ""},
		"/planes/aws/aws/accounts/1/regions/r/providers/AWS.S3/Bucket/My.bucket":       {AWS, "AWS.S3/Bucket", "My.bucket", 0, ""},
		"/planes/aws/aws/accounts/1/regions/r/providers/AWS.X/Y/a|b:c/providers/d":     {AWS, "AWS.X/Y", "a|b:c/providers/d", 0, ""},
		"/subscriptions/s/resourceGroups/r/providers/Microsoft.Sql/servers/a/dbs/b":    {Azure, "Microsoft.Sql/servers/dbs", "b", 0, "/planes/azure/azurecloud/subscriptions/s/resourceGroups/r/providers/Microsoft.Sql/servers/a/dbs/b"},
		"/subscriptions/s/resourceGroups/r/providers/A.B/c/d/providers/M.Auth/locks/l": {Azure, "M.Auth/locks", "l", 0, "/planes/azure/azurecloud/subscriptions/s/resourceGroups/r/providers/A.B/c/d/providers/M.Auth/locks/l"},
		"/planes/kubernetes/local/namespaces/n/providers/apps/Deployment/d":            {Kubernetes, "apps/Deployment", "d", 0, ""},
	} {
		id, err := Parse(text)
		require.NoError(t, err, text)
		require.False(t, id.IsScope(), text)
		require.Equal(t, want.plane, id.Plane(), text)
		require.Equal(t, want.typ, id.Type(), text)
		require.Equal(t, want.name, id.Name(), text)
		require.Equal(t, want.rank, id.Rank(), text)
		if want.path == "" {
			want.path = text
		}
		require.Equal(t, want.path, id.Path())
	}
	for _, text := range []string{
		g, "/planes/radius/local", "/subscriptions/s", "/subscriptions/s/resourceGroups/r", g + "/", g + "/providers/A.B", g + "/providers/A.B/c",
		"/planes/radius/local/providers/System.Resources/resourceGroups/g", "/subscriptions/s/providers/Microsoft.Resources/resourceGroups/r",
	} {
		id, err := Parse(text)
		require.NoError(t, err, text)
		require.True(t, id.IsScope(), text)
	}
	for _, text := range []string{"", "web", "/", "//x", "/planes/../x", "/planes/./x", "/a?b", "/a#b", "/a\nb", `/a\b`, "/planes/%2e%2E/x", "/planes/.%2e/x", "/a/%252e%252E/b", "/a/b%2f..%2Fc", "/a/%2e"} {
		_, err := Parse(text)
		require.Error(t, err, text)
	}
}

func TestObjectNames(t *testing.T) {
	t.Parallel()
	label := regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	seen := map[string]string{}
	for _, text := range []string{
		"/planes/radius/local/resourceGroups/g/providers/Applications.Core/containers/demo",
		"/planes/radius/local/resourceGroups/g/providers/Applications.Core/applications/demo",
		"/planes/radius/local/resourceGroups/h/providers/Applications.Core/applications/demo",
		"/planes/aws/aws/accounts/1/regions/r/providers/AWS.S3/Bucket/My_Bucket.Name",
		"/planes/aws/aws/accounts/1/regions/r/providers/AWS.X/Y/" + strings.Repeat("x", 300),
		"/planes/aws/aws/accounts/1/regions/r/providers/AWS.X/Y/ünï:|-.",
	} {
		id, err := Parse(text)
		require.NoError(t, err)
		for _, uid := range []string{"1", "2"} {
			name := id.ObjectName(uid)
			require.Regexp(t, label, name)
			require.LessOrEqual(t, len(name), 63)
			require.Empty(t, seen[name], "%s names two resources", name)
			seen[name] = text
		}
	}
	a, _ := Parse("/planes/radius/local/resourceGroups/g/providers/A.B/c/D")
	b, _ := Parse("/PLANES/radius/local/resourcegroups/G/providers/a.b/C/d")
	require.Equal(t, a.ObjectName("1")[len("c-d-"):], b.ObjectName("1")[len("c-d-"):])
	require.Equal(t, a.Key(), b.Key())
	require.LessOrEqual(t, len(Hash(a.String())), 63)
}
