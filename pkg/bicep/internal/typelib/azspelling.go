package typelib

import (
	_ "embed"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// The names of Azure's resource types are compared without regard to case, and a template gets them
// as Azure spells them, not as its author did. Without Azure's library, the spelling is known for
// the types that are listed here, which are the ones in common use. For other types, the provider
// and the types above them are corrected if they are listed. Other names stay as they were written.

// azSpelling returns the reference as Azure spells it.
func azSpelling(ref *types.ResourceTypeReference) *types.ResourceTypeReference {
	typ := spellType(ref.Type)
	for i := range azOtherwise {
		o := &azOtherwise[i]
		if ref.Version < o.from || o.before != "" && ref.Version >= o.before ||
			len(typ) < len(o.name) || !strings.EqualFold(typ[:len(o.name)], o.name) {
			continue
		}
		if rest := typ[len(o.name):]; rest == "" || rest[0] == '/' {
			typ = o.name + rest
		}
	}
	if typ == ref.Type {
		return ref
	}
	return types.NewResourceTypeReference(typ, ref.Version)
}

// spellType finds the longest part of a type, from its start, that is listed.
func spellType(typ string) string {
	for end := len(typ); end > 0; end = strings.LastIndexByte(typ[:end], '/') {
		listed := listedFrom(typ[:end])
		if listed == "" {
			continue
		}
		// A provider is listed as the start of the first of its types.
		if whole := !strings.Contains(typ[:end], "/"); whole && strings.IndexByte(listed, '/') != end {
			continue
		} else if !whole && len(listed) != end {
			continue
		}
		if strings.EqualFold(listed[:end], typ[:end]) {
			return listed[:end] + typ[end:]
		}
	}
	return typ
}

// knowsProvider reports whether any type of the provider is listed.
func knowsProvider(typ string) bool {
	provider := typ[:strings.IndexByte(typ, '/')+1]
	listed := listedFrom(provider)
	return len(listed) > len(provider) && strings.EqualFold(listed[:len(provider)], provider)
}

// azOtherwise are types that Azure spells differently in a range of versions, with the
// types below them. If two entries fit, the later one counts.
var azOtherwise = [...]struct{ from, before, name string }{
	{"", "2025-10", "Microsoft.Aad/domainServices/ouContainer"},
	{"2015-10", "2015-11", "Microsoft.Authorization/policyassignments"},
	{"2016-04", "2016-05", "Microsoft.Authorization/policyassignments"},
	{"2015-10", "2016-05", "Microsoft.Authorization/policydefinitions"},
	{"", "2020-06-01", "Microsoft.Cache/Redis"},
	{"2025-05", "", "microsoft.Compute/cloudServices/roleInstances/networkInterfaces"},
	{"", "2015-06", "microsoft.compute/virtualMachineScaleSets/virtualMachines/networkInterfaces"},
	{"", "2021", "Microsoft.DBForMySql/flexibleServers"},
	{"", "2021", "Microsoft.DBForPostgreSql/flexibleServers"},
	{"", "2017", "Microsoft.EventHub/namespaces/AuthorizationRules"},
	{"", "2021", "microsoft.insights/actionGroups"},
	{"", "2020", "microsoft.insights/activityLogAlerts"},
	{"", "2021", "microsoft.insights/diagnosticSettings"},
	{"", "2021-09", "microsoft.insights/privateLinkScopes"},
	{"", "2021-09", "Microsoft.Insights/privateLinkScopes/privateEndpointConnections"},
	{"", "2021-09", "Microsoft.Insights/privateLinkScopes/privateLinkResources"},
	{"", "2021-09", "Microsoft.Insights/privateLinkScopes/scopedResources"},
	{"", "2020", "microsoft.insights/workbooks"},
	{"", "2020", "microsoft.insights/workbooktemplates"},
	{"", "2016", "Microsoft.Network/dnszones"},
	{"", "2015-06", "Microsoft.Network/virtualnetworkgateways"},
	{"", "2015-06", "Microsoft.Network/virtualnetworks"},
	{"2015-06", "2016", "Microsoft.Network/virtualnetworks/subnets"},
	{"", "2024-10", "Microsoft.ServiceFabric/managedclusters/applications"},
	{"", "2024-10", "Microsoft.ServiceFabric/managedclusters/applicationTypes"},
	{"", "2018-10", "Microsoft.SignalRService/SignalR"},
}

// azTypes are the types, in the order of their names without regard to case.
//
//go:embed azspelling.txt
var azTypes string

// listedFrom returns the first listed type that does not come before a name, or "".
func listedFrom(name string) string {
	low, high := 0, len(azTypes) // where lines begin
	for low < high {
		middle := strings.LastIndexByte(azTypes[:(low+high)/2], '\n') + 1
		if line, _, _ := strings.Cut(azTypes[middle:], "\n"); aztypes.CompareFold(line, name) < 0 {
			low = middle + len(line) + 1
		} else {
			high = middle
		}
	}
	line, _, _ := strings.Cut(azTypes[low:], "\n")
	return line
}
