// A database of several files: modules make its parts, one of them in a loop.
param context object
param replicas array = ['a', 'b']

extension kubernetes with {
  namespace: context.runtime.kubernetes.namespace
  kubeConfig: ''
}

resource login 'core/Secret@v1' = {
  metadata: { name: '${context.resource.name}-login' }
  stringData: { username: context.resource.properties.username, password: context.resource.properties.password }
}

resource script 'core/ConfigMap@v1' = if (contains(context.resource.properties, 'initSql')) {
  metadata: { name: '${context.resource.name}-script' }
  data: { 'init.sql': context.resource.properties.?initSql ?? '' }
}

module main 'parts/service.bicep' = {
  name: 'main'
  params: { name: context.resource.name, namespace: context.runtime.kubernetes.namespace, port: 5432 }
}

module more 'parts/service.bicep' = [for (replica, i) in replicas: {
  name: 'more-${replica}'
  params: { name: '${context.resource.name}-${replica}', namespace: context.runtime.kubernetes.namespace, port: 5433 + i }
}]

output result object = {
  values: { host: main.outputs.host, port: string(main.outputs.port), database: context.resource.properties.database, ignored: [1] }
  secrets: { uri: 'postgres://${context.resource.properties.password}@${main.outputs.host}' }
}
