extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

// args: -p debug=true
param debug bool
param zones int = 1

resource budget 'policy/PodDisruptionBudget@v1' = if (zones > 1) {
  metadata: { name: 'web' }
  spec: { minAvailable: '50%' }
}

resource level 'core/ConfigMap@v1' = {
  metadata: { name: 'level' }
  data: { level: debug ? 'debug' : 'info' }
}

resource shell 'core/Pod@v1' = if (debug) {
  metadata: { name: 'shell', namespace: zones > 1 ? 'far' : null }
  spec: {
    containers: [{ name: 'shell', image: 'busybox:1.36', command: debug ? ['sleep', '1d'] : null }]
  }
}
