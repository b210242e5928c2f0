// Arrays of objects whose members have defaults.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'lenses-app'
  properties: { environment: environment }
}

extension harbor

param names array = ['red', 'green']

resource many 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'lenses-many'
  properties: {
    environment: environment
    lenses: concat(map(names, (n, i) => { name: n, order: i + 5 }), [{ name: 'plain' }, { name: 'ground', glass: 'ground' }])
  }
}

resource none 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'lenses-none'
  properties: { environment: environment, lenses: [] }
}
