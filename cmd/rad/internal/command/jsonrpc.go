package command

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/jsonrpc"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/rpc"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/bicep"
)

func newJSONRPC(a *app) *cobra.Command {
	var socket uint16
	var pipe string
	c := &cobra.Command{
		Use:   "jsonrpc",
		Short: "Answer other programs, as the official 'bicep jsonrpc' does",
		Long: `Answer requests of JSON-RPC until the input ends, as the official 'bicep jsonrpc' does:
bicep/version, compile, compileParams, getMetadata, getDeploymentGraph, getFileReferences,
getSnapshot and format. The built-in compiler answers, and no file is written. The time
limit is that of one request.

With --socket and --pipe this program connects to one that listens.`,
		Example:     "  rad bicep jsonrpc --stdio < /dev/null",
		Args:        cobra.NoArgs,
		Annotations: map[string]string{cli.DropIn: "jsonrpc"},
		// The limit of time is not that of the command, which could meet it before it serves: each request has its own.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(c *cobra.Command, _ []string) error {
			var one sync.Mutex                      // flags are not for several goroutines
			workspace := &bicep.Workspace{Most: 32} // with Azure's types these take some 100 MB
			open := func(folder string) (*project.Project, error) {
				one.Lock()
				defer one.Unlock()
				a := newApp(strings.NewReader(""), io.Discard, io.Discard)
				a.workspace = workspace
				return a.open(c.Flags(), settings.Server, folder)
			}
			o, err := open("") // what is wrong with settings is said before anybody asks
			if err != nil {
				return err
			}
			in, out, err := a.peer(c, socket, pipe)
			if err != nil {
				return err
			}
			server := &jsonrpc.Server{Handle: rpc.Methods(open).Handle, Fault: func(v any, stack []byte) { a.Bug(v, stack) },
				Limit: o.TimeLimit, Late: &cli.TimeLimitError{Limit: o.TimeLimit, File: "the request"}}
			return cli.FailWith(cli.ExitIO, server.Serve(c.Context(), in, out))
		},
	}
	f := c.Flags()
	f.Bool("stdio", false, "read stdin and write stdout; this is the default")
	f.Uint16Var(&socket, "socket", 0, "connect to `PORT` of this machine")
	f.StringVar(&pipe, "pipe", "", "connect to the pipe `NAME`: a socket, or CoreFxPipe_NAME in the temporary folder")
	settings.AddFlags(a.App, c, settings.Server)
	c.MarkFlagsMutuallyExclusive("stdio", "socket", "pipe")
	return c
}

// peer returns the streams of the other program.
func (a *app) peer(c *cobra.Command, socket uint16, pipe string) (io.Reader, io.Writer, error) {
	network, address := "unix", pipe
	switch {
	case c.Flags().Changed("socket"):
		network, address = "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(socket)))
	case !c.Flags().Changed("pipe"):
		return a.Stdin, a.Stdout, nil
	case runtime.GOOS == "windows":
		return nil, nil, cli.Fail(cli.ExitUsage, "--pipe: named pipes of Windows are not supported; use --socket or --stdio")
	case !filepath.IsAbs(pipe):
		address = filepath.Join(os.TempDir(), "CoreFxPipe_"+pipe)
	}
	connection, err := (&net.Dialer{}).DialContext(c.Context(), network, address)
	if err != nil {
		return nil, nil, cli.Fail(cli.ExitIO, "nothing listens there: %w", err)
	}
	return connection, connection, nil
}
