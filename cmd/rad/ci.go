package main

import (
	"os"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// ciFormat returns the form of findings that the CI system in which this process runs shows
// as annotations; "" outside of one. GitLab shows none of what a job prints, so its log gets
// the text.
func ciFormat(getenv func(string) string) report.Format {
	switch {
	case getenv("GITHUB_ACTIONS") == "true":
		return report.GitHub
	case getenv("TF_BUILD") != "": // Azure Pipelines sets it to True
		return report.Azure
	}
	return ""
}

// annotate makes findings annotations where a CI system shows them and the user has not chosen a
// form. The commands that stand in for the official compiler's do not call it.
func (o *compileOptions) annotate() {
	if o.given(keyDiagnosticsFormat) {
		return
	}
	if format := ciFormat(os.Getenv); format != "" {
		o.viper.Set(keyDiagnosticsFormat, string(format))
	}
}
