extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

param names string[] = ['blue', 'green']

resource settings 'core/ConfigMap@v1' = [for (name, i) in names: {
  metadata: {
    name: '${name}-settings'
    labels: { colour: name }
  }
  data: { index: string(i) }
}]

resource services 'core/Service@v1' = [for i in range(0, length(names)): {
  metadata: { name: names[i] }
  spec: {
    selector: { app: settings[i].metadata.name }
    ports: [for port in [80, 443]: { name: 'p${port}', port: port }]
  }
}]
