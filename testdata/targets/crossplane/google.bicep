// Bicep has no types of Google Cloud.
resource cluster 'Google.Container/clusters@2024-01-01' existing = {
  name: 'shop'
}
