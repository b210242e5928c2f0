// The template is right; what is given for its parameters is not.
extension radius

param environment string

@allowed([
  'small'
  'large'
])
param size string

@minValue(1)
@maxValue(10)
param replicas int = 1

@minLength(3)
param title string = 'shop'

param labels { *: string } = {}

@secure()
param token string

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'picky-${size}-${replicas}-${title}'
  properties: {
    environment: environment
    extensions: [
      {
        kind: 'kubernetesMetadata'
        labels: labels
        annotations: {
          token: token
        }
      }
    ]
  }
}
