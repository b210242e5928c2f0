param context object

extension kubernetes with {
  namespace: context.runtime.kubernetes.namespace
  kubeConfig: ''
}

resource config 'core/ConfigMap@v1' = {
  metadata: { name: 'st${context.azure.resourceNameHash}' }
  data: { azure: string(context.azure), aws: string(context.aws), whole: string({ context: context.azure.resourceGroup, named: context.resource.name }) }
}
