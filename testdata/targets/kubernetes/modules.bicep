extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

module near 'modules/settings.bicep' = {
  params: { name: 'near', namespace: 'shop' }
}

module far 'modules/settings.bicep' = [for name in ['east', 'west']: {
  params: { name: 'far', namespace: name }
}]

resource reader 'core/ConfigMap@v1' = {
  metadata: { name: 'reader' }
  data: { settings: near.outputs.name, where: near.outputs.where, elsewhere: far[1].outputs.where }
}
