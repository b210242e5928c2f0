// Recipes that are modules.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'direct-app'
  properties: { environment: environment }
}

extension harbor

resource bright 'Harbor.Lights/lamps@2025-01-01' = {
  name: 'direct-bright'
  properties: { environment: environment, application: app.id, bright: true, rows: [3, 1, 2], labels: { b: 'x', a: 'y' } }
}

resource dim 'Harbor.Lights/lamps@2025-01-01' = {
  name: 'direct-dim'
  properties: { environment: environment, application: app.id, count: 5, rows: [] }
}

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'direct-web'
  properties: {
    environment: environment
    application: app.id
    containers: {
      web: {
        image: 'example/web:1'
        env: {
          LAMP: { value: bright.properties.address }
          POWER: { value: string(dim.properties.brightness) }
          PASSWORD: { valueFrom: { secretKeyRef: { secretName: bright.properties.secrets.name, key: 'password' } } }
        }
      }
    }
    connections: { bright: { source: bright.id }, dim: { source: dim.id } }
  }
}
