package main

import (
	_ "github.com/Azure/azure-service-operator/v2/api"
	_ "github.com/radbicep/rad/pkg/manifest/aso"
	_ "github.com/stretchr/testify/require"
	_ "k8s.io/apimachinery/pkg/runtime"
)
