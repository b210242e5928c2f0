extension radius

@description('The Radius environment to deploy to')
param environment string
param tag string
param replicas int = 1

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: {
    environment: environment
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: {
      image: 'ghcr.io/radius-project/samples/demo:${tag}'
    }
    extensions: [
      {
        kind: 'manualScaling'
        replicas: replicas
      }
    ]
  }
}
