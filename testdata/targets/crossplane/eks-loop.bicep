// Node groups of a loop, by the names of cluster and group.
// args: --aws-scope /planes/aws/aws/accounts/111122223333/regions/eu-west-1 --namespace fleet
extension aws
param groups string[] = ['spot', 'large']

resource group 'AWS.EKS/Nodegroup@default' existing = [for name in groups: {
  alias: name
  properties: { ClusterName: 'shop', NodegroupName: name, Id: 'shop|${name}' }
}]
