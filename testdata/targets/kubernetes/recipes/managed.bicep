// What recipes return as secrets: numbers and objects, and owners with long and odd names.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'managed-app'
  properties: { environment: environment }
}

extension harbor

resource first 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'managed-a-very-long-name-that-does-not-fit-into-a-label'
  properties: { environment: environment, application: app.id }
}

resource second 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'Managed.Dotted.Name'
  properties: { environment: environment }
}

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'managed-web'
  properties: {
    environment: environment
    application: app.id
    containers: {
      web: {
        image: 'example/web:1'
        env: {
          FIRST: { valueFrom: { secretKeyRef: { secretName: first.properties.secrets.name, key: 'url' } } }
          SECOND: { valueFrom: { secretKeyRef: { secretName: second.properties.secrets.name, key: 'number' } } }
          REACH: { value: string(second.properties.reach.miles) }
        }
      }
    }
    connections: { second: { source: second.id } }
  }
}
