//go:build !unix

package bicep

import "os/exec"

// killWithChildren leaves the default: the process itself is killed, and reading
// from its pipes ends shortly after.
func killWithChildren(*exec.Cmd) {}
