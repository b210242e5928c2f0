// What the sample "existing" expects: an environment, an application and a cache that somebody else runs.
extension radius

module base 'base.bicep' = {
  name: 'base'
  params: {
    environmentName: 'prod'
    kubernetesNamespace: 'existing'
  }
}

resource app 'Applications.Core/applications@2023-10-01-preview' existing = {
  name: 'shop'
}

resource env 'Applications.Core/environments@2023-10-01-preview' existing = {
  name: 'prod'
}

resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'cache'
  properties: {
    environment: env.id
    application: app.id
    resourceProvisioning: 'manual'
    host: 'redis.example.com'
    port: 6379
    secrets: {
      connectionString: 'redis.example.com:6379,password=none'
    }
  }
  dependsOn: [
    base
  ]
}
