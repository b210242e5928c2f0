//go:build tools

package main

// The module whose source is read. Nothing of it is compiled.
import _ "github.com/Azure/azure-service-operator/v2/api"
