// The environment is in another file, and is named as one that exists.
extension radius
extension harbor
extension kubernetes with {
  namespace: 'recipes'
  kubeConfig: ''
} as own

resource env 'Radius.Core/environments@2025-08-01-preview' existing = {
  name: 'dev'
}

resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'shared-app'
  properties: { environment: env.id }
}

resource north 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'shared-north'
  properties: { environment: env.id, application: app.id, tags: { environment: env.name } }
}

// An object of the program itself, made of what a recipe returned.
resource config 'core/ConfigMap@v1' = {
  metadata: { name: 'shared-config', labels: { app: app.name } }
  data: { address: north.properties.address, colour: north.properties.colour, secret: north.properties.secrets.name }
}
