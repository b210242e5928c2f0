param name string
param namespace string

extension kubernetes with {
  namespace: namespace
  kubeConfig: ''
}

resource settings 'core/ConfigMap@v1' = {
  metadata: { name: '${name}-settings' }
  data: { name: name }
}

output name string = settings.metadata.name
output where string = settings.metadata.namespace
