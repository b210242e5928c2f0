// A program with types that Radius removes, which rad bicep migrate moves.
extension radius

param environment string

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'moved'
  properties: {
    environment: environment
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'moved-web'
  properties: {
    application: app.id
    container: {
      image: 'ghcr.io/example/web:1'
      command: ['/bin/web']
      args: ['--verbose']
      env: {
        GREETING: {
          value: 'hello'
        }
      }
      ports: {
        http: {
          containerPort: 8080
        }
        admin: {
          containerPort: 9090
        }
      }
      readinessProbe: {
        kind: 'httpGet'
        path: '/healthz'
        containerPort: 8080
        periodSeconds: 7
      }
      livenessProbe: {
        kind: 'exec'
        command: 'cat /tmp/alive'
        initialDelaySeconds: 3
        failureThreshold: 4
      }
      volumes: {
        scratch: {
          kind: 'ephemeral'
          managedStore: 'memory'
          mountPath: '/scratch'
        }
      }
    }
    connections: {
      api: {
        source: 'http://moved-api:7000'
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

resource api 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'moved-api'
  properties: {
    application: app.id
    container: {
      image: 'ghcr.io/example/api:1'
      ports: {
        http: {
          containerPort: 7000
        }
      }
      readinessProbe: {
        kind: 'tcp'
        containerPort: 7000
      }
    }
  }
}
