//go:build !unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// become runs a program with the streams of this process, and returns its exit status. An
// interrupt reaches both processes; the other one decides what it means.
func become(path string, argv, env []string) (int, error) {
	signal.Ignore(os.Interrupt)
	c := &exec.Cmd{Path: path, Args: argv, Env: env, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	err := c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}
