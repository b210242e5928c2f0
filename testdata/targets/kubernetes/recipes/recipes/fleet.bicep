// Loops and conditions of resources, and objects that are there already.
param context object

extension kubernetes with {
  namespace: context.runtime.kubernetes.namespace
  kubeConfig: ''
}

resource place 'core/Namespace@v1' existing = {
  metadata: { name: context.runtime.kubernetes.namespace }
}

var ships = context.resource.properties.ships

@batchSize(1)
resource config 'core/ConfigMap@v1' = [for (ship, i) in ships: if (ship.active) {
  metadata: { name: '${context.resource.name}-${ship.name}', labels: { order: string(i), place: place.metadata.name } }
  data: { crew: string(ship.crew), flag: ship.flag }
}]

resource account 'core/ServiceAccount@v1' = if (length(ships) > 1) {
  metadata: { name: '${context.resource.name}-crew', labels: { place: place.metadata.name } }
}

resource role 'rbac.authorization.k8s.io/Role@v1' = [for ship in filter(ships, s => s.crew > 10): {
  metadata: { name: '${context.resource.name}-${ship.name}' }
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }]
}]

output result object = { values: { names: join(map(ships, s => s.name), ','), total: length(ships) } }
