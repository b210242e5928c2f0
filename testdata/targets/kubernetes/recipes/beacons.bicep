// Types of our own: defaults at every depth, and what is secret.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'beacons-app'
  properties: { environment: environment }
}

extension harbor

@secure()
param code string

resource bare 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'beacons-bare'
  properties: { environment: environment }
}

resource full 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'beacons-Full'
  properties: {
    environment: environment
    application: app.id
    colour: 'red'
    code: code
    credentials: { token: 'literal' }
    keys: ['one', 'two']
    flash: { seconds: 9, pattern: { on: 4 } }
    zones: { inner: {}, outer: { miles: 40, kind: 'sea' } }
    tags: { z: 'last', a: 'first' }
  }
}

resource watcher 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'beacons-watcher'
  properties: { environment: environment, application: app.id, connections: { full: { source: full.id }, bare: { source: bare.id } } }
}
