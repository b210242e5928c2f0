// An environment that a sample expects.
extension radius

param environmentName string
param kubernetesNamespace string

resource env 'Applications.Core/environments@2023-10-01-preview' = {
  name: environmentName
  properties: {
    compute: {
      kind: 'kubernetes'
      resourceId: 'self'
      namespace: kubernetesNamespace
    }
  }
}
