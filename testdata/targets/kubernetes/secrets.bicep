extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

@secure()
param password string
@secure()
param more object
@secure()
param token string = newGuid()

resource login 'core/Secret@v1' = {
  metadata: { name: 'login' }
  type: 'Opaque'
  stringData: { password: password, user: 'shop' }
}

resource all 'core/Secret@v1' = {
  metadata: { name: 'all' }
  stringData: more
  data: { user: base64('shop') }
}

resource bundle 'core/Secret@v1' = {
  metadata: { name: 'bundle', namespace: 'other' }
  stringData: more
}

resource tokens 'core/Secret@v1' = [for i in range(0, 2): {
  metadata: { name: 'token-${i}' }
  stringData: { url: 'https://shop:${token}@example.com' }
}]

resource plain 'core/Secret@v1' = {
  metadata: { name: 'plain' }
  stringData: { public: 'nothing to hide' }
}

resource web 'core/Pod@v1' = {
  metadata: { name: 'web' }
  spec: {
    containers: [
      {
        name: 'web'
        image: 'nginx:1.27'
        env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: login.metadata.name, key: 'password' } } }]
        envFrom: [{ secretRef: { name: all.metadata.name } }]
      }
    ]
  }
}
