// Properties whose names Radius uses itself, and a connection to the application.
extension radius
extension harbor

param environment string

resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'reserved-app'
  properties: { environment: environment }
}

resource first 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'reserved-first'
  properties: any({
    environment: environment
    application: ''
    status: { own: 1, recipe: { own: true } }
    provisioningState: 'Odd'
    recipe: { name: 'ignored', recipeStatus: 'odd', more: 1, parameters: { note: 'resource' } }
    secrets: { name: 'given', url: 'given' }
    address: 'given'
    codeReference: 'https://example.com/code'
    connections: { app: { source: '${app.id}/', more: 1 } }
  })
}

resource second 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'reserved-second'
  properties: { environment: environment, application: app.id, connections: { first: { source: first.id } } }
}
