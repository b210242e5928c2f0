//go:build unix

package process

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Run runs a command as a process group of its own, which ends when the
// command does, when it is cancelled, and as far as the system can see to it, when this
// process dies. On Linux, orphans that have left the group end with it, too, if they are
// to.
func Run(cmd *exec.Cmd, orphans bool) error {
	if orphans {
		defer adopt()()
	}
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
	if err := cmd.Start(); err != nil {
		return err
	}
	defer announce(cmd.Process.Pid)()
	err := cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what the command left running in the background
	return err
}
