package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// CanAsk reports whether there is somebody to ask: questions go to stderr, and answers come from standard input.
func (a *App) CanAsk() bool {
	return IsTerminal(a.Stdin) && IsTerminal(a.Stderr) && !a.Quiet && !a.WantsJSON() && !InCI()
}

// InCI reports whether the process runs in a CI system, where nobody waits for it.
func InCI() bool {
	ci := os.Getenv("CI")
	return ci != "" && ci != "false"
}

// askTimes is how often a question is asked that gets an answer which is none.
const askTimes = 3

// Ask asks a question until check takes the answer, which has no blanks around it, and returns what check makes
// of it. An empty answer stands for usual.
func (a *App) Ask(ctx context.Context, question, usual string, check func(answer string) (string, error)) (string, error) {
	defer a.Paused()()
	if usual != "" {
		question += " [" + usual + "]"
	}
	if a.input == nil {
		a.input = bufio.NewReader(a.Stdin)
	}
	for left := askTimes; ; {
		fmt.Fprint(a.Stderr, report.Visible(question)+": ")
		line, err := a.readLine(ctx)
		if err != nil {
			fmt.Fprintln(a.Stderr) // below the question
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			return "", err
		}
		if line = strings.TrimSpace(line); line == "" {
			line = usual
		}
		answer, err := check(line)
		if err == nil {
			return answer, nil
		}
		if left--; left == 0 {
			return "", err
		}
		a.Tell("%v", err)
	}
}

// readLine reads a line of standard input, unless the command is stopped meanwhile.
func (a *App) readLine(ctx context.Context) (string, error) {
	type read struct {
		line string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		line, err := a.input.ReadString('\n')
		done <- read{line, err}
	}()
	select {
	case r := <-done:
		return r.line, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
