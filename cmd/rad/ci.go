package main

import (
	"os"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// annotate makes findings annotations where a CI system shows them and the user has not chosen a
// form. The commands that stand in for the official compiler's do not call it.
func (o *compileOptions) annotate() {
	if o.given(keyDiagnosticsFormat) {
		return
	}
	if format := cli.CiFormat(os.Getenv); format != "" {
		o.viper.Set(keyDiagnosticsFormat, string(format))
	}
}
