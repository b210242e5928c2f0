// Tests of the controller against Radius itself: ../../Makefile says how they are run. The programs of
// Radius are built by the module in programs, so that nothing here needs Radius' dependencies.
module github.com/radbicep/rad/controller/test/radius

go 1.26.0

require (
	github.com/radbicep/rad v0.0.0
	github.com/stretchr/testify v1.12.1
	go.yaml.in/yaml/v3 v3.0.6
)

require golang.org/x/text v0.43.0 // indirect

replace github.com/radbicep/rad => ../../..
