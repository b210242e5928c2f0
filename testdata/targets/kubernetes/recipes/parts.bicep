// Resources in modules of the program.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'parts-app'
  properties: { environment: environment }
}

module backend 'parts/backend.bicep' = {
  name: 'backend'
  params: { environment: environment, application: app.id, names: ['parts-a', 'parts-b'] }
}

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'parts-web'
  properties: {
    environment: environment
    application: app.id
    containers: { web: { image: 'example/web:1', env: { HOSTS: { value: join(backend.outputs.hosts, ',') } } } }
    connections: { cache: { source: backend.outputs.id } }
  }
}
