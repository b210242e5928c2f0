extension radius

param application string
param port int = 'eighty'

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'part'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/part:${port}'
    }
  }
}
