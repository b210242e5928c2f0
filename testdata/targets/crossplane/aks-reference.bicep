// Without a subscription, a node pool refers to the object of its cluster.
// flags: none
// args: --resource-group apps --namespace fleet
resource cluster 'Microsoft.ContainerService/managedClusters@2024-09-01' existing = {
  name: 'shop'

  resource user 'agentPools' existing = { name: 'user' }
}
