// An environment with providers for Azure and AWS.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'cloud-app'
  properties: { environment: environment }
}

extension harbor

resource named 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'cloud-named'
  properties: { environment: environment, application: app.id }
}

resource lone 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'cloud-lone'
  properties: { environment: environment }
}

resource lamp 'Harbor.Lights/lamps@2025-01-01' = {
  name: 'cloud-lamp'
  properties: { environment: environment, application: app.id }
}
