//go:build unix

package settings

import (
	"os"
	"strconv"
	"syscall"
)

// foreignOwner names the owner of a file that another user owns, as git judges the
// owner of a work tree; "" if the file is the user's own.
func foreignOwner(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) == os.Geteuid() {
		return ""
	}
	id := strconv.FormatUint(uint64(stat.Uid), 10)
	if os.Geteuid() == 0 && os.Getenv("SUDO_UID") == id {
		return "" // root works for the user who called sudo
	}
	return "another user (" + id + ")"
}
