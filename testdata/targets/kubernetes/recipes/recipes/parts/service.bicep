param name string
param namespace string
param port int

extension kubernetes with {
  namespace: namespace
  kubeConfig: ''
}

resource service 'core/Service@v1' = {
  metadata: { name: name }
  spec: { clusterIP: 'None', ports: [{ name: 'sql', port: port }] }
}

output host string = '${name}.${namespace}.svc.cluster.local'
output port int = port
