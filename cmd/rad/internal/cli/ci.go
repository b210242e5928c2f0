package cli

import "github.com/radbicep/rad/pkg/bicep/report"

// CiFormat returns the form of findings that the CI system in which this process runs shows
// as annotations; "" outside of one. GitLab shows none of what a job prints, so its log gets
// the text.
func CiFormat(getenv func(string) string) report.Format {
	switch {
	case getenv("GITHUB_ACTIONS") == "true":
		return report.GitHub
	case getenv("TF_BUILD") != "": // Azure Pipelines sets it to True
		return report.Azure
	}
	return ""
}
