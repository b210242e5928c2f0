// Command rad-controller deploys DeploymentTemplates through Radius.
package main

import (
	"os"

	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/manager"
)

func main() {
	os.Exit(manager.Main(os.Args[1:], check.NewRegistry()))
}
