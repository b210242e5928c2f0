module github.com/radbicep/rad/pkg/manifest/aso/asotable

go 1.26

require github.com/Azure/azure-service-operator/v2 v2.13.0
