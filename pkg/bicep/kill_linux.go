package bicep

import "syscall"

// dieWithParent has the system kill a child when this process dies.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
