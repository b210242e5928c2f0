// A cache: a Deployment and a Service. Its address is a secret, too.
param context object
param tier string = 'basic'
param memory int = 64

extension kubernetes with {
  namespace: context.runtime.kubernetes.namespace
  kubeConfig: ''
}

var name = 'cache-${uniqueString(context.resource.id)}'

resource deployment 'apps/Deployment@v1' = {
  metadata: {
    name: name
    labels: { tier: tier, size: context.resource.properties.size, environment: context.environment.name }
  }
  spec: {
    selector: { matchLabels: { cache: name } }
    template: {
      metadata: { labels: { cache: name } }
      spec: { containers: [{ name: 'redis', image: 'redis:8', args: ['--maxmemory', '${memory}mb'] }] }
    }
  }
}

resource service 'core/Service@v1' = {
  metadata: { name: name }
  spec: { selector: { cache: name }, ports: [{ port: 6379 }] }
}

output result object = {
  values: {
    host: '${service.metadata.name}.${service.metadata.namespace}.svc'
    port: 6379
    tier: tier
  }
  secrets: { url: 'redis://${service.metadata.name}:6379/0' }
}
