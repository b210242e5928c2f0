param ns string = 'shop'
param image string = 'nginx:1.27'
@secure()
param password string
param names array = ['a', 'b']

extension kubernetes with {
  namespace: ns
  kubeConfig: ''
}

resource space 'core/Namespace@v1' = {
  metadata: { name: ns }
}
resource deploy 'apps/Deployment@v1' = {
  metadata: { name: 'web', labels: { app: 'web' } }
  spec: {
    replicas: 2
    selector: { matchLabels: { app: 'web' } }
    template: {
      metadata: { labels: { app: 'web' } }
      spec: {
        containers: [
          { name: 'web', image: image, ports: [{ containerPort: 80 }]
            env: [ { name: 'P', valueFrom: { secretKeyRef: { name: creds.metadata.name, key: 'password' } } } ] }
        ]
      }
    }
  }
}
resource svc 'core/Service@v1' = {
  metadata: { name: 'web' }
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }] }
}
resource cm 'core/ConfigMap@v1' = [for n in names: {
  metadata: { name: 'cm-${n}' }
  data: { host: '${svc.metadata.name}.${svc.metadata.namespace}.svc', text: 'a\nb\n' }
}]
resource creds 'core/Secret@v1' = {
  metadata: { name: 'creds' }
  stringData: { password: password, user: 'me' }
}
resource role 'rbac.authorization.k8s.io/ClusterRole@v1' = {
  metadata: { name: 'reader' }
  rules: [ { apiGroups: [''], resources: ['pods'], verbs: ['get'] } ]
}
