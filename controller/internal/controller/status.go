package controller

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// clean takes secrets out of messages, and bounds their length.
func clean(message *string, conditions []metav1.Condition, secrets *deployment.Secrets) {
	cleaned := map[string]string{} // most conditions say the same
	each := func(text *string) {
		if _, ok := cleaned[*text]; !ok {
			cleaned[*text] = truncate(secrets.Redact(*text), maxMessage)
		}
		*text = cleaned[*text]
	}
	each(message)
	for i := range conditions {
		each(&conditions[i].Message)
	}
}

func truncate(s string, most int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= most {
		return s
	}
	s = s[:most-len(" …")]
	for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	if len(s) > 0 && s[len(s)-1] >= utf8.RuneSelf {
		s = s[:len(s)-1]
	}
	return s + " …"
}

// longWait is a wait that a status speaks of. Shorter ones would make it change all the time.
const longWait = 10 * time.Second

// nextTry stands before the time of the next try in a message.
const nextTry = "; tried again at "

// untilWhen adds to a message when the next try comes, if that is not soon. What is ready stays as it is.
func untilWhen(message *string, conditions []metav1.Condition, now time.Time, wait time.Duration) {
	if wait < longWait || meta.IsStatusConditionTrue(conditions, v1alpha3.ConditionReady) {
		return
	}
	add := func(to *string) {
		said, _, _ := strings.Cut(*to, nextTry)
		*to = said + nextTry + now.Add(wait).UTC().Format(time.RFC3339)
	}
	add(message)
	for i := range conditions {
		add(&conditions[i].Message)
	}
}

// jittered is d, a tenth more or less, so that objects that were made together do not stay together.
func (c *core) jittered(d time.Duration) time.Duration {
	return d + time.Duration((c.Random()-0.5)*0.2*float64(d))
}

// minus is a without what is in b.
func minus(a, b []string) []string {
	drop := make(map[string]bool, len(b))
	for _, id := range b {
		drop[resourceid.Key(id)] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(id string) bool { return drop[resourceid.Key(id)] })
}

// union is a with what of b is not in it.
func union(a, b []string) []string {
	have := map[string]bool{}
	all := slices.Clone(a)
	for _, id := range a {
		have[resourceid.Key(id)] = true
	}
	for _, id := range b {
		if key := resourceid.Key(id); !have[key] {
			have[key] = true
			all = append(all, id)
		}
	}
	return all
}

// retry says that something is tried again, for a reason that is not a verdict on the spec.
type retry struct {
	set   bool
	first time.Duration // the first delay; each next one is twice as long
	most  time.Duration // the longest delay; 0 means maxRetryDelay
	after time.Duration // what the service asked for
}

// note is an event to be sent when the status is saved.
type note struct {
	warning bool
	reason  string
	message string
}

// verdict is what the conditions of an object say of one of its generations.
type verdict struct {
	generation  int64
	ready       metav1.ConditionStatus
	reason      string
	message     string
	reconciling bool
	stalled     bool
}

// set writes the verdict into conditions. Ready is always there; the others only while they are true.
func (v verdict) set(conditions *[]metav1.Condition, now time.Time) {
	set := func(typ string, status metav1.ConditionStatus) {
		meta.SetStatusCondition(conditions, metav1.Condition{
			Type: typ, Status: status, Reason: v.reason, Message: cmp.Or(v.message, v.reason),
			ObservedGeneration: v.generation, LastTransitionTime: metav1.NewTime(now),
		})
	}
	set(v1alpha3.ConditionReady, v.ready)
	for typ, on := range map[string]bool{v1alpha3.ConditionReconciling: v.reconciling, v1alpha3.ConditionStalled: v.stalled} {
		if on {
			set(typ, metav1.ConditionTrue)
		} else {
			meta.RemoveStatusCondition(conditions, typ)
		}
	}
}
