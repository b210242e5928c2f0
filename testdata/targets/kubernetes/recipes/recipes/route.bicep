param context object
param gateway string
param gatewayNamespace string = context.runtime.kubernetes.namespace

extension kubernetes with {
  namespace: context.runtime.kubernetes.namespace
  kubeConfig: ''
}

var properties = context.resource.properties
var name = '${context.resource.name}-${substring(uniqueString(context.resource.id), 0, 5)}'
var parents = [{ name: gateway, namespace: gatewayNamespace }]
var kind = properties.?kind ?? 'HTTP'

resource http 'gateway.networking.k8s.io/HTTPRoute@v1' = if (kind == 'HTTP') {
  metadata: { name: name }
  spec: {
    parentRefs: parents
    hostnames: properties.?hostnames
    rules: [for rule in properties.rules: {
      matches: map(rule.matches, m => union(
        { path: { type: 'PathPrefix', value: m.httpPath } },
        contains(m, 'httpMethod') ? { method: m.httpMethod } : {}))
      backendRefs: [{
        name: toLower(last(split(rule.destinationContainer.resourceId, '/')))
        port: rule.destinationContainer.containerPort
      }]
    }]
  }
}

resource tls 'gateway.networking.k8s.io/TLSRoute@v1alpha2' = if (kind == 'TLS') {
  metadata: { name: name }
  spec: {
    parentRefs: parents
    hostnames: properties.?hostnames
    rules: [for rule in properties.rules: {
      backendRefs: [{ name: rule.destinationContainer.containerName, port: rule.destinationContainer.containerPort }]
    }]
  }
}
