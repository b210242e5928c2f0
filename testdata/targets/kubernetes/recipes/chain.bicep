// A chain of three connections: each sees what the one before it returned.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'chain-app'
  properties: { environment: environment }
}

extension harbor

resource first 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'chain-first'
  properties: { environment: environment, application: app.id }
}

resource second 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'chain-second'
  properties: { environment: environment, connections: { first: { source: first.id } }, tags: { host: first.properties.host } }
}

resource third 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'chain-third'
  properties: {
    environment: environment
    application: app.id
    containers: { third: { image: 'example/third:1', ports: { http: { containerPort: 80 } } } }
    connections: { second: { source: second.id } }
  }
}

resource fourth 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'chain-fourth'
  properties: {
    environment: environment
    application: app.id
    containers: { fourth: { image: 'example/fourth:1' } }
    connections: { third: { source: third.id } }
  }
}
