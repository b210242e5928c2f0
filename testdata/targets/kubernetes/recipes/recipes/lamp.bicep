// A module that knows nothing of Radius. A pack gives it its parameters, and says which outputs count.
param name string
param size string = 'small'
param count int = 1
param labels object = {}
param rows array = []
param note string?

@secure()
param token string = 'none'

extension kubernetes with {
  namespace: 'recipes'
  kubeConfig: ''
}

resource config 'core/ConfigMap@v1' = {
  metadata: { name: name, labels: labels }
  data: { size: size, count: string(count), rows: string(rows), note: note ?? 'no note' }
}

output address string = 'lamp://${config.metadata.name}/${count}'
output brightness int = count * 100
output details object = { size: size, rows: rows }
@secure()
output password string = 'pw-${token}'
