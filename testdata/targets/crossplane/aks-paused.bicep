// The objects of Cluster API are paused on demand.
// args: --namespace fleet --capi-paused --label team=shop --annotation note=yes
resource cluster 'Microsoft.ContainerService/managedClusters@2024-09-01' existing = {
  name: 'shop'
}
