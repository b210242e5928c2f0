extension radius

param application string

resource probe 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'probe'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/probe:1'
    }
  }
}
