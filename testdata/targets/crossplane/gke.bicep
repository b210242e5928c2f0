// A cluster of GKE in a zone, by the types of examples/gke, and its pools in a loop.
// args: --namespace fleet --capi-paused
extension gcp

param project string = 'shop-123'
param location string = 'europe-west4-b'

resource cluster 'Google.Container/clusters@v1' existing = {
  name: 'shop'
  location: location
  project: project
}

resource pools 'Google.Container/nodePools@v1' existing = [for name in ['system', 'spot']: {
  name: name
  cluster: 'shop'
  location: location
  project: project
}]
