extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

// flags: none
resource settings 'core/ConfigMap@v1' = {
  metadata: { name: 'settings' }
  data: { deployment: deployment().name, location: resourceGroup().location }
}
