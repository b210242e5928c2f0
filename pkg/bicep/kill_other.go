//go:build !unix && !windows

package bicep

import "os/exec"

// runWithChildren runs a command. Its cancellation ends the command alone.
func runWithChildren(cmd *exec.Cmd, _ bool) error { return cmd.Run() }
