package typelib

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

const (
	deprecatedVersion  = "2023-10-01-preview"
	replacementVersion = "2025-08-01-preview"
)

// replacements are the types that take the place of those that Radius removes, by their names in lower case. The table is
// Radius' own: deprecatedTypeReplacements of its release 0.61.
var replacements = map[string]string{
	"applications.core/applications":         "Radius.Core/applications",
	"applications.core/environments":         "Radius.Core/environments",
	"applications.core/containers":           "Radius.Compute/containers",
	"applications.core/gateways":             "Radius.Compute/routes",
	"applications.core/volumes":              "Radius.Compute/persistentVolumes",
	"applications.core/secretstores":         "Radius.Security/secrets",
	"applications.datastores/mongodatabases": "Radius.Data/mongoDatabases",
	"applications.datastores/rediscaches":    "Radius.Data/redisCaches",
	"applications.datastores/sqldatabases":   "Radius.Data/sqlServerDatabases",
	"applications.messaging/rabbitmqqueues":  "Radius.Messaging/rabbitMQ",
}

// Replacement reports whether Radius removes a resource type, which is given with its version, and returns the one that
// takes its place, with its version; "" if there is none.
func Replacement(name string) (replacement string, removed bool) {
	kind, version, _ := strings.Cut(strings.ToLower(name), "@")
	if !strings.HasPrefix(kind, "applications.") || version != deprecatedVersion {
		return "", false
	}
	if replacement = replacements[kind]; replacement != "" {
		replacement += "@" + replacementVersion
	}
	return replacement, true
}

// RemovalLevel says how much a release of Radius, which is given by its tag, makes of types that it removes. 0.60 is the first that
// has all replacements, and from 0.61 on 'rad deploy' warns. A tag that is not that of a release stands for RadiusRelease.
func RemovalLevel(tag string) diag.Severity {
	named, ok := artifact.ParseVersion(tag)
	if !ok {
		named, _ = artifact.ParseVersion(RadiusRelease)
	}
	switch {
	case slices.Compare(named.Numbers, []uint64{0, 61}) >= 0:
		return diag.Warning
	case slices.Compare(named.Numbers, []uint64{0, 60}) >= 0:
		return diag.Info
	}
	return diag.Off
}
