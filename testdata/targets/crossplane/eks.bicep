// A cluster of EKS with a node group, and the token that opens it.
// args: --aws-scope /planes/aws/aws/accounts/111122223333/regions/eu-west-1 --namespace fleet
extension aws

resource cluster 'AWS.EKS/Cluster@default' existing = {
  alias: 'shop'
  properties: { Name: 'shop' }
}
resource group 'AWS.EKS/Nodegroup@default' existing = {
  alias: 'spot'
  properties: { Id: 'shop|spot' }
}
