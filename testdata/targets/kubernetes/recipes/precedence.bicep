// What the pack says, the environment over it, the resource over both.
extension radius
extension harbor

resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'pack'
  properties: {
    recipes: {
      'Radius.Data/redisCaches': { kind: 'bicep', source: 'reg.example.com/cache:1', parameters: { tier: 'pack', memory: 100 } }
      'Harbor.Lights/beacons': { kind: 'bicep', source: 'reg.example.com/beacon:1', parameters: { note: 'pack', limits: { pack: true, both: 1 } } }
      'Radius.Security/secrets': { kind: 'bicep', source: 'reg.example.com/secret:1' }
      'Radius.Compute/persistentVolumes': { kind: 'bicep', source: 'reg.example.com/volume:1', parameters: { class: 'slow' } }
    }
  }
}

resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'ordered'
  properties: {
    recipePacks: [pack.id]
    providers: { kubernetes: { namespace: 'recipes-ordered' } }
    recipeParameters: {
      'Radius.Data/redisCaches': { tier: 'environment' }
      'Harbor.Lights/beacons': { note: 'environment', limits: { environment: true, both: 2 } }
      'radius.compute/PersistentVolumes': { class: 'of another spelling' }
    }
  }
}

resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'ordered-app'
  properties: { environment: env.id }
}

resource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'ordered-cache'
  properties: { environment: env.id, application: app.id, size: 'M' }
}

resource own 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'ordered-own'
  properties: any({
    environment: env.id
    application: app.id
    recipe: { name: 'ignored', parameters: { memory: 300, tier: 'resource' } }
  })
}

resource north 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'ordered-north'
  properties: any({ environment: env.id, application: app.id, recipe: { parameters: { limits: { resource: true } } } })
}

resource disk 'Radius.Compute/persistentVolumes@2025-08-01-preview' = {
  name: 'ordered-disk'
  properties: { environment: env.id, sizeInGib: 3, allowedAccessModes: 'ReadWriteMany' }
}
