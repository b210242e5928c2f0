// Numbers on their way through Go: large integers and fractions.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'numbers-app'
  properties: { environment: environment }
}

extension harbor

resource numbers 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'numbers'
  properties: any({
    environment: environment
    serial: 9007199254740993
    weight: json('1e21')
    flash: { seconds: json('2.0') }
    more: [json('0.1'), json('1e-7'), json('-2.50'), 1500000, json('1.50')]
  })
}

resource next 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'numbers-next'
  properties: {
    environment: environment
    serial: numbers.properties.serial
    tags: { serial: string(numbers.properties.serial), reach: string(numbers.properties.reach) }
    connections: { numbers: { source: numbers.id } }
  }
}
