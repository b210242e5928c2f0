extension radius

param application string
param environment string

resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'cache'
  properties: {
    application: application
    environment: environment
  }
}

output cacheId string = cache.id
output cacheInfo object = {
  host: cache.properties.host
  port: cache.properties.port
}
