package registry

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// alone keeps a test from the credentials of who runs it, and returns the folder of docker's configuration.
func alone(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"DOCKER_REGISTRY", "DOCKER_USERNAME", "DOCKER_PASSWORD"} {
		t.Setenv(name, "")
	}
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	return dir
}

func configure(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(alone(t), "config.json")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// helpers writes programs docker-credential-NAME: shell scripts that are asked for server $server.
func helpers(t *testing.T, scripts map[string]string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the helpers are shell scripts")
	}
	dir := t.TempDir()
	for name, script := range scripts {
		text := "#!/bin/sh\n[ \"$1\" = get ] || exit 9\nread -r server\n" + script + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "docker-credential-"+name), []byte(text), 0o700))
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// TestDockerEntries are the forms that an entry of docker's configuration has.
func TestDockerEntries(t *testing.T) {
	for name, c := range map[string]struct {
		entry string
		want  secret
		fails string
	}{
		"a name and a password":      {`{"username": "me", "password": "pw"}`, secret{Username: "me", Password: "pw"}, ""},
		"encoded":                    {`{"auth": "` + encoded("me:pw:x") + `"}`, secret{Username: "me", Password: "pw:x"}, ""},
		"encoded with zeros":         {`{"auth": "` + encoded("me:pw\x00\x00") + `"}`, secret{Username: "me", Password: "pw"}, ""},
		"encoded comes first":        {`{"auth": "` + encoded("me:pw") + `", "username": "other", "password": "x"}`, secret{Username: "me", Password: "pw"}, ""},
		"a token of the identity":    {`{"auth": "` + encoded("me:pw") + `", "identitytoken": "id"}`, secret{RefreshToken: "id"}, ""},
		"a token of the registry":    {`{"registrytoken": "rt"}`, secret{AccessToken: "rt"}, ""},
		"a token as the password":    {`{"username": "<token>", "password": "tk"}`, secret{RefreshToken: "tk"}, ""},
		"an encoded token":           {`{"auth": "` + encoded("<token>:tk") + `"}`, secret{RefreshToken: "tk"}, ""},
		"nothing":                    {`{}`, secret{}, ""},
		"no base64":                  {`{"auth": "s3cret!"}`, secret{}, "FILE: the entry for r.example: auth is not base64"},
		"no password":                {`{"auth": "` + encoded("s3cret") + `"}`, secret{}, "FILE: the entry for r.example: auth holds no name and password"},
		"another type":               {`["s3cret"]`, secret{}, "FILE is not what docker writes: auths is of the wrong type"},
		"another type of a password": {`{"password": 1}`, secret{}, "FILE is not what docker writes: auths.password is of the wrong type"},
		"no JSON":                    {`s3cret`, secret{}, "FILE is not what docker writes: no JSON at byte 25"},
	} {
		file := configure(t, `{"auths": {"r.example": `+c.entry+`}}`)
		got, err := dockerCredential(t.Context(), "r.example")
		if c.fails != "" {
			require.EqualError(t, err, strings.ReplaceAll(c.fails, "FILE", file), name)
			continue
		}
		require.NoError(t, err, name)
		want := credential{secret: c.want}
		if c.want != (secret{}) {
			want.from = file
		}
		assert.Equal(t, want, got, name)
	}
	configure(t, `[1]`)
	_, err := dockerCredential(t.Context(), "r.example")
	require.ErrorContains(t, err, "is not what docker writes: it is of the wrong type")
}

// TestDockerNames are the names under which docker keeps the credential of a registry.
func TestDockerNames(t *testing.T) {
	for _, c := range []struct {
		registry, key string
		ok            bool
	}{
		{"r.example", "r.example", true},
		{"r.example", "R.Example", true},
		{"R.Example", "r.example", true},
		{"r.example", "https://r.example", true},
		{"r.example", "https://r.example/v1/", true},
		{"r.example", "r.example/v2", true},
		{"r.example", "r.example:443", true},
		{"r.example:443", "r.example", true},
		{"r.example:443", "r.example:443", true},
		{"r.example:5000", "r.example:5000", true},
		{"r.example:5000", "r.example", false},
		{"r.example", "r.example:5000", false},
		{"r.example", "s.example", false},
		{"r.example", "r.example.evil", false},
		{"[::1]:5000", "[::1]:5000", true},
		{"[::1]", "[::1]", true},
		{"docker.io", "https://index.docker.io/v1/", true},
		{"docker.io", "index.docker.io", true},
		{"docker.io", "docker.io", true},
		{"Docker.io:443", "registry-1.docker.io", true},
		{"registry-1.docker.io", "https://index.docker.io/v1/", true},
		{"index.docker.io", "docker.io", true},
		{"docker.io", "hub.docker.com", false},
		{"r.example", "https://index.docker.io/v1/", false},
	} {
		configure(t, fmt.Sprintf(`{"auths": {%q: {"username": "me", "password": "pw"}}}`, c.key))
		got, err := dockerCredential(t.Context(), c.registry)
		require.NoError(t, err)
		assert.Equal(t, c.ok, got.Username == "me", "%s of %s", c.key, c.registry)
	}
	assert.Equal(t, []string{"r.example", "r.example:443"}, configNames("R.Example"), "the name as it is written comes first")
	assert.Equal(t, []string{"r.example:443", "r.example"}, configNames("r.example:443"))
	assert.Equal(t, []string{"[::1]"}, configNames("[::1]"))
}

// TestPlacesOfCredentials: a helper of the registry comes before the file, the file before the store, and the
// store before the environment. A place that cannot be asked does not keep the next ones from being asked.
func TestPlacesOfCredentials(t *testing.T) {
	const says = `echo "{\"Username\": \"$server\", \"Secret\": \"of NAME\"}"`
	helpers(t, map[string]string{
		"helper": strings.ReplaceAll(says, "NAME", "helper"), "store": strings.ReplaceAll(says, "NAME", "store"),
		"empty": "echo '{}'", "none": "echo 'Credentials Not Found in native keychain'; exit 1", "broken": "echo s3cret; exit 7", "words": "echo s3cret",
		"token": `echo '{"Username": "<token>", "Secret": "tk"}'`, "name": `echo '{"Username": "me"}'`,
		"port": `[ "$server" = r.example:443 ] && ` + says + ` || echo '{}'`,
	})
	const auths = `"auths": {"r.example": {"username": "me", "password": "of auths"}}`
	const bad = `"auths": {"r.example": {"auth": "?"}}`
	helper := func(name string) string { return `"credHelpers": {"r.example": "` + name + `"}` }
	store := func(name string) string { return `"credsStore": "` + name + `"` }
	for name, c := range map[string]struct {
		config      []string
		environment bool
		want        string // the password or token
		from        string // FILE or the helper
		fails       string
	}{
		"all":                       {[]string{helper("helper"), auths, store("store")}, true, "of helper", "docker-credential-helper", ""},
		"no helper":                 {[]string{auths, store("store")}, true, "of auths", "FILE", ""},
		"no file":                   {[]string{store("store")}, true, "of store", "docker-credential-store", ""},
		"the environment":           {nil, true, "of environment", "DOCKER_USERNAME and DOCKER_PASSWORD", ""},
		"an empty helper":           {[]string{helper("empty"), auths}, false, "of auths", "FILE", ""},
		"a helper without it":       {[]string{helper("none"), auths}, false, "of auths", "FILE", ""},
		"a broken helper":           {[]string{helper("broken"), auths}, false, "of auths", "FILE", ""},
		"a helper of another host":  {[]string{`"credHelpers": {"s.example": "helper"}`, store("store")}, false, "of store", "docker-credential-store", ""},
		"an absent store":           {[]string{store("absent")}, true, "of environment", "DOCKER_USERNAME and DOCKER_PASSWORD", ""},
		"a broken entry":            {[]string{bad, store("store")}, false, "of store", "docker-credential-store", ""},
		"a token":                   {[]string{store("token")}, false, "tk", "docker-credential-token", ""},
		"a name alone":              {[]string{store("name")}, false, "", "docker-credential-name", ""},
		"another name of the host":  {[]string{store("port")}, false, "of NAME", "docker-credential-port", ""},
		"nothing anywhere":          {nil, false, "", "", ""},
		"only a broken helper":      {[]string{helper("broken")}, false, "", "", "docker-credential-broken: exit status 7"},
		"words":                     {[]string{store("words")}, false, "", "", "docker-credential-words did not answer with a name and a secret"},
		"an absent helper":          {[]string{helper("absent")}, false, "", "", "docker's configuration names the helper docker-credential-absent, which is not on the PATH"},
		"a path as a helper":        {[]string{helper("../evil")}, false, "", "", `docker's configuration names the credential helper "../evil", which is not a plain name`},
		"the first problem is told": {[]string{helper("broken"), bad, store("absent")}, false, "", "", "docker-credential-broken: exit status 7"},
		"a problem of the store":    {[]string{bad, store("broken")}, false, "", "", "FILE: the entry for r.example: auth is not base64"},
	} {
		file := configure(t, "{"+strings.Join(c.config, ", ")+"}")
		if c.environment {
			t.Setenv("DOCKER_REGISTRY", "https://R.example/v2/")
			t.Setenv("DOCKER_USERNAME", "me")
			t.Setenv("DOCKER_PASSWORD", "of environment")
		}
		got, err := dockerCredential(t.Context(), "r.example")
		if c.fails != "" {
			require.EqualError(t, err, strings.ReplaceAll(c.fails, "FILE", file), name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got.Password+got.RefreshToken, name)
		assert.Equal(t, strings.ReplaceAll(c.from, "FILE", file), got.from, name)
		if strings.HasPrefix(c.want, "of helper") {
			assert.Equal(t, "r.example", got.Username, "the helper is asked for the host")
		}
	}
}

// TestHelperNames: a helper is a plain name, so that no path and no option is run.
func TestHelperNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"az09AZ.-_": true, "a": true, "z": true, "A": true, "Z": true, "0": true, "9": true,
		"": false, "`": false, "{": false, "@": false, "[": false, "/": false, ":": false, "a b": false, "é": false, `a\b`: false,
	} {
		assert.Equal(t, want, validHelper(name), name)
	}
}

// TestEnvironmentCredential: the variables hold for one registry, and both are needed.
func TestEnvironmentCredential(t *testing.T) {
	for _, c := range []struct {
		registry, user, password string
		ok                       bool
	}{
		{"r.example", "me", "pw", true}, {"r.example", "", "pw", false}, {"r.example", "me", "", false}, {"s.example", "me", "pw", false}, {"", "me", "pw", false},
		{"r.example:443", "me", "pw", true}, {"https://r.example/x", "me", "pw", true},
	} {
		alone(t)
		t.Setenv("DOCKER_REGISTRY", c.registry)
		t.Setenv("DOCKER_USERNAME", c.user)
		t.Setenv("DOCKER_PASSWORD", c.password)
		got, err := dockerCredential(t.Context(), "r.example")
		require.NoError(t, err)
		want := credential{}
		if c.ok {
			want = credential{secret{Username: "me", Password: "pw"}, "DOCKER_USERNAME and DOCKER_PASSWORD"}
		}
		assert.Equal(t, want, got, "%v", c)
	}
}

// TestDockerConfigFile: where it is, and that it is a file of a bearable size.
func TestDockerConfigFile(t *testing.T) {
	const auths = `{"auths": {"r.example": {"username": "me", "password": "pw"}}}`
	home := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(home, ".docker"), 0o700))
	file := filepath.Join(home, ".docker", "config.json")
	require.NoError(t, os.WriteFile(file, []byte(auths), 0o600))
	alone(t)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("DOCKER_CONFIG", "")
	got, err := dockerCredential(t.Context(), "r.example")
	require.NoError(t, err)
	assert.Equal(t, credential{secret{Username: "me", Password: "pw"}, file}, got)

	for size, ok := range map[int]bool{1 << 20: true, 1<<20 + 1: false} {
		require.NoError(t, os.WriteFile(file, []byte(auths+strings.Repeat(" ", size-len(auths))), 0o600))
		_, err = dockerCredential(t.Context(), "r.example")
		if ok {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, file+" is not a file of at most 1 MiB")
		}
	}
	require.NoError(t, os.Remove(file))
	got, err = dockerCredential(t.Context(), "r.example")
	require.NoError(t, err)
	assert.Equal(t, credential{}, got, "it need not be there")
	require.NoError(t, os.Mkdir(file, 0o700))
	_, err = dockerCredential(t.Context(), "r.example")
	require.EqualError(t, err, file+" is not a file of at most 1 MiB")
	if runtime.GOOS != "windows" {
		beside := filepath.Join(home, "file")
		require.NoError(t, os.WriteFile(beside, nil, 0o600))
		t.Setenv("DOCKER_CONFIG", beside)
		_, err = dockerCredential(t.Context(), "r.example")
		require.ErrorContains(t, err, "not a directory")
		t.Setenv("DOCKER_CONFIG", "")
		t.Setenv("HOME", "")
		got, err = dockerCredential(t.Context(), "r.example")
		require.NoError(t, err, "nobody has a home in some containers")
		assert.Equal(t, credential{}, got)
	}
}

// TestAnswersOfHelpers: at most 1 MiB of what a helper prints is read.
func TestAnswersOfHelpers(t *testing.T) {
	var b limitedBuffer
	for _, n := range []int{1<<20 - 1, 1} {
		got, err := b.Write(make([]byte, n))
		require.NoError(t, err)
		assert.Equal(t, n, got)
	}
	assert.False(t, b.over)
	got, err := b.Write([]byte("x"))
	require.NoError(t, err, "the program may write on, so that it ends")
	assert.Equal(t, 1, got)
	assert.True(t, b.over)
	assert.Equal(t, 1<<20, b.text.Len())
	_, err = b.Write(nil)
	require.NoError(t, err)
	assert.True(t, b.over, "it stays too long")

	helpers(t, map[string]string{"slow": "sleep 60"})
	configure(t, `{"credsStore": "slow"}`)
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	_, err = dockerCredential(ctx, "r.example")
	require.EqualError(t, err, "docker-credential-slow: it did not end in time")
}
