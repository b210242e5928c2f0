package project

import (
	"cmp"
	"os"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// Annotated is the format of findings where a CI system may show them as annotations: the user has not chosen a
// form. The commands that stand in for the official compiler's do not ask.
func (o *Project) Annotated() string {
	if o.Given(settings.KeyDiagnosticsFormat) {
		return o.DiagnosticsFormat
	}
	return cmp.Or(string(cli.CiFormat(os.Getenv)), o.DiagnosticsFormat)
}
