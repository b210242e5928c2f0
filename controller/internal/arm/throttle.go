package arm

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Azure gives each principal 10 deletions and 25 reads a second in a subscription, and 200 at once. Others may have the same identity.
const (
	perSecond = 10
	atOnce    = 100
	// turnWait is the longest time that a request waits for its turn. Its object is worked on later if that is not enough.
	turnWait = time.Second
	// pauseWait is how long a subscription is left alone that asks for fewer requests and does not say for how long.
	pauseWait = 10 * time.Second
	maxPause  = 10 * time.Minute
)

// throttle bounds the requests to each subscription. When Azure says that there are too many, it sends none until Azure's time is over.
type throttle struct {
	next http.RoundTripper
	now  func() time.Time

	mu            sync.Mutex
	subscriptions map[string]*turns
}

// turns are those of one subscription.
type turns struct {
	limit *rate.Limiter
	until time.Time // no request before
}

func (t *throttle) RoundTrip(r *http.Request) (*http.Response, error) {
	subscription := subscriptionOf(r.URL.Path)
	t.mu.Lock()
	mine := t.subscriptions[subscription]
	if mine == nil {
		mine = &turns{limit: rate.NewLimiter(perSecond, atOnce)}
		t.subscriptions[subscription] = mine
	}
	now := t.now()
	if wait := mine.until.Sub(now); wait > 0 {
		t.mu.Unlock()
		until := mine.until.UTC().Format(time.RFC3339)
		return tooMany(r, wait, fmt.Sprintf("the subscription %s is asked nothing until %s, as Azure said", subscription, until)), nil
	}
	turn := mine.limit.ReserveN(now, 1)
	wait := turn.DelayFrom(now)
	if wait > turnWait {
		turn.CancelAt(now)
	}
	t.mu.Unlock()
	if wait > turnWait {
		return tooMany(r, wait, fmt.Sprintf("the subscription %s is sent at most %d requests a second", subscription, perSecond)), nil
	}
	if wait > 0 {
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	res, err := t.next.RoundTrip(r)
	if err == nil && res.StatusCode == http.StatusTooManyRequests {
		pause := pauseWait
		if seconds, err := strconv.Atoi(strings.TrimSpace(res.Header.Get("Retry-After"))); err == nil && seconds > 0 {
			pause = min(time.Duration(seconds)*time.Second, maxPause)
		}
		t.mu.Lock()
		mine.until = t.now().Add(pause)
		t.mu.Unlock()
	}
	return res, err
}

// tooMany is an answer that this process gives itself, in Azure's form.
func tooMany(r *http.Request, wait time.Duration, why string) *http.Response {
	seconds := strconv.Itoa(int(math.Ceil(wait.Seconds())))
	return &http.Response{
		StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {seconds}}, Request: r,
		Body: io.NopCloser(strings.NewReader(`{"error":{"code":"TooManyRequests","message":` + strconv.Quote(why) + `}}`)),
	}
}
