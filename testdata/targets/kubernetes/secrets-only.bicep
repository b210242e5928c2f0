extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

@secure()
param password string

resource login 'core/Secret@v1' = {
  metadata: { name: 'login' }
  stringData: { password: password }
}
