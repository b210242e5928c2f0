// Command rad compiles Bicep and writes the Kubernetes manifests that Radius
// deploys.
package main

import "github.com/radbicep/rad/cmd/rad/internal/command"

func main() { command.Main() }
