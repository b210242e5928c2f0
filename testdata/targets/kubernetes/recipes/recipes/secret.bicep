param context object

extension kubernetes with {
  namespace: context.runtime.kubernetes.namespace
  kubeConfig: ''
}

var data = items(context.resource.properties.data)
var texts = filter(data, d => (d.value.?encoding ?? 'string') == 'string')
var encoded = filter(data, d => (d.value.?encoding ?? 'string') != 'string')

resource secret 'core/Secret@v1' = {
  metadata: { name: toLower(context.resource.name) }
  type: (context.resource.properties.?kind ?? 'generic') == 'basicAuthentication' ? 'kubernetes.io/basic-auth' : 'Opaque'
  stringData: toObject(texts, d => d.key, d => d.value.value)
  data: toObject(encoded, d => d.key, d => d.value.value)
}

output result object = { resources: ['/planes/kubernetes/local/namespaces/${secret.metadata.namespace}/providers/core/Secret/${secret.metadata.name}'] }
