// A cache that a recipe makes.
extension radius

param environment string
param application string

resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'short-lived'
  properties: {
    environment: environment
    application: application
  }
}
