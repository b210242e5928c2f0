package controller

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/radbicep/rad/controller/internal/radius"
)

// Outage is what both reconcilers know of a Radius that does not answer. After ten requests in a row that Radius did not
// answer, one object asks for all: thousands of others would only keep the API server busy. Its first answer wakes them.
type Outage struct {
	// Wake wakes all objects, spread out. It may be nil.
	Wake func()

	within time.Duration // how long a reconcile may take

	mu       sync.Mutex
	failures int
	said     string    // in place of the last answer
	since    time.Time // that one object asks for all
	asker    string    // the object that asks
	next     time.Time // when it asks again
	epoch    int       // counts outages
}

const (
	outageAfter  = 10
	outageWait   = 5 * time.Minute // of the others; they are woken before
	outageMargin = 10 * time.Second
)

// Heard takes in what came back from a request. Any answer of Radius ends an outage, also one that refuses what was asked.
func (o *Outage) Heard(err error) {
	var e *radius.Error
	answered := !errors.As(err, &e) || e.Answered()
	o.mu.Lock()
	over := answered && o.failures >= outageAfter
	switch {
	case over:
		o.epoch++
		fallthrough
	case answered:
		o.failures, o.asker, o.since = 0, "", time.Time{}
	default:
		o.failures++
		o.said = e.Sentence()
	}
	o.mu.Unlock()
	if over && o.Wake != nil {
		o.Wake()
	}
}

// mayAsk returns an error if another object asks Radius for all.
func (o *Outage) mayAsk(who string, now time.Time) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failures < outageAfter {
		return nil
	}
	if o.since.IsZero() {
		o.since = now
	}
	// One that is late does not ask any more: its object is gone, for example.
	if o.asker == "" || now.After(o.next.Add(outageMargin)) {
		o.asker, o.next = who, now.Add(o.within)
	}
	if o.asker == who {
		return nil
	}
	return &radius.Error{RetryAfter: outageWait, Cause: fmt.Errorf("it has answered nothing since %s (%s). "+
		"One object asks for all; this one goes on when it answers",
		o.since.UTC().Format(time.RFC3339), o.said)}
}

// asksAgain notes when an object asks again.
func (o *Outage) asksAgain(who string, at time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.asker == who {
		o.next = at
	}
}

// current is the number of the outage that there is now, or 0.
func (o *Outage) current() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failures < outageAfter {
		return 0
	}
	return o.epoch + 1
}
