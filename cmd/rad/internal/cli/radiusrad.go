package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Radius' own command line is called rad, too. This file hands the commands that only
// Radius has to that program.

// handedOver is the environment variable that lists the programs that have handed a
// command line over. A program that finds itself in it is asked a second time.
const handedOver = "RAD_HANDED_OVER_BY"

const installRadius = "https://docs.radapp.io/installation/"

// rootCommands are the commands of rad that this program has.
var rootCommands = []string{"bicep", "version", "help", "completion"}

// isOurs reports whether this program answers a command line itself. isBicep tells whether
// `rad bicep NAME` is answered here.
func isOurs(args []string, isBicep func(name string) bool) bool {
	if len(args) == 0 {
		return true
	}
	switch first := args[0]; first {
	case "-h", "--help", "-?", "/?", "-v", "--version":
		return true
	case "help":
		return len(args) < 2 || strings.HasPrefix(args[1], "--man") || isOurs(args[1:], isBicep)
	case "__complete", "__completeNoDesc":
		return len(args) < 3 || isOurs(args[1:], isBicep) // the last word is not finished yet
	case "bicep":
		return len(args) < 2 || strings.HasPrefix(args[1], "-") || args[1] == "" || isBicep(args[1])
	default:
		return slices.Contains(rootCommands, first)
	}
}

// HandOver runs the rad of Radius if the command line is one for it, and reports whether
// it did; status is then that of the process. Where there is no such program, the command
// line is left to this one, whose error says what to install.
func HandOver(args []string, isBicep func(name string) bool) (status int, handed bool) {
	if isOurs(args, isBicep) {
		return 0, false
	}
	self, err := os.Executable()
	if err != nil {
		return 0, false
	}
	earlier := filepath.SplitList(os.Getenv(handedOver))
	for _, path := range earlier {
		if workdir.SameFile(path, self) {
			fmt.Fprintf(os.Stderr, "Error: the rad of Radius that was found hands %q back to this program, %s; "+
				"put the real one first on the PATH, or install it: %s\n",
				report.Visible(strings.Join(args[:min(2, len(args))], " ")), report.Visible(self), installRadius)
			return ExitIO, true
		}
	}
	other := findRadiusRad(self, earlier)
	if other == "" {
		return 0, false
	}
	earlier = append(earlier, self)
	env := slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, handedOver+"=") })
	env = append(env, handedOver+"="+strings.Join(earlier, string(os.PathListSeparator)))
	status, err = become(other, append([]string{other}, args...), env)
	if err != nil {
		fmt.Fprintf(os.Stderr, "Error: the rad of Radius cannot be run: %s\n", report.Visible(err.Error()))
		return ExitIO, true
	}
	return status, true
}

// findRadiusRad returns the next rad on the PATH, or that in ~/.rad/bin, which is not this
// program and not one of the others; "" if there is none. Folders that are not absolute do
// not count: what they hold depends on where the user is.
func findRadiusRad(self string, others []string) string {
	folders := filepath.SplitList(os.Getenv("PATH"))
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(home, ".rad", "bin"))
	}
	for _, folder := range folders {
		if !filepath.IsAbs(folder) {
			continue
		}
		path, err := workdir.Executable(folder, "rad")
		if err != nil || workdir.SameFile(path, self) {
			continue
		}
		if !slices.ContainsFunc(others, func(other string) bool { return workdir.SameFile(path, other) }) {
			return path
		}
	}
	return ""
}

// radiusRad returns the rad of Radius on this machine, or "".
func radiusRad() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	return findRadiusRad(self, nil)
}

// WhichIsWhich says which program answers which commands.
func WhichIsWhich() string {
	self, err := os.Executable()
	if err != nil {
		self = "this program"
	}
	text := fmt.Sprintf("This program, %s, answers rad bicep, rad version, rad help and rad completion.\n", self)
	if other := radiusRad(); other != "" {
		return text + fmt.Sprintf("Every other command is handed to the rad of Radius, %s.", other)
	}
	return text + "Every other command is one of Radius, whose rad is not installed: " + installRadius
}

// radiusHas is the end of a message about a command that is not known here.
const radiusHas = ", and the rad of Radius, which may have it, is not installed: " + installRadius
