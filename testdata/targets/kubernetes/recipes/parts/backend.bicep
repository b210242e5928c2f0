extension radius

param environment string
param application string
param names string[]

resource caches 'Radius.Data/redisCaches@2025-08-01-preview' = [for n in names: {
  name: n
  properties: { environment: environment, application: application }
}]

output id string = caches[0].id
output hosts array = [for (n, i) in names: caches[i].properties.host]
