package crossplane

import (
	"fmt"
	"strings"
)

// kind is the managed resource for a type of Bicep.
type kind struct {
	// armType is the type in Bicep; byProperties says that its properties identify a resource, as those of AWS and Google
	// Cloud do, and not its name and scope.
	armType      string
	byProperties bool

	group, name string // of the managed resource
	// externalName says what the provider finds the resource by.
	externalName origin
	// fields are what the provider needs beside it, by the name in forProvider.
	fields []identifier
	cluster
}

// cluster says what a kind is for Cluster API.
type cluster int

const (
	noCluster cluster = iota
	aksCluster
	aksPool
	eksCluster
	eksPool
	gkeCluster
	gkePool
)

// origin is where an identifier comes from.
type origin string

// The origins. Another text is the name of a property in the body.
const (
	ownName     origin = "name"
	parentName  origin = "parent name"
	wholeID     origin = "ID"
	parentID    origin = "parent ID"
	groupName   origin = "group"
	regionName  origin = "region"
	eksCluster1 origin = "first part of Id, or ClusterName"
	eksGroup    origin = "second part of Id, or NodegroupName"
)

type identifier struct {
	field string
	from  origin
}

const (
	azureSuffix = "azure.m.upbound.io"
	awsSuffix   = "aws.m.upbound.io"
	gcpSuffix   = "gcp.m.upbound.io"
	version     = "v1beta1"
)

// azure are the types of Azure: type, group without the suffix, kind and, where they are
// not the name of the resource group, the identifiers.
var azure = []kind{
	{armType: "Microsoft.ContainerService/managedClusters", group: "containerservice", name: "KubernetesCluster", cluster: aksCluster},
	{armType: "Microsoft.ContainerService/managedClusters/agentPools", group: "containerservice", name: "KubernetesClusterNodePool",
		fields: []identifier{{"kubernetesClusterId", parentID}}, cluster: aksPool},
	{armType: "Microsoft.Resources/resourceGroups", name: "ResourceGroup", fields: []identifier{}},
	{armType: "Microsoft.Network/virtualNetworks", group: "network", name: "VirtualNetwork"},
	{armType: "Microsoft.Network/virtualNetworks/subnets", group: "network", name: "Subnet",
		fields: []identifier{{"resourceGroupName", groupName}, {"virtualNetworkName", parentName}}},
	{armType: "Microsoft.Network/networkSecurityGroups", group: "network", name: "SecurityGroup"},
	{armType: "Microsoft.Network/publicIPAddresses", group: "network", name: "PublicIP"},
	{armType: "Microsoft.Network/loadBalancers", group: "network", name: "LoadBalancer"},
	{armType: "Microsoft.Network/natGateways", group: "network", name: "NATGateway"},
	{armType: "Microsoft.Network/routeTables", group: "network", name: "RouteTable"},
	{armType: "Microsoft.Network/dnsZones", group: "network", name: "DNSZone"},
	{armType: "Microsoft.Network/privateDnsZones", group: "network", name: "PrivateDNSZone"},
	{armType: "Microsoft.Network/privateEndpoints", group: "network", name: "PrivateEndpoint"},
	{armType: "Microsoft.Network/applicationGateways", group: "network", name: "ApplicationGateway"},
	{armType: "Microsoft.KeyVault/vaults", group: "keyvault", name: "Vault"},
	{armType: "Microsoft.Storage/storageAccounts", group: "storage", name: "Account"},
	{armType: "Microsoft.ContainerRegistry/registries", group: "containerregistry", name: "Registry"},
	{armType: "Microsoft.OperationalInsights/workspaces", group: "operationalinsights", name: "Workspace"},
	{armType: "Microsoft.Insights/components", group: "insights", name: "ApplicationInsights"},
	{armType: "Microsoft.DBforPostgreSQL/flexibleServers", group: "dbforpostgresql", name: "FlexibleServer"},
	{armType: "Microsoft.Cache/redis", group: "cache", name: "RedisCache"},
	{armType: "Microsoft.AppConfiguration/configurationStores", group: "appconfiguration", name: "Configuration"},
	{armType: "Microsoft.DocumentDB/databaseAccounts", group: "cosmosdb", name: "Account"},
	{armType: "Microsoft.Sql/servers", group: "sql", name: "MSSQLServer"},
	{armType: "Microsoft.Sql/servers/databases", group: "sql", name: "MSSQLDatabase", fields: []identifier{{"serverId", parentID}}},
	{armType: "Microsoft.ServiceBus/namespaces", group: "servicebus", name: "ServiceBusNamespace"},
	{armType: "Microsoft.ServiceBus/namespaces/queues", group: "servicebus", name: "Queue",
		fields: []identifier{{"namespaceId", parentID}}},
	{armType: "Microsoft.EventHub/namespaces", group: "eventhub", name: "EventHubNamespace"},
	{armType: "Microsoft.EventHub/namespaces/eventhubs", group: "eventhub", name: "EventHub",
		fields: []identifier{{"namespaceName", parentName}, {"resourceGroupName", groupName}}},
	{armType: "Microsoft.ManagedIdentity/userAssignedIdentities", group: "managedidentity", name: "UserAssignedIdentity", externalName: wholeID,
		fields: []identifier{{"name", ownName}, {"resourceGroupName", groupName}}},
}

// amazon are the types of AWS: type, group without the suffix, kind, and the property that
// says what the provider finds the resource by. All but one are in a region.
var amazon = []kind{
	{armType: "AWS.EKS/Cluster", group: "eks", name: "Cluster", externalName: "Name", cluster: eksCluster},
	{armType: "AWS.EKS/Nodegroup", group: "eks", name: "NodeGroup", externalName: eksGroup,
		fields: []identifier{{"region", regionName}, {"clusterName", eksCluster1}}, cluster: eksPool},
	{armType: "AWS.S3/Bucket", group: "s3", name: "Bucket", externalName: "BucketName"},
	{armType: "AWS.DynamoDB/Table", group: "dynamodb", name: "Table", externalName: "TableName"},
	{armType: "AWS.IAM/Role", group: "iam", name: "Role", externalName: "RoleName", fields: []identifier{}}, // of the account
	{armType: "AWS.ECR/Repository", group: "ecr", name: "Repository", externalName: "RepositoryName"},
	{armType: "AWS.Lambda/Function", group: "lambda", name: "Function", externalName: "FunctionName"},
	{armType: "AWS.Logs/LogGroup", group: "cloudwatchlogs", name: "Group", externalName: "LogGroupName"},
	{armType: "AWS.MemoryDB/Cluster", group: "memorydb", name: "Cluster", externalName: "ClusterName"},
	{armType: "AWS.RDS/DBCluster", group: "rds", name: "Cluster", externalName: "DBClusterIdentifier"},
	{armType: "AWS.ElastiCache/ReplicationGroup", group: "elasticache", name: "ReplicationGroup", externalName: "ReplicationGroupId"},
	{armType: "AWS.EC2/VPC", group: "ec2", name: "VPC", externalName: "VpcId"},
	{armType: "AWS.EC2/Subnet", group: "ec2", name: "Subnet", externalName: "SubnetId"},
	{armType: "AWS.EC2/SecurityGroup", group: "ec2", name: "SecurityGroup", externalName: "Id"},
	{armType: "AWS.EFS/FileSystem", group: "efs", name: "FileSystem", externalName: "FileSystemId"},
	{armType: "AWS.KMS/Key", group: "kms", name: "Key", externalName: "KeyId"},
}

// google are the types of the archive in examples/gke.
var google = []kind{
	{armType: "Google.Container/clusters", group: "container", name: "Cluster", externalName: "name", cluster: gkeCluster,
		fields: []identifier{{"location", "location"}, {"project", "project"}}},
	{armType: "Google.Container/nodePools", group: "container", name: "NodePool", externalName: "name", cluster: gkePool,
		fields: []identifier{{"cluster", "cluster"}, {"location", "location"}, {"project", "project"}}},
}

// impossible says why some types cannot be observed without asking the cloud.
var impossible = map[string]string{
	"aws.rds/dbinstance":                      "the provider finds an instance by the ID that AWS gives it (db-…), which is not its identifier",
	"aws.sqs/queue":                           "the provider finds a queue by its URL, which holds the account",
	"aws.secretsmanager/secret":               "AWS ends the name of a secret with letters of its own",
	"aws.route53/hostedzone":                  "AWS gives a hosted zone an ID of its own",
	"microsoft.authorization/roleassignments": "the provider finds a role assignment by an ID that Azure gives",
	"microsoft.keyvault/vaults/secrets":       "the provider finds a secret by the ID of its version, which Azure gives",
}

// find returns the kind for a type of a provider of Bicep, or why there is none. "" is that of Azure.
func find(provider, armType string) (*kind, string) {
	list, suffix := azure, azureSuffix
	switch strings.ToLower(provider) {
	case "aws":
		list, suffix = amazon, awsSuffix
	case "gcp":
		list, suffix = google, gcpSuffix
	}
	for i := range list {
		if strings.EqualFold(list[i].armType, armType) {
			k := list[i]
			k.complete(suffix)
			return &k, ""
		}
	}
	lower := strings.ToLower(armType)
	if why := impossible[lower]; why != "" {
		return nil, fmt.Sprintf("a resource of the type %s cannot be found by what the file says: %s", armType, why)
	}
	for _, word := range []string{"google", "gcp", "gke"} {
		if suffix != gcpSuffix && strings.Contains(lower, word) {
			return nil, fmt.Sprintf(
				"Bicep has no types of Google Cloud, and no managed resource is made of %s; take the types of GKE in the archive of examples/gke, "+
					"by `extension gcp`", armType)
		}
	}
	return nil, fmt.Sprintf("no managed resource of Crossplane is known for the type %s; write it by hand", armType)
}

// complete adds what most kinds have in common.
func (k *kind) complete(suffix string) {
	if k.byProperties = suffix != azureSuffix; k.byProperties {
		if k.fields == nil {
			k.fields = []identifier{{"region", regionName}}
		}
	} else {
		if k.fields == nil {
			k.fields = []identifier{{"resourceGroupName", groupName}}
		}
		if k.externalName == "" {
			k.externalName = ownName
		}
	}
	if k.group == "" {
		k.group = suffix
	} else {
		k.group += "." + suffix
	}
}
