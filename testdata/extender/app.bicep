// Something that Radius has no type for.
extension radius

param environment string
param application string
param sender string = '+15550100'

resource messages 'Applications.Core/extenders@2023-10-01-preview' = {
  name: 'messages'
  properties: {
    environment: environment
    application: application
    resourceProvisioning: 'manual'
    fromNumber: sender
    limits: {
      perMinute: 30
      burst: null
    }
  }
}

resource notifier 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'notifier'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/notifier:1'
      env: {
        SENDER: {
          value: messages.properties.fromNumber
        }
      }
    }
    connections: {
      messages: {
        source: messages.id
      }
    }
  }
}
