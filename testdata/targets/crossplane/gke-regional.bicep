// A cluster of GKE in a region, and a pool of a cluster that the program does not have.
extension gcp

resource cluster 'Google.Container/clusters@v1' existing = {
  name: 'Shop'
  location: 'europe-west1'
  project: 'shop-123'
}

resource other 'Google.Container/nodePools@v1' existing = {
  name: 'gpu'
  cluster: 'Other'
  location: 'europe-west1'
  project: 'shop-123'
}
