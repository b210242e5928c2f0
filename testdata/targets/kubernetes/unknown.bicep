extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

param id string = newGuid()
param time string = utcNow()

resource gateway 'core/Service@v1' existing = {
  metadata: { name: 'gateway', namespace: 'system' }
}

resource settings 'core/ConfigMap@v1' = {
  metadata: {
    name: 'settings-${id}'
    labels: { made: time }
  }
  data: {
    host: '${gateway.metadata.name}.${gateway.metadata.namespace}.svc'
    address: gateway.spec.clusterIP
    group: resourceGroup().id
  }
}

resource other 'core/ConfigMap@v1' = {
  metadata: { name: 'other', namespace: 'n-${id}' }
}

resource made 'core/ConfigMap@v1' = if (id == '') {
  metadata: { name: 'made' }
}

resource address 'core/ConfigMap@v1' = {
  metadata: { name: 'address' }
  data: { address: gateway.spec.clusterIP, time: time }
}
