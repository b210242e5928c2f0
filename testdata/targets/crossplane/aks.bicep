// A cluster of AKS with its node pools: what is observed, and what Cluster API lists.
// args: --namespace fleet
param pools string[] = ['system', 'user']

resource cluster 'Microsoft.ContainerService/managedClusters@2024-09-01' existing = {
  name: 'Shop_Prod'
}
resource pool 'Microsoft.ContainerService/managedClusters/agentPools@2024-09-01' existing = [for name in pools: {
  parent: cluster
  name: name
}]
