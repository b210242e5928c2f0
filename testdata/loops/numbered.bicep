extension radius

param application string
param number int

resource one 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'numbered-${number}'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/numbered:1'
    }
  }
}
