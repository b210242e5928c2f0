extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

// args: -p password=hush
@secure()
param password string

resource web 'apps/Deployment@v1' = {
  metadata: {
    name: 'web'
    annotations: { hash: uniqueString(password) }
  }
  spec: {
    selector: { matchLabels: { app: 'web' } }
    template: {
      metadata: { labels: { app: 'web' } }
      spec: {
        containers: [
          { name: 'proxy', image: 'nginx:1.27' }
          {
            name: 'web'
            image: 'nginx:1.27'
            env: [
              { name: 'USER', value: 'shop' }
              { name: 'PASSWORD', value: password }
            ]
          }
        ]
      }
    }
  }
}

resource settings 'core/ConfigMap@v1' = if (password != 'hush') {
  metadata: { name: 'settings' }
}

resource named 'core/ConfigMap@v1' = {
  metadata: { name: password, namespace: 'n-${password}' }
}

resource typed 'core/Secret@v1' = {
  metadata: { name: 'typed' }
  type: password
}
