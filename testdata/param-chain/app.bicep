// Parameters that several files and the command line give, one over the other.
extension radius

param environment string
param application string
param image string
param replicas int
param features object
param tags string[] = []
param limit int?

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'chained'
  properties: {
    environment: environment
    application: application
    container: {
      image: image
      env: {
        FEATURES: {
          value: string(features)
        }
        TAGS: {
          value: join(tags, ' ')
        }
        LIMIT: {
          value: string(limit ?? 0)
        }
      }
    }
    extensions: [
      {
        kind: 'manualScaling'
        replicas: replicas
      }
    ]
  }
}
