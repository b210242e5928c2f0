package cli

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep/expand"
)

// Timed returns the context of a command, or of one round of it, which begins now. stop ends it. All that is compiled
// and expanded with it shares one budget.
func (a *App) Timed(ctx context.Context) (timed context.Context, stop func()) {
	timed, cancel := context.WithCancelCause(expand.WithRun(ctx))
	l := &a.limit
	l.mu.Lock()
	defer l.mu.Unlock()
	l.began, l.cancel, l.work, l.last, l.met, l.reporter = time.Now(), cancel, nil, "", nil, nil
	a.startTimer()
	return timed, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.timer != nil {
			l.timer.Stop()
		}
		cancel(nil)
	}
}

// LimitTime sets the limit of what Timed began, and of what it begins later. 0 is none.
func (a *App) LimitTime(length time.Duration) {
	a.limit.mu.Lock()
	defer a.limit.mu.Unlock()
	a.limit.length = length
	a.startTimer()
}

// Limits notes which command is limited.
func (a *App) Limits(c *cobra.Command) {
	a.limit.mu.Lock()
	defer a.limit.mu.Unlock()
	a.limit.command = c
}

// Paused stops the clock of the limit until resume is called: it is not about somebody who thinks.
func (a *App) Paused() (resume func()) {
	l := &a.limit
	l.mu.Lock()
	defer l.mu.Unlock()
	since := time.Now()
	if l.timer != nil {
		l.timer.Stop()
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.began = l.began.Add(time.Since(since))
		a.startTimer()
	}
}

// startTimer starts the timer again. The caller holds the lock.
func (a *App) startTimer() {
	l := &a.limit
	if l.timer != nil {
		l.timer.Stop()
	}
	if l.length <= 0 || l.cancel == nil {
		return
	}
	cancel, length := l.cancel, l.length
	l.timer = time.AfterFunc(time.Until(l.began.Add(length)), func() {
		err := &TimeLimitError{Limit: length, File: a.inWork()}
		l.mu.Lock()
		l.met = err
		l.mu.Unlock()
		cancel(err)
		if a.Exit == nil {
			return
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.timer = time.AfterFunc(longerThanLimit, func() { a.expire(err) })
	})
}

// met returns that the limit of time was met, or nil.
func (a *App) met() *TimeLimitError {
	a.limit.mu.Lock()
	defer a.limit.mu.Unlock()
	return a.limit.met
}

// expire ends the process, whatever it is at.
func (a *App) expire(err *TimeLimitError) {
	defer a.Exit(ExitIO) // also if the rest fails, since the run goes on meanwhile
	defer func() { _ = recover() }()
	a.limit.mu.Lock()
	command, reporter := a.limit.command, a.limit.reporter
	a.limit.mu.Unlock()
	var failed *Failure
	if reporter == nil || !errors.As(reporter.Finish(context.Canceled), &failed) || !failed.Said {
		a.Tell("Error: %v", err)
	}
	status := ExitIO
	if IsDropIn(command) {
		status = 1
	}
	if command != nil && a.WantsJSON() {
		status = a.Answer(context.Background(), command, status, err)
	}
	a.Exit(status)
}

// Working notes that a file is in work, until done is called: a run that takes too long names it.
func (a *App) Working(file string) (done func()) {
	l := &a.limit
	l.mu.Lock()
	defer l.mu.Unlock()
	one := &file
	l.work, l.last = append(l.work, one), file
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if i := slices.Index(l.work, one); i >= 0 {
			l.work = slices.Delete(l.work, i, i+1)
		}
	}
}

// inWork returns the file that has been in work for the longest time, or else the one that was begun
// last: what it was compiled to is then at work.
func (a *App) inWork() string {
	a.limit.mu.Lock()
	defer a.limit.mu.Unlock()
	if len(a.limit.work) > 0 {
		return *a.limit.work[0]
	}
	return a.limit.last
}
