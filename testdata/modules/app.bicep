// An application put together from modules in folders beside it.
extension radius

param environment string
param images object = {
  web: 'ghcr.io/example/web:1'
  api: 'ghcr.io/example/api:1'
}

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'modular'
  properties: {
    environment: environment
  }
}

module data 'parts/data.bicep' = {
  name: 'data'
  params: {
    application: app.id
    environment: environment
  }
}

module web 'parts/service.bicep' = {
  name: 'web-service'
  params: {
    application: app.id
    serviceName: 'web'
    image: images.web
    connections: {
      cache: {
        source: data.outputs.cacheId
      }
    }
  }
}

module api 'parts/service.bicep' = {
  name: 'api-service'
  params: {
    application: app.id
    serviceName: 'api'
    image: images.api
    port: 9000
  }
}

output webId string = web.outputs.id
output cache object = data.outputs.cacheInfo
