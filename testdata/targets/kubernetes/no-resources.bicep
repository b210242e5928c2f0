extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

resource settings 'core/ConfigMap@v1' existing = {
  metadata: { name: 'settings' }
}

output name string = settings.metadata.name
