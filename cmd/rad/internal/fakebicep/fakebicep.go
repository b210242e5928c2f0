// Package fakebicep is a program for tests: it answers as the official compiler
// does, with what is beside its input, or misbehaves as FAKEBICEP_MODE says.
package fakebicep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Main is the program.
//
//	build --stdout x.bicep             prints x.bicep.out, and x.bicep.err on stderr
//	build-params --stdout x.bicepparam prints x.bicepparam.out as parametersJson, with
//	                                   the template x.bicepparam.template
//	--version                          prints FAKEBICEP_VERSION
//
// An .err file that holds an error makes it end with status 1, printing nothing else.
func Main() {
	if log := os.Getenv("FAKEBICEP_LOG"); log != "" {
		f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err == nil {
			fmt.Fprintln(f, strings.Join(os.Args[1:], " "), os.Getenv("BICEP_PARAMETERS_OVERRIDES"))
			f.Close()
		}
	}
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Printf("Bicep CLI version %s (0123456789)\n", os.Getenv("FAKEBICEP_VERSION"))
		return
	}
	switch mode := os.Getenv("FAKEBICEP_MODE"); mode {
	case "":
		answer()
	case "nonsense":
		fmt.Println("<html>503 Service Unavailable</html>")
	case "notemplate":
		fmt.Println(`{"hello": "world"}`)
	case "nothing":
	case "silent":
		os.Exit(3)
	case "words":
		fmt.Fprintln(os.Stderr, "Unhandled exception. System.OutOfMemoryException")
		os.Exit(134)
	case "huge":
		block := bytes.Repeat([]byte("x"), 1<<20)
		for range 200 {
			if _, err := os.Stdout.Write(block); err != nil {
				os.Exit(1)
			}
		}
	case "hugeerr":
		block := bytes.Repeat([]byte("x"), 1<<20)
		for range 200 {
			if _, err := os.Stderr.Write(block); err != nil {
				os.Exit(1)
			}
		}
	case "hang":
		time.Sleep(time.Hour)
	case "hangchild": // a child that holds the pipes, and tells its process number
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		if err := os.WriteFile("child.pid", fmt.Append(nil, child.Process.Pid), 0o666); err != nil {
			panic(err)
		}
		_ = child.Wait()
	case "abort":
		p, _ := os.FindProcess(os.Getpid())
		_ = p.Kill()
		time.Sleep(time.Minute)
	case "color":
		fmt.Fprint(os.Stderr, "\x1b[31m")
		answer()
	default:
		fmt.Fprintln(os.Stderr, "unknown FAKEBICEP_MODE", mode)
		os.Exit(2)
	}
}

func answer() {
	file := os.Args[len(os.Args)-1]
	if _, err := os.Stat(file); err != nil {
		fmt.Fprintf(os.Stderr, "%s(1,1) : Error BCP091: An error occurred reading file.\n", file)
		os.Exit(1)
	}
	messages, _ := os.ReadFile(file + ".err")
	if os.Args[1] == "build-params" && os.Getenv("BICEP_PARAMETERS_OVERRIDES") != "" {
		if again, err := os.ReadFile(file + ".override.err"); err == nil {
			messages = again
		}
	}
	os.Stderr.Write(messages)
	if bytes.Contains(messages, []byte(": Error ")) {
		os.Exit(1)
	}
	out, err := os.ReadFile(file + ".out")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if os.Args[1] == "build" {
		os.Stdout.Write(out)
		return
	}
	if again, err := os.ReadFile(file + ".override.out"); err == nil && os.Getenv("BICEP_PARAMETERS_OVERRIDES") != "" {
		out = again
	}
	result := map[string]any{"parametersJson": string(out), "templateJson": nil, "templateSpecId": nil}
	if template, err := os.ReadFile(file + ".template"); err == nil {
		result["templateJson"] = string(template)
	}
	b, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(b)
}
