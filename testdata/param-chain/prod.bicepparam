using 'app.bicep'
extends 'base.bicepparam'

var group = '/planes/radius/local/resourceGroups/prod/providers/Applications.Core'

param environment = '${group}/environments/prod'
param application = '${group}/applications/shop'
param replicas = 2 + 3
param features = union(base.features, {
  cart: {
    sizes: map(range(1, 3), i => i * 10)
  }
})
param tags = map(['a', 'b'], t => toUpper(t))
