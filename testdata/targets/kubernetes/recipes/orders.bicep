// Connections with secrets: of a Secret, of a cache, and a Secret for what a recipe returns.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'orders-app'
  properties: { environment: environment }
}

@secure()
param password string

resource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'orders-cache'
  properties: { environment: environment, application: app.id }
}

resource login 'Radius.Security/secrets@2025-08-01-preview' = {
  name: 'orders-login'
  properties: {
    environment: environment
    application: app.id
    kind: 'basicAuthentication'
    data: { username: { value: 'orders' }, password: { value: password } }
  }
}

resource api 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'orders-API'
  properties: {
    environment: environment
    application: app.id
    replicas: 2
    containers: {
      api: {
        image: 'example/api:1'
        ports: { http: { containerPort: 8080 }, admin: { containerPort: 9090, protocol: 'TCP' } }
        env: {
          ADDRESS: { value: '${cache.properties.host}:${cache.properties.port}' }
          URL: { valueFrom: { secretKeyRef: { secretName: cache.properties.secrets.name, key: 'url' } } }
        }
        resources: { requests: { cpu: '0.5', memoryInMib: 64 } }
      }
    }
    connections: { cache: { source: cache.id }, login: { source: login.id } }
  }
}
