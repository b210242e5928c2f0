// What the samples are deployed to: an environment and an application.
extension radius

param environmentName string = 'dev'
param applicationName string = 'shop'
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

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: applicationName
  properties: {
    environment: env.id
  }
}
