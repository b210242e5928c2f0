extension kubernetes with {
  namespace: ''
  kubeConfig: ''
}

// args: --namespace team --create-namespace --label owner=me --annotation example.com/a=b
resource own 'core/ConfigMap@v1' = {
  metadata: { name: 'own', namespace: 'own' }
}

resource user 'core/ConfigMap@v1' = {
  metadata: {
    name: 'user'
    annotations: { 'example.com/b': 'c' }
    labels: { owner: 'you', kept: 'x' }
  }
}

resource made 'core/Namespace@v1' = {
  metadata: { name: 'made' }
}

resource inMade 'core/ConfigMap@v1' = {
  metadata: { name: 'in-made', namespace: 'made' }
}

resource always 'core/ConfigMap@v1' = {
  metadata: { name: 'always', namespace: 'kube-system' }
}
