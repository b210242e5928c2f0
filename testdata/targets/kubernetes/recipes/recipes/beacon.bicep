// What is secret goes into a Secret, everything else into a ConfigMap, as JSON.
param context object
param note string = 'none'
param limits object = {}

extension kubernetes with {
  namespace: context.runtime.kubernetes.namespace
  kubeConfig: ''
}

var secretKeys = ['code', 'keys', 'credentials']
var open = toObject(filter(items(context.resource.properties), p => !contains(secretKeys, p.key)), p => p.key, p => p.value)
var codes = filter([context.resource.properties.?code, context.resource.properties.?credentials.?token], c => c != null)

resource config 'core/ConfigMap@v1' = {
  metadata: { name: toLower(context.resource.name) }
  data: {
    properties: string(open)
    colour: context.resource.properties.colour
    application: string(context.application)
    environment: string(context.environment)
    runtime: string(context.runtime)
    connections: string(map(items(context.resource.?connections ?? {}), c => {
      name: c.key
      id: c.value.id
      type: c.value.type
      properties: toObject(filter(items(c.value.properties), p => p.key != 'status'), p => p.key, p => p.value)
    }))
    note: note
    limits: string(limits)
  }
}

resource secret 'core/Secret@v1' = if (!empty(codes)) {
  metadata: { name: '${toLower(context.resource.name)}-codes' }
  stringData: toObject(range(0, length(codes)), i => 'code${i}', i => codes[i])
}

output result object = {
  resources: []
  values: {
    address: '${config.metadata.name}.${context.runtime.kubernetes.namespace}'
    reach: { miles: 1500000, feet: json('7.5e9'), list: ['b', 'a', { z: 1, a: 2 }] }
  }
  secrets: {
    url: 'https://${context.resource.name}'
    number: 1500000
    small: json('0.000001')
    large: 12345678901234567
    shape: { b: 'x', a: [1, true, null] }
    nothing: null
    yes: true
  }
}
