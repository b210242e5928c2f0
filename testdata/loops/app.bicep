// Many of a kind.
extension radius

param application string

param services array = [
  {
    name: 'users'
    port: 7001
  }
  {
    name: 'orders'
    port: 7002
  }
]

param regions object = {
  eu: 'Ireland'
  us: 'Ohio'
}

var ports = [for s in services: s.port]
var indexed = [for (s, i) in services: '${i}-${s.name}']
var byName = toObject(services, s => s.name, s => s.port)
var large = filter(ports, p => p > 7001)

resource service 'Applications.Core/containers@2023-10-01-preview' = [for s in services: {
  name: 'svc-${s.name}'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/${s.name}:1'
      ports: {
        http: {
          containerPort: s.port
        }
      }
    }
  }
}]

@batchSize(1)
resource regional 'Applications.Core/containers@2023-10-01-preview' = [for (r, i) in items(regions): if (i < 10) {
  name: 'region-${r.key}'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/region:1'
      env: {
        PLACE: {
          value: r.value
        }
        INDEX: {
          value: string(i)
        }
      }
    }
  }
}]

module numbered 'numbered.bicep' = [for i in range(0, 2): {
  name: 'numbered-${i}'
  params: {
    application: application
    number: i
  }
}]

output names array = [for (s, i) in services: service[i].name]
output indexedNames array = indexed
output portOf object = byName
output largePorts array = large
