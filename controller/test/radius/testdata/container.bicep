// A recipe that makes a container of a ConfigMap: no node would run it here anyway.
extension kubernetes with {
  kubeConfig: ''
  namespace: context.runtime.kubernetes.namespace
} as kubernetes

@description('What Radius tells the recipe about the resource it is run for.')
param context object

resource settings 'core/ConfigMap@v1' = {
  metadata: {
    name: context.resource.name
  }
  data: {
    image: context.resource.properties.containers.web.image
  }
}

output result object = {
  resources: [
    '/planes/kubernetes/local/namespaces/${settings.metadata.namespace}/providers/core/ConfigMap/${settings.metadata.name}'
  ]
}
