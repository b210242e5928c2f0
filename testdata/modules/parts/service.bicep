extension radius

param application string
param serviceName string
param image string
param port int = 8080
param connections object = {}

resource service 'Applications.Core/containers@2023-10-01-preview' = {
  name: serviceName
  properties: {
    application: application
    container: {
      image: image
      ports: {
        http: {
          containerPort: port
        }
      }
    }
    connections: connections
  }
}

output id string = service.id
