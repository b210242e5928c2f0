// Routes of two kinds, whose names are made of their IDs.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'routes-app'
  properties: { environment: environment }
}

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'routes-Web'
  properties: {
    environment: environment
    application: app.id
    containers: { web: { image: 'example/web:1', ports: { http: { containerPort: 80 } } } }
  }
}

resource front 'Radius.Compute/routes@2025-08-01-preview' = {
  name: 'routes-front'
  properties: {
    environment: environment
    application: app.id
    hostnames: ['shop.example.com', '*.example.org']
    rules: [
      {
        matches: [{ httpPath: '/' }, { httpPath: '/api', httpMethod: 'POST' }]
        destinationContainer: { resourceId: web.id, containerName: 'web', containerPort: web.properties.containers.web.ports.http.containerPort }
      }
    ]
  }
}

resource secure 'Radius.Compute/routes@2025-08-01-preview' = {
  name: 'routes-secure'
  properties: {
    environment: environment
    application: app.id
    kind: 'TLS'
    hostnames: ['secure.example.com']
    rules: [{ matches: [{}], destinationContainer: { resourceId: web.id, containerName: 'routes-web', containerPort: 80 } }]
  }
}
