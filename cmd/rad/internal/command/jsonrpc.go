package command

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/jsonrpc"
	"github.com/radbicep/rad/cmd/rad/internal/memory"
	"github.com/radbicep/rad/cmd/rad/internal/rpc"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
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
		RunE: func(c *cobra.Command, _ []string) error {
			in, out, err := a.peer(c, socket, pipe)
			if err != nil {
				return err
			}
			return a.jsonrpc(c, in, out)
		},
	}
	f := c.Flags()
	f.Bool("stdio", false, "read stdin and write stdout; this is the default")
	f.Uint16Var(&socket, "socket", 0, "connect to `PORT` of this machine")
	f.StringVar(&pipe, "pipe", "", "connect to the pipe `NAME`: a socket, or CoreFxPipe_NAME in the temporary folder")
	settings.AddFlags(a.App, c, settings.Compiler)
	c.MarkFlagsMutuallyExclusive("stdio", "socket", "pipe")
	return c
}

// peer returns the streams of the other program.
func (a *app) peer(c *cobra.Command, socket uint16, pipe string) (io.Reader, io.Writer, error) {
	var connection net.Conn
	var err error
	switch {
	case c.Flags().Changed("socket"):
		connection, err = (&net.Dialer{}).DialContext(c.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(socket))))
	case c.Flags().Changed("pipe") && runtime.GOOS == "windows":
		return nil, nil, cli.Fail(cli.ExitUsage, "--pipe: named pipes of Windows are not supported; use --socket or --stdio")
	case c.Flags().Changed("pipe"):
		if !filepath.IsAbs(pipe) {
			pipe = filepath.Join(os.TempDir(), "CoreFxPipe_"+pipe)
		}
		connection, err = (&net.Dialer{}).DialContext(c.Context(), "unix", pipe)
	default:
		return a.Stdin, a.Stdout, nil
	}
	if err != nil {
		return nil, nil, cli.Fail(cli.ExitIO, "nothing listens there: %w", err)
	}
	return connection, connection, nil
}

// jsonrpc answers what a program asks.
func (a *app) jsonrpc(c *cobra.Command, in io.Reader, out io.Writer) error {
	name, _ := c.Flags().GetString(settings.Of(settings.KeyCompiler).Flag())
	if !slices.Contains([]string{"", "auto", "embedded", "rad"}, name) {
		return cli.Fail(cli.ExitUsage, "--compiler %s: jsonrpc always uses the built-in compiler", name)
	}
	memory.CollectRarely()
	a.LimitTime(0) // each request has its own
	var opening sync.Mutex
	methods := &rpc.Methods{
		Bug: func(fault any, stack []byte) { a.Bug(fault, stack) },
		Open: func(ctx context.Context, folder string) (*rpc.Work, error) {
			opening.Lock()
			defer opening.Unlock()
			one := newApp(strings.NewReader(""), io.Discard, io.Discard)
			one.AsBicep = true
			timed, stop := one.Timed(ctx)
			asks := settings.Caller{Asks: settings.Layer{Values: map[string]any{settings.KeyCompiler: "embedded"}}}
			o, err := one.openFor(c.Flags(), settings.Compiler, folder, asks)
			if err != nil {
				stop()
				return nil, err
			}
			return &rpc.Work{Project: o, Reporter: one.reporterFor(o, ""), Context: timed, Stop: stop}, nil
		},
	}
	first, err := methods.Open(c.Context(), "") // what is wrong with flags is said before anybody asks
	if err != nil {
		return err
	}
	first.Stop()
	server := &jsonrpc.Server{Handle: methods.Handle, Fault: methods.Bug}
	err = server.Serve(c.Context(), in, out)
	if errors.Is(err, context.Canceled) {
		return err
	}
	return cli.FailWith(cli.ExitIO, err)
}
