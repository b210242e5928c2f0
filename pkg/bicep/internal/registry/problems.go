package registry

import (
	"errors"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// NotFetched is the problem of a template spec that is not in the cache.
func NotFetched(a *artifact.Reference) *diag.Problem {
	return diag.BCP192.With(a, "template specs are not fetched by this program; "+
		"'bicep restore' of the official compiler puts it into the same cache, or export it with 'az ts export' and use the file")
}

// Offline is the problem of an artifact that would have to be fetched.
func Offline(a *artifact.Reference) *diag.Problem {
	return diag.BCP192.With(a, &report.HintedError{Text: "it is not in the cache, and the run is offline", Hint: report.HintRestore})
}

// NotRestored is the problem of an artifact that could not be fetched. To pin another content helps only where what is pinned is
// gone: where something else was sent, the lock file has done what it is for.
func NotRestored(j *Job) *diag.Problem {
	reason := strings.TrimSuffix(j.Err.Error(), ".")
	if j.Digest == "" || j.Digest == j.Reference.Digest {
		return diag.BCP192.With(j.Reference, reason)
	}
	reason += "; " + lockfile.Name + " pins it to " + j.Digest
	if !errors.Is(j.Err, errGone) {
		return diag.BCP192.With(j.Reference, reason)
	}
	return diag.BCP192.With(j.Reference, &report.HintedError{Text: reason, Hint: report.HintUpdate})
}
