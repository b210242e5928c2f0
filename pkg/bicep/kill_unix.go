//go:build unix

package bicep

import (
	"os/exec"
	"runtime"
	"syscall"
)

// runWithChildren runs a command as a process group of its own, which ends when the
// command does, when it is cancelled, and as far as the system can see to it, when this
// process dies.
func runWithChildren(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error {
		if cmd.Process == nil {
			return nil
		}
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	// The signal of a parent's death comes when the thread ends that started the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	if cmd.Process != nil { // what the command left running in the background
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	return err
}
