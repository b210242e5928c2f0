extension kubernetes with { namespace: 'shop', kubeConfig: '' }

resource gateway 'gateway.networking.k8s.io/Gateway@v1' = {
  metadata: { name: 'web' }
  spec: {
    gatewayClassName: 'shared'
    listeners: [{ name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'Same' } } }]
  }
}

resource class 'gateway.networking.k8s.io/GatewayClass@v1' = {
  metadata: { name: 'shared' }
  spec: { controllerName: 'example.com/gateway' }
}

resource route 'gateway.networking.k8s.io/HTTPRoute@v1' = {
  metadata: { name: 'web' }
  spec: {
    parentRefs: [{ name: gateway.metadata.name }]
    hostnames: ['shop.example.com']
    rules: [
      {
        matches: [{ path: { type: 'PathPrefix', value: '/' } }]
        backendRefs: [{ name: 'web', port: 80 }]
      }
    ]
  }
}
