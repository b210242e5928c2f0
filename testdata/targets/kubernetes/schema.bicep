extension kubernetes with { namespace: 'shop', kubeConfig: '' }
resource web 'apps/Deployment@v1' = {
  metadata: { name: 'web', labels: any({ app: 1 }) }
  spec: any({
    replcas: 2
    replicas: '2'
    quiteNew: 1
    template: {
      metadata: { labels: { app: 'web' } }
      spec: {
        containers: [
          { name: 'web', image: 5, ports: [{ containerPort: '80' }, { name: 'x' }], imagePullPolicy: 'Sometimes'
            resources: { requests: { cpu: 'lots', memory: 5 } } }
        ]
      }
    }
  })
}
resource cm 'core/ConfigMap@v1' = {
  metadata: { name: 'cm' }
  data: any({ port: 80 })
  binaryData: { x: '%%' }
}
resource route 'gateway.networking.k8s.io/HTTPRoute@v1' = {
  metadata: { name: 'r' }
  spec: { hostnames: ['Not A Host'], rules: [{ matches: [{ method: 'FETCH' }], backendRefs: [{ name: 'x', port: 99999 }] }], parentRef: [] }
}
resource other 'example.com/Thing@v1' = {
  metadata: { name: 'r' }
  spec: {}
}
resource gone 'apps/Deployment@v1beta1' = {
  metadata: { name: 'gone' }
}

@secure()
param secret string = newGuid()

resource keyed 'core/ConfigMap@v1' = {
  metadata: { name: 'keyed' }
  data: { '${secret}': 'a name that is not known' }
}
