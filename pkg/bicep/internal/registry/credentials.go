package registry

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/process"
)

// credential is what a registry may be given, and where it was found.
type credential struct {
	secret
	from string // for messages; it names no secret
}

// dockerConfig is what docker's config.json says of credentials.
type dockerConfig struct {
	Auths       map[string]dockerAuth `json:"auths"`
	CredHelpers map[string]string     `json:"credHelpers"`
	CredsStore  string                `json:"credsStore"`
}

type dockerAuth struct {
	Auth          string `json:"auth"`
	Username      string `json:"username"`
	Password      string `json:"password"`
	IdentityToken string `json:"identitytoken"`
	RegistryToken string `json:"registrytoken"`
}

// maxDockerConfig bounds docker's config.json and the answers of its helpers.
const maxDockerConfig = 1 << 20

// dockerCredential looks for the credential of a registry where docker keeps them,
// and then in the variables DOCKER_REGISTRY, DOCKER_USERNAME and DOCKER_PASSWORD. A place
// that cannot be asked does not keep the next ones from being asked. If none has a
// credential, the error says why the first such place could not be asked.
func dockerCredential(ctx context.Context, registry string) (credential, error) {
	names := configNames(registry)
	name, config, problem := readDockerConfig()
	for _, place := range []func() (credential, error){
		func() (credential, error) {
			for _, n := range names {
				if helper := config.CredHelpers[n]; helper != "" {
					if c, err := askHelper(ctx, helper, n); err != nil || c.secret != (secret{}) {
						return c, err
					}
				}
			}
			return credential{}, nil
		},
		func() (credential, error) { return config.entry(name, names) },
		func() (credential, error) {
			for _, n := range names {
				if config.CredsStore == "" {
					break
				}
				if c, err := askHelper(ctx, config.CredsStore, n); err != nil || c.secret != (secret{}) {
					return c, err
				}
			}
			return credential{}, nil
		},
		func() (credential, error) { return environmentCredential(names), nil },
	} {
		c, err := place()
		if err == nil && c.secret != (secret{}) {
			return c, nil
		}
		if problem == nil {
			problem = err
		}
	}
	return credential{}, problem
}

// entry returns the credential that the file itself holds for a registry.
func (config *dockerConfig) entry(file string, names []string) (credential, error) {
	for _, n := range names {
		for key, a := range config.Auths {
			if configHost(key) != n {
				continue
			}
			c, err := a.credential()
			if err != nil {
				return credential{}, fmt.Errorf("%s: the entry for %s: %w", file, key, err)
			}
			if c != (secret{}) {
				return credential{c, file}, nil
			}
		}
	}
	return credential{}, nil
}

// readDockerConfig reads docker's config.json, which need not be there.
func readDockerConfig() (string, dockerConfig, error) {
	var config dockerConfig
	dir := os.Getenv("DOCKER_CONFIG")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", config, nil
		}
		dir = filepath.Join(home, ".docker")
	}
	name := filepath.Join(dir, "config.json")
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return name, config, nil
	}
	if err != nil {
		return name, config, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxDockerConfig {
		return name, config, fmt.Errorf("%s is not a file of at most 1 MiB", name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return name, config, err
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return name, config, fmt.Errorf("%s is not what docker writes: %w", name, plainJSONError(err))
	}
	return name, config, nil
}

// plainJSONError leaves out the text that a JSON error may quote.
func plainJSONError(err error) error {
	if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("no JSON at byte %d", bad.Offset)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s is of the wrong type", cmp.Or(wrong.Field, "it"))
	}
	if rule, ok := errors.AsType[*ruleError](err); ok {
		return rule
	}
	return errors.New("no JSON")
}

func (a dockerAuth) credential() (secret, error) {
	c := secret{Username: a.Username, Password: a.Password, RefreshToken: a.IdentityToken, AccessToken: a.RegistryToken}
	if a.Auth != "" {
		text, err := base64.StdEncoding.DecodeString(a.Auth)
		if err != nil {
			return (secret{}), errors.New("auth is not base64")
		}
		name, password, ok := strings.Cut(strings.TrimRight(string(text), "\x00"), ":")
		if !ok {
			return (secret{}), errors.New("auth holds no name and password")
		}
		c.Username, c.Password = name, password
	}
	if c.RefreshToken != "" {
		c.Username, c.Password = "", ""
	}
	if c.Username == tokenUser {
		c = secret{RefreshToken: c.Password}
	}
	return c, nil
}

// tokenUser is the name that stands for: the password is a token to ask for others with.
const tokenUser = "<token>"

// dockerHub is the name under which docker keeps its own registry's credentials.
const dockerHub = "index.docker.io"

// configNames returns the names that a registry may have in docker's configuration.
func configNames(registry string) []string {
	host := strings.ToLower(registry)
	switch hostname(host) {
	case "docker.io", "registry-1.docker.io", dockerHub:
		return []string{"https://" + dockerHub + "/v1/", dockerHub, "docker.io", "registry-1.docker.io"}
	}
	if !strings.HasPrefix(host, "[") && !strings.Contains(host, ":") {
		return []string{host, host + ":443"}
	}
	if bare, ok := strings.CutSuffix(host, ":443"); ok {
		return []string{host, bare}
	}
	return []string{host}
}

// configHost returns the host and port of a key of auths, which may be a URL.
func configHost(key string) string {
	if key == "https://"+dockerHub+"/v1/" {
		return key
	}
	_, rest, ok := strings.Cut(key, "://")
	if !ok {
		rest = key
	}
	host, _, _ := strings.Cut(rest, "/")
	return strings.ToLower(host)
}

// askHelper asks docker-credential-NAME. That it has nothing is not an error.
func askHelper(ctx context.Context, helper, server string) (credential, error) {
	program := "docker-credential-" + helper
	if !validHelper(helper) {
		return credential{}, fmt.Errorf("docker's configuration names the credential helper %q, which is not a plain name", helper)
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return credential{}, fmt.Errorf("docker's configuration names the helper %s, which is not on the PATH", program)
	}
	out, err := runTool(ctx, path, []string{"get"}, server+"\n")
	if err != nil {
		if bytes.Contains(bytes.ToLower(out), []byte("credentials not found")) {
			return credential{}, nil
		}
		return credential{}, fmt.Errorf("%s: %w", program, err)
	}
	var answer struct{ Username, Secret string }
	if err := json.Unmarshal(out, &answer); err != nil {
		return credential{}, fmt.Errorf("%s did not answer with a name and a secret", program)
	}
	if answer.Username == "" && answer.Secret == "" {
		return credential{}, nil
	}
	c := secret{Username: answer.Username, Password: answer.Secret}
	if answer.Username == tokenUser {
		c = secret{RefreshToken: answer.Secret}
	}
	return credential{c, program}, nil
}

func validHelper(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return name != ""
}

// runTool runs a program that answers on its standard output, and ends it with what it started. It may
// print a secret, so an error says only how it ended.
func runTool(ctx context.Context, path string, args []string, input string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin = strings.NewReader(input)
	cmd.WaitDelay = time.Second
	out := &limitedBuffer{}
	cmd.Stdout = out
	err := process.Run(cmd, false)
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		err = errors.New("it did not end in time")
	case out.over:
		err = errors.New("its answer is too long")
	case errors.Is(err, exec.ErrWaitDelay): // it has ended, and what it left running keeps its output open
		err = nil
	}
	return out.text.Bytes(), err
}

// limitedBuffer keeps the beginning of what is written. The buffer is no embedded field: io.Copy
// would find its ReadFrom, which knows no limit.
type limitedBuffer struct {
	text bytes.Buffer
	over bool
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.over = b.over || b.text.Len()+len(p) > maxDockerConfig; b.over {
		return len(p), nil
	}
	return b.text.Write(p)
}

// environmentCredential reads the variables that CI systems set, for the one
// registry that they name.
func environmentCredential(names []string) credential {
	registry := configHost(os.Getenv("DOCKER_REGISTRY"))
	if registry == "" {
		return credential{}
	}
	for _, n := range names {
		if n == registry {
			c := secret{Username: os.Getenv("DOCKER_USERNAME"), Password: os.Getenv("DOCKER_PASSWORD")}
			if c.Username == "" || c.Password == "" {
				return credential{}
			}
			return credential{c, "DOCKER_USERNAME and DOCKER_PASSWORD"}
		}
	}
	return credential{}
}
