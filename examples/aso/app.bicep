// What Radius deploys. It is told whom the operator has made.
extension radius

@description('The principal of the identity that azure.bicep makes. The cluster has it; see kustomization.yaml.')
param principalId string = ''

@secure()
@description('What the shop signs its cookies with.')
param cookieKey string

var environment = '/planes/radius/local/resourceGroups/default/providers/Radius.Core/environments/default'

resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'shop'
  properties: {
    environment: environment
  }
}

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    environment: environment
    containers: {
      web: {
        image: 'ghcr.io/example/shop:v1'
        env: {
          PRINCIPAL_ID: { value: principalId }
          COOKIE_KEY: { value: cookieKey }
        }
      }
    }
  }
}
