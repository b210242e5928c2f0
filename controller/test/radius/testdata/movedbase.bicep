// What a program is deployed to that was moved: an environment of the new type, with a recipe for containers.
extension radius

param registry string

resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'containers'
  properties: {
    recipes: {
      'Radius.Compute/containers': {
        kind: 'bicep'
        source: '${registry}/recipes/containers:1'
        plainHttp: true
      }
    }
  }
}

resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'moved'
  properties: {
    recipePacks: [
      pack.id
    ]
    providers: {
      kubernetes: {
        namespace: 'moved'
      }
    }
  }
}
