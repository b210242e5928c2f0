// Something that is made at once, and a container whose image says how it goes.
extension radius

param environment string
param application string
param image string
param containerName string

resource notes 'Applications.Core/extenders@2023-10-01-preview' = {
  name: 'notes'
  properties: {
    environment: environment
    application: application
    resourceProvisioning: 'manual'
    note: 'made first'
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: containerName
  properties: {
    application: application
    container: {
      image: image
      env: {
        NOTE: {
          value: notes.properties.note
        }
      }
    }
  }
}
