extension gcp

param project string
param location string = 'europe-west1'

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
