// The environment of most programs here: two packs.
extension radius

resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'main'
  properties: {
    recipes: {
      'Radius.Compute/containers': { kind: 'bicep', source: 'reg.example.com/web:1' }
      'Radius.Compute/persistentVolumes': { kind: 'bicep', source: 'reg.example.com/volume:1' }
      'Radius.Compute/routes': { kind: 'bicep', source: 'reg.example.com/route:1', parameters: { gateway: 'front' } }
      'Radius.Data/redisCaches': { kind: 'bicep', source: 'reg.example.com/cache:1' }
      'Radius.Data/postgreSqlDatabases': { kind: 'bicep', source: 'reg.example.com/postgres:1' }
      'Radius.Security/secrets': { kind: 'bicep', source: 'https://reg.example.com/secret' }
    }
  }
}

resource lights 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'lights'
  properties: {
    recipes: {
      'harbor.lights/BEACONS': { kind: 'bicep', source: 'reg.example.com/beacon:1', parameters: { limits: { b: 1, a: { d: [3, 2], c: 1500000 } } } }
      'Harbor.Lights/fleets': { kind: 'bicep', source: 'reg.example.com/fleet:1' }
    }
  }
}

resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'dev'
  properties: {
    recipePacks: [pack.id, lights.id]
    providers: { kubernetes: { namespace: 'recipes' } }
  }
}
