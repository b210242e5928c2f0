package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/controller/check"
)

func TestGateway(t *testing.T) {
	for body, want := range map[string]string{
		`{"properties": {}}`:                                                               "NoURL",
		`{"properties": {"url": "http://shop.example"}}`:                                   "NotEncrypted",
		`{"properties": {"url": "https://shop.example"}}`:                                  "",
		`{"properties": {"url": "https://shop.example", "provisioningState": "Updating"}}`: "ResourceNotReady",
		"": "ResourceNotReady",
	} {
		gateway := check.Resource{ID: "/gateways/shop", Type: "Applications.Core/gateways", Readable: true, Exists: body != "", Body: []byte(body)}
		result, err := checks().Run(t.Context(), check.Input{Resource: gateway})
		require.NoError(t, err)
		require.Equal(t, want, result.Reason(), body)
	}
}
