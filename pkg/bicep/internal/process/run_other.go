//go:build !unix && !windows

package process

import "os/exec"

// Run runs a command. Its cancellation ends the command alone.
func Run(cmd *exec.Cmd, _ bool) error { return cmd.Run() }
