package integration

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestProgress: while a deployment runs, the object says how far it is soon after each step, there is an object
// for each step from its beginning on, and Radius is asked once a poll.
func TestProgress(t *testing.T) {
	const each = 4 * time.Second
	w := newWorld(t, func(w *world) { w.radius.DeployTime = 3 * each })
	w.create("shop", template(app, web, db))
	w.eventually(func() string {
		if len(w.radius.Puts()) == 0 {
			return "nothing sent"
		}
		return ""
	})
	began := w.radius.Puts()[0].At
	for made := range 3 {
		pattern := regexp.MustCompile(fmt.Sprintf(`^%d of 3 made; makes [a-zA-Z]+/(app|web|db)$`, made))
		w.within(time.Until(began.Add(time.Duration(made)*each+3*time.Second)), func() string {
			dt := w.get("shop")
			if !pattern.MatchString(dt.Status.Message) {
				return fmt.Sprintf("%d: %q", made, dt.Status.Message)
			}
			require.Equal(t, "Unknown/Creating", condition(dt.Status.Conditions, "Ready"))
			return ""
		})
		w.eventually(func() string {
			children := w.children()
			if len(children) != made+1 {
				return fmt.Sprintf("%d objects", len(children))
			}
			for _, dr := range children {
				if got := condition(dr.Status.Conditions, "Ready"); got != "Unknown/Creating" {
					return dr.Name + " " + got
				}
			}
			return ""
		})
	}
	w.waitFor("shop", "True/Succeeded")
	w.eventually(func() string {
		for _, dr := range w.children() {
			if got := condition(dr.Status.Conditions, "Ready"); got != "True/Succeeded" {
				return dr.Name + " " + got
			}
		}
		return ""
	})
	require.Len(t, w.children(), 3)
	asked := w.listings() + len(w.radius.Requests("GET", "/operationstatuses/"))
	require.LessOrEqual(t, asked, 11, "12 seconds\n%s", w.log())
}

// listings are how often steps were asked for.
func (w *world) listings() (n int) {
	for _, r := range w.radius.Requests("GET", "/operations") {
		if strings.HasSuffix(r.Path, "/operations") {
			n++
		}
	}
	return n
}

// TestProgressOfAFailure: the object of a step that made nothing goes, and no complaint is made of it.
func TestProgressOfAFailure(t *testing.T) {
	w := newWorld(t, func(w *world) {
		w.radius.DeployTime = 6 * time.Second
		w.radius.FailResource = func(id string) string {
			if strings.HasSuffix(id, "/web") {
				return "no such image"
			}
			return ""
		}
	})
	w.create("shop", template(app, web))
	w.eventually(func() string {
		if n := len(w.children()); n != 2 {
			return fmt.Sprintf("%d objects", n)
		}
		return ""
	})
	w.waitFor("shop", "False/Failed")
	w.eventually(func() string {
		if children := w.children(); len(children) != 1 || !strings.HasSuffix(children[0].Spec.ID, "/app") {
			return fmt.Sprint(len(children))
		}
		return ""
	})
	require.Empty(t, w.radius.Requests("DELETE", ""))
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.radius.Resources())
}

// A Radius that lists no steps is asked for the operation as before.
func TestNoProgress(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.DeployTime, w.radius.NoSteps = 6*time.Second, true })
	w.create("shop", template(web))
	w.eventually(func() string {
		if got := w.get("shop").Status.Message; got != "deploys" {
			return got
		}
		return ""
	})
	w.waitFor("shop", "True/Succeeded")
	require.LessOrEqual(t, w.listings(), 4)
}
