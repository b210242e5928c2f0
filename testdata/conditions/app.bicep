// Resources that are there in some environments only.
extension radius

param application string
param environment string

@allowed([
  'dev'
  'test'
  'prod'
])
param stage string

param monitoring bool = stage != 'dev'

var isProduction = stage == 'prod'
var replicas = isProduction ? 3 : 1

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web-${stage}'
  properties: {
    application: application
    container: {
      image: isProduction ? 'ghcr.io/example/web:stable' : 'ghcr.io/example/web:edge'
      env: union({
        STAGE: {
          value: stage
        }
      }, monitoring ? {
        METRICS: {
          value: 'on'
        }
      } : {})
    }
    extensions: [
      {
        kind: 'manualScaling'
        replicas: replicas
      }
    ]
  }
}

resource collector 'Applications.Core/containers@2023-10-01-preview' = if (monitoring) {
  name: 'collector'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/collector:1'
    }
  }
}

resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = if (isProduction && monitoring) {
  name: 'prod-cache'
  properties: {
    application: application
    environment: environment
  }
}

module extra 'extra.bicep' = if (stage == 'test') {
  name: 'extra'
  params: {
    application: application
  }
}

output collectorId string = monitoring ? collector.id : ''
