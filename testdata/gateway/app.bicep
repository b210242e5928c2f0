// A gateway that brings requests to two containers.
extension radius

param application string
param hostname string = ''

var hasHost = !empty(hostname)

resource gateway 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'shop-gateway'
  properties: {
    application: application
    hostname: hasHost ? {
      fullyQualifiedHostname: hostname
    } : {
      prefix: 'shop'
    }
    routes: [
      {
        path: '/api'
        destination: 'http://${api.name}:8080'
        replacePrefix: '/'
      }
      {
        path: '/'
        destination: 'http://${web.name}:3000'
      }
    ]
  }
}

resource api 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'gw-api'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/api:1'
      ports: {
        http: {
          containerPort: 8080
        }
      }
    }
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'gw-web'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/web:1'
      ports: {
        http: {
          containerPort: 3000
        }
      }
    }
  }
}

output url string = gateway.properties.url
