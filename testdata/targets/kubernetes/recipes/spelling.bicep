// IDs that are written in another way than Radius writes them.
extension radius

var environment = '/planes/radius/Local/ResourceGroups/spelling/Providers/radius.core/Environments/DEV'

resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'spelling-App'
  properties: { environment: environment }
}

resource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'spelling-Cache'
  properties: { environment: environment, application: app.id }
}

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'spelling-web'
  properties: {
    environment: environment
    application: '/planes/radius/local/resourceGroups/SPELLING/providers/Radius.Core/applications/spelling-app'
    containers: { web: { image: 'example/web:1' } }
    connections: {
      own: { source: cache.id }
      typed: { source: '/planes/radius/local/resourceGroups/Spelling/providers/radius.data/RedisCaches/SPELLING-cache' }
    }
  }
  dependsOn: [cache]
}
