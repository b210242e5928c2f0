extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

resource a 'core/ConfigMap@v1' = {
  metadata: { name: 'settings' }
}

resource b 'core/ConfigMap@v1' = {
  metadata: { name: 'settings', namespace: 'shop' }
}

resource elsewhere 'core/ConfigMap@v1' = {
  metadata: { name: 'settings', namespace: 'other' }
}

resource other 'core/Service@v1' = {
  metadata: { name: 'settings' }
}

resource role 'rbac.authorization.k8s.io/ClusterRole@v1' = [for namespace in ['x', 'y']: {
  metadata: { name: 'reader', namespace: namespace }
}]

module again 'modules/settings.bicep' = [for i in range(0, 2): {
  params: { name: 'again', namespace: 'shop' }
}]

// What is wrong with another is said at once.
resource wrong 'core/ConfigMap@v1' = {
  metadata: { name: 'other' }
  data: { port: any(80) }
}
