// A node pool whose cluster the file only names, in another resource group.
resource pool 'Microsoft.ContainerService/managedClusters/agentPools@2024-09-01' existing = {
  name: 'shop/user'
  scope: resourceGroup('clusters')
}
