extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

resource settings 'core/ConfigMap@v1' = {
  metadata: { name: 'settings' }
  data: { deployment: deployment().name, location: resourceGroup().location, subscription: subscription().subscriptionId }
}
