extension radius

@description('The Radius environment to deploy to')
param environment string
param tag string
param replicas int = 1

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
        image: 'ghcr.io/radius-project/samples/demo:${tag}'
      }
    }
    replicas: replicas
  }
}
