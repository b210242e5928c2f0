// What the sample "existing" expects: an environment, an application and a cache that somebody else runs.
extension radius

resource env 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'prod'
  properties: {
    compute: {
      kind: 'kubernetes'
      resourceId: 'self'
      namespace: 'existing'
    }
  }
}

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: {
    environment: env.id
  }
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
}
