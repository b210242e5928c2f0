module github.com/radbicep/rad

go 1.26

require (
	github.com/Azure/bicep-types/src/bicep-types-go v0.0.0-20260614201630-7ee0136a7be7
)
