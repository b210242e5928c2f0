// A connection that gives no variables, beside one that does.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'quiet-app'
  properties: { environment: environment }
}

resource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'quiet-cache'
  properties: { environment: environment, application: app.id, size: 'L' }
}

resource keys 'Radius.Security/secrets@2025-08-01-preview' = {
  name: 'quiet-keys'
  properties: { environment: environment, application: app.id, data: { key: { value: 'a2V5', encoding: 'base64' } } }
}

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'quiet-web'
  properties: {
    environment: environment
    application: app.id
    containers: { web: { image: 'example/web:1', env: { HOST: { value: cache.properties.host } } } }
    connections: {
      silent: { source: cache.id, disableDefaultEnvVars: true }
      spoken: { source: cache.id, disableDefaultEnvVars: false }
      keys: { source: keys.id, disableDefaultEnvVars: true }
    }
    volumes: { keys: { secretName: keys.name }, scratch: { emptyDir: { medium: 'memory' } } }
  }
}
