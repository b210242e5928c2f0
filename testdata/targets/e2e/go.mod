module github.com/radbicep/rad/testdata/targets/e2e

go 1.26

require github.com/Azure/azure-service-operator/v2 v2.13.0
