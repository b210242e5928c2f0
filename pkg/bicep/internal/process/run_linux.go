package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// dieWithParent has the system kill a child when this process dies.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// The operations of prctl that are used.
const (
	prSetName           = 15
	prGetName           = 16
	prSetChildSubreaper = 36
)

func prctl(operation int, argument uintptr) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, uintptr(operation), argument, 0)
}

// orphans counts the commands that run. While one does, its descendants whose parents
// have ended become children of this process, so that they can be found.
var orphans struct {
	mu      sync.Mutex
	running int
}

// adopt begins a command. The function that it returns ends what the command has left
// running, in whatever session, once no other command runs.
func adopt() (end func()) {
	orphans.mu.Lock()
	defer orphans.mu.Unlock()
	if orphans.running++; orphans.running == 1 {
		prctl(prSetChildSubreaper, 1)
	}
	return func() {
		orphans.mu.Lock()
		defer orphans.mu.Unlock()
		if orphans.running--; orphans.running > 0 {
			return
		}
		// The children of a process become ours only when it has ended.
		for range 50 {
			list := adopted()
			if len(list) == 0 {
				break
			}
			for _, pid := range list {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
			}
			time.Sleep(2 * time.Millisecond)
		}
		prctl(prSetChildSubreaper, 0)
	}
}

// adopted lists the children of this process that it did not start: those it starts are
// in its own process group, but for the commands, which have ended.
func adopted() (list []int) {
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	self, group := os.Getpid(), syscall.Getpgrp()
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil {
			continue
		}
		if parent, in := relatives(pid); parent == self && in != group {
			list = append(list, pid)
		}
	}
	return list
}

// relatives returns the parent of a process and its process group, or zeros.
func relatives(pid int) (parent, group int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	// The name of the program, in parentheses, may hold anything.
	text = text[bytes.LastIndexByte(text, ')')+1:]
	var state string
	if _, err := fmt.Sscan(string(text), &state, &parent, &group); err != nil {
		return 0, 0
	}
	return parent, group
}

// announcement is the name of a thread that waits for a command.
func announcement(pid int) string { return fmt.Sprintf("rad-run %d", pid) }

// announce gives the thread a name that says for which command it waits. It is undone by
// the function that it returns.
func announce(pid int) (undo func()) {
	var before, now [16]byte
	copy(now[:15], announcement(pid))
	prctl(prGetName, uintptr(unsafe.Pointer(&before)))
	prctl(prSetName, uintptr(unsafe.Pointer(&now)))
	return func() { prctl(prSetName, uintptr(unsafe.Pointer(&before))) }
}

// CalledBack reports whether an external compiler that this program runs has run this
// program, at whatever distance. It looks at the processes, since an environment can be
// emptied on the way.
func CalledBack() bool {
	self, err := os.Stat("/proc/self/exe")
	if err != nil {
		return false
	}
	pid := os.Getpid()
	for range 100 {
		parent, _ := relatives(pid)
		if parent <= 0 {
			return false
		}
		if exe, err := os.Stat(fmt.Sprintf("/proc/%d/exe", parent)); err == nil && os.SameFile(self, exe) && announces(parent, pid) {
			return true
		}
		pid = parent
	}
	return false
}

// announces reports whether a thread of a process waits for a command.
func announces(process, command int) bool {
	names, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/comm", process))
	if err != nil {
		return false
	}
	want := announcement(command)
	return slices.ContainsFunc(names, func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && string(bytes.TrimSpace(text)) == want
	})
}
