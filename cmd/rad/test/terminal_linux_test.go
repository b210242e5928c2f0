package test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"
)

func init() { scriptPrograms["onterminal"] = onTerminalMain }

// onTerminalMain runs a command on a terminal: it types what standard input has, and then the end of the input, and writes
// to standard output all that the terminal shows. The ttyin of testscript closes the terminal while it is read, so that the
// end may be lost; script(1) waits for a second or two after the end of the input.
func onTerminalMain() {
	limit, err := time.ParseDuration(os.Args[1])
	code := 125
	if err == nil {
		code, err = runOnTerminal(limit, os.Args[2:])
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "onterminal %q: %v\n", os.Args[2:], err)
		code = 125
	}
	os.Exit(code)
}

// runOnTerminal returns the command's exit status. A command that reads on, or does not end, is killed after the limit.
func runOnTerminal(limit time.Duration, args []string) (code int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	control, tty, err := openTerminal()
	if err != nil {
		return 0, err
	}
	end, _ := ctx.Deadline()
	if err := control.SetDeadline(end); err != nil {
		return 0, err
	}
	typed, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 0, err
	}
	if _, err := control.Write(append(typed, 4, 4)); err != nil { // the first ends a line that has no line end
		return 0, err
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	tty.Close()
	_, _ = io.Copy(os.Stdout, control) // it ends with an error when nobody has the terminal any more
	_ = cmd.Wait()
	if ctx.Err() != nil {
		return 0, fmt.Errorf("it has not ended after %s, and was killed", limit)
	}
	return cmd.ProcessState.ExitCode(), nil
}

// openTerminal returns both ends of a new terminal. Deadlines hold for control, since nobody asks for its Fd.
func openTerminal() (control, tty *os.File, err error) {
	control, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	conn, err := control.SyscallConn()
	if err != nil {
		return nil, nil, err
	}
	var number, locked int32
	for request, value := range map[uintptr]*int32{syscall.TIOCGPTN: &number, syscall.TIOCSPTLCK: &locked} {
		var failed syscall.Errno
		err := conn.Control(func(fd uintptr) {
			_, _, failed = syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(value)))
		})
		if err != nil {
			return nil, nil, err
		} else if failed != 0 {
			return nil, nil, failed
		}
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	return control, tty, err
}
