package cli

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// The work that a template describes can be without end, or longer than anybody waits for. So each
// command, or with --watch each round of it, has a limit of time. When it is over:
//
//  1. the context of the command is cancelled, with a *TimeLimitError as the cause. Most work stops
//     then, and removes what is incomplete. Conclude reports the error in place of the cancellation.
//  2. Work that looks at no context is not waited for: after a moment the process ends. What was found until then is
//     printed.
type timeLimit struct {
	mu      sync.Mutex
	began   time.Time
	length  time.Duration // 0 is no limit
	timer   *time.Timer
	cancel  context.CancelCauseFunc
	command *cobra.Command
	work    []*string // the files in work, those that were begun first at the beginning
	last    string    // the file that was begun last

	met      *TimeLimitError // nil until the limit is met
	reporter *Reporter       // of the run; nil for a run without findings
}

// longerThanLimit is how long work may take to stop, once the limit is over.
const longerThanLimit = 2 * time.Second

// TimeLimitError says that a command, or a round of it, took too long.
type TimeLimitError struct {
	Limit time.Duration
	File  string // that it was in, or ""
}

func (e *TimeLimitError) Error() string {
	what := "the command"
	if e.File != "" {
		what = workdir.Shown(e.File)
	}
	return fmt.Sprintf("%s: it is not done after %v, which is the limit of time; --time-limit sets another, and 0 none", what, e.Limit)
}
