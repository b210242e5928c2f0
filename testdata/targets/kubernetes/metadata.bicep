extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

param metadata object = { name: 'whole', finalizers: ['example.com/keep'] }
param body object = { level: 'info' }

resource whole 'core/ConfigMap@v1' = {
  metadata: any(metadata)
  data: any(body)
}

resource spread 'core/ConfigMap@v1' = {
  metadata: { ...metadata, name: 'spread', namespace: 'other' }
  data: { ...body, more: 'x' }
}
