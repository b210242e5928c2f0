// What the samples are deployed to: an environment and an application.
extension radius

param environmentName string = 'dev'
param applicationName string = 'shop'
param kubernetesNamespace string

@description('Where the recipes are published.')
param registry string = 'registry.example'

resource env 'Applications.Core/environments@2023-10-01-preview' = {
  name: environmentName
  properties: {
    compute: {
      kind: 'kubernetes'
      resourceId: 'self'
      namespace: kubernetesNamespace
    }
    recipes: {
      'Applications.Datastores/redisCaches': {
        default: {
          templateKind: 'bicep'
          templatePath: '${registry}/recipes/redis:1'
          plainHttp: true
        }
      }
      'Applications.Messaging/rabbitMQQueues': {
        quorum: {
          templateKind: 'bicep'
          templatePath: '${registry}/recipes/queue:1'
          plainHttp: true
        }
      }
    }
  }
}

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: applicationName
  properties: {
    environment: env.id
  }
}
