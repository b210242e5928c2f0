// The newer families of Radius types.
extension radius

resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'kubernetes-pack'
  properties: {
    recipes: {
      'Radius.Data/redisCaches': {
        kind: 'bicep'
        source: 'ghcr.io/example/recipes/redis:1'
      }
    }
  }
}

resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'next-env'
  properties: {
    recipePacks: [
      pack.id
    ]
    providers: {
      kubernetes: {
        namespace: 'next'
      }
    }
  }
}

resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'next-app'
  properties: {
    environment: env.id
  }
}

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'next-web'
  properties: {
    environment: env.id
    application: app.id
    containers: {
      web: {
        image: 'ghcr.io/example/web:1'
        ports: {
          http: {
            containerPort: 80
          }
        }
      }
    }
    connections: {
      cache: {
        source: cache.id
      }
    }
  }
}

resource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'next-cache'
  properties: {
    environment: env.id
    application: app.id
    size: 'S'
  }
}
