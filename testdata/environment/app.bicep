// An environment on Kubernetes with recipes for the data that applications use.
extension radius

@description('The Kubernetes namespace that applications are put into.')
param kubernetesNamespace string = 'shop'

@description('Where the recipes are published.')
param registry string = 'ghcr.io/example/recipes'

param recipeTag string = '1.4'

resource environment 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'shop-env'
  location: 'global'
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
          templatePath: '${registry}/redis:${recipeTag}'
          parameters: {
            persistent: false
            memoryMiB: 256
          }
        }
      }
      'Applications.Datastores/sqlDatabases': {
        default: {
          templateKind: 'terraform'
          templatePath: 'example/sql/kubernetes'
          templateVersion: '2.0.1'
        }
      }
    }
    extensions: [
      {
        kind: 'kubernetesMetadata'
        labels: {
          'example.com/team': 'shop'
        }
        annotations: {
          'example.com/contact': 'shop@example.com'
        }
      }
    ]
  }
}

output environmentId string = environment.id
