// Two containers, the caches and queues that they use, and how they find them.
extension radius

param environment string
param application string
param tag string = 'edge'
param logLevels array = [
  'info'
]

resource api 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'api'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/api:${tag}'
      env: {
        LOG_LEVELS: {
          value: join(logLevels, ',')
        }
        CACHE_HOST: {
          value: cache.properties.host
        }
      }
      ports: {
        http: {
          containerPort: 8080
          protocol: 'TCP'
        }
      }
      readinessProbe: {
        kind: 'httpGet'
        containerPort: 8080
        path: '/healthz'
      }
    }
    connections: {
      cache: {
        source: cache.id
      }
      orders: {
        source: orders.id
        disableDefaultEnvVars: true
      }
    }
  }
}

resource worker 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'worker'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/worker:${tag}'
      command: [
        '/worker'
      ]
      args: [
        '--queue'
        orders.properties.queue
      ]
    }
    connections: {
      api: {
        source: 'http://api:8080'
      }
      orders: {
        source: orders.id
      }
    }
    extensions: [
      {
        kind: 'manualScaling'
        replicas: 3
      }
    ]
  }
}

resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'cache'
  properties: {
    environment: environment
    application: application
  }
}

resource orders 'Applications.Messaging/rabbitMQQueues@2023-10-01-preview' = {
  name: 'orders'
  properties: {
    environment: environment
    application: application
    recipe: {
      name: 'quorum'
    }
  }
}
