// Resources without a recipe, and one without an application.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'charts-app'
  properties: { environment: environment }
}

extension harbor

resource chart 'Harbor.Lights/charts@2025-01-01' = {
  name: 'charts-north'
  properties: { environment: environment, sheet: 'N1' }
}

resource beacon 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'charts-beacon'
  properties: {
    environment: environment
    tags: { scale: string(chart.properties.scale), sheet: chart.properties.sheet, type: chart.type }
    connections: { chart: { source: chart.id } }
  }
}
