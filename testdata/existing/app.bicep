// What is there already, and what is built on it.
extension radius

param environmentName string = 'prod'

resource env 'Applications.Core/environments@2023-10-01-preview' existing = {
  name: environmentName
}

resource app 'Applications.Core/applications@2023-10-01-preview' existing = {
  name: 'shop'
}

resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' existing = {
  name: 'cache'
}

resource job 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'nightly'
  properties: {
    environment: env.id
    application: app.id
    container: {
      image: 'ghcr.io/example/nightly:1'
      env: {
        NAMESPACE: {
          value: env.properties.compute.namespace
        }
        CACHE: {
          value: '${cache.properties.host}:${cache.properties.port}'
        }
        CACHE_URL: {
          value: cache.listSecrets().connectionString
        }
      }
    }
  }
}

output appId string = app.id
