// Clusters of one name in two clouds have objects of their own.
// args: --aws-scope /planes/aws/aws/accounts/111122223333/regions/eu-west-1 --namespace fleet
extension aws

resource aks 'Microsoft.ContainerService/managedClusters@2024-09-01' existing = {
  name: 'shop'
}
resource eks 'AWS.EKS/Cluster@default' existing = {
  alias: 'shop'
  properties: { Name: 'shop' }
}
