// Containers that talk to each other through Dapr.
extension radius

param environment string

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'dapr-shop'
  properties: {
    environment: environment
  }
}

resource backend 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'backend'
  properties: {
    application: app.id
    container: {
      image: 'ghcr.io/example/dapr-backend:2'
      ports: {
        web: {
          containerPort: 3000
        }
      }
    }
    connections: {
      statestore: {
        source: store.id
      }
      events: {
        source: events.id
      }
    }
    extensions: [
      {
        kind: 'daprSidecar'
        appId: 'backend'
        appPort: 3000
      }
    ]
  }
}

resource frontend 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'frontend'
  properties: {
    application: app.id
    container: {
      image: 'ghcr.io/example/dapr-frontend:2'
      env: {
        BACKEND: {
          value: backend.name
        }
      }
    }
    extensions: [
      {
        kind: 'daprSidecar'
        appId: 'frontend'
      }
    ]
  }
  dependsOn: [
    backend
  ]
}

resource store 'Applications.Dapr/stateStores@2023-10-01-preview' = {
  name: 'statestore'
  properties: {
    environment: environment
    application: app.id
  }
}

resource events 'Applications.Dapr/pubSubBrokers@2023-10-01-preview' = {
  name: 'events'
  properties: {
    environment: environment
    application: app.id
    resourceProvisioning: 'manual'
    type: 'pubsub.redis'
    version: 'v1'
    metadata: {
      redisHost: {
        value: 'redis.default.svc:6379'
      }
      redisPassword: {
        secretKeyRef: {
          name: 'redis'
          key: 'password'
        }
      }
    }
    auth: {
      secretStore: secrets.name
    }
  }
}

resource secrets 'Applications.Dapr/secretStores@2023-10-01-preview' = {
  name: 'kubernetes-secrets'
  properties: {
    environment: environment
    application: app.id
    resourceProvisioning: 'manual'
    type: 'secretstores.kubernetes'
    version: 'v1'
    metadata: {
      vaultName: {
        value: 'shop'
      }
    }
  }
}

resource settings 'Applications.Dapr/configurationStores@2023-10-01-preview' = {
  name: 'settings'
  properties: {
    environment: environment
    application: app.id
  }
}
