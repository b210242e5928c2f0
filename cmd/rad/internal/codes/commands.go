package codes

import (
	_ "embed"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/explain"
	"github.com/radbicep/rad/pkg/bicep/report"
)

//go:embed commands.txt
var commandsText string

// commandCode is a code that a command reports, and no compiler.
type commandCode struct {
	Code, message, repair string
	Files                 []explain.File
	Command               string // that reports it of the files; "" if there is no example
	warning               bool   // it is no error
}

// Commands explains those codes. Their examples are programs and command lines, which
// a test runs.
func Commands() (list []commandCode) {
	for _, entry := range strings.Split(commandsText, "\n\n== ")[1:] {
		parts := strings.Split(entry, "\n-- ")
		head := append(strings.Split(strings.TrimSpace(parts[0]), "\n"), "")
		code, level, _ := strings.Cut(head[0], " ")
		c := commandCode{Code: code, message: head[1], repair: head[2], warning: level == "warning"}
		c.Command = strings.TrimPrefix(head[3], "$ ")
		for _, part := range parts[1:] {
			name, text, _ := strings.Cut(part, " --\n")
			text = strings.ReplaceAll(strings.TrimSuffix(text, "\n")+"\n", `\r`, "\r")
			c.Files = append(c.Files, explain.File{Name: name, Text: text})
		}
		list = append(list, c)
	}
	return list
}

// Explanation returns the entry in the form of those of the compiler.
func (c commandCode) Explanation() explain.Explanation {
	level := report.Error
	if c.warning {
		level = report.Warning
	}
	return explain.Explanation{Code: c.Code, Level: level, Message: c.message, Repair: c.repair}
}
