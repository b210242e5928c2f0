package project

import (
	"os"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// Annotate makes findings annotations where a CI system shows them and the user has not chosen a
// form. The commands that stand in for the official compiler's do not call it.
func (o *Project) Annotate() {
	if o.Given(settings.KeyDiagnosticsFormat) {
		return
	}
	if format := cli.CiFormat(os.Getenv); format != "" {
		o.DiagnosticsFormat = string(format)
	}
}
