// What Radius deploys. It is told whom the operator has made.
extension radius

@description('The principal of the identity that azure.bicep makes. The cluster has it; see kustomization.yaml.')
param principalId string = ''

@secure()
@description('What the shop signs its cookies with.')
param cookieKey string

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: {
    environment: '/planes/radius/local/resourceGroups/default/providers/Applications.Core/environments/default'
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: {
      image: 'ghcr.io/example/shop:v1'
      env: {
        PRINCIPAL_ID: { value: principalId }
        COOKIE_KEY: { value: cookieKey }
      }
    }
  }
}
