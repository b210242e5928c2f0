// Loops and conditions of resources, in the program and in its recipe, and objects that are there already.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'fleet-app'
  properties: { environment: environment }
}

extension harbor

param fleets object = { north: 2, south: 1, west: 0 }
param spare bool = false

resource fleet 'Harbor.Lights/fleets@2025-01-01' = [for f in items(fleets): if (f.value > 0) {
  name: 'fleet-${f.key}'
  properties: {
    environment: environment
    application: app.id
    ships: [for i in range(0, f.value): { name: '${f.key}-${i}', crew: 9 + i * 3 }]
  }
}]

resource extra 'Harbor.Lights/fleets@2025-01-01' = if (spare) {
  name: 'fleet-extra'
  properties: { environment: environment, ships: [] }
}

resource mixed 'Harbor.Lights/fleets@2025-01-01' = {
  name: 'fleet-mixed'
  properties: {
    environment: environment
    ships: [{ name: 'one', active: false }, { name: 'two', flag: 'red' }, { name: 'three', crew: 30 }]
  }
}

resource caches 'Radius.Data/redisCaches@2025-08-01-preview' = [for i in range(0, 2): {
  name: 'fleet-cache-${i}'
  properties: { environment: environment, application: app.id }
}]

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'fleet-web'
  properties: {
    environment: environment
    application: app.id
    containers: {
      web: {
        image: 'example/web:1'
        env: {
          NAMES: { value: mixed.properties.names }
          TOTAL: { value: string(mixed.properties.total) }
          CACHES: { value: '${caches[0].properties.host},${caches[1].properties.host}' }
        }
      }
    }
    connections: { last: { source: caches[1].id } }
  }
}
