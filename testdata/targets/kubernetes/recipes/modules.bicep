// Recipes that are modules: expressions in their parameters, and outputs under other names.
extension radius

resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'modules'
  properties: {
    recipes: {
      'Harbor.Lights/lamps': {
        kind: 'bicep'
        source: 'reg.example.com/lamp:1'
        parameters: {
          name: '{{context.resource.name}}-{{context.application.name}}'
          size: '{{context.resource.properties.bright == "true" ? "large" : context.environment.name == "lit" ? "medium" : "dark"}}'
          count: '{{context.resource.properties.count}}'
          rows: '{{ context.resource.properties.rows }}'
          labels: { of: '{{context.resource.type == "Harbor.Lights/lamps" ? "lamp" : "other"}}', env: '{{context.environment.name}}' }
          note: 'rows {{context.resource.properties.rows}}, labels {{context.resource.properties.labels}}, absent {{context.resource.properties.absent}}, in {{context.runtime.kubernetes.namespace}}'
        }
        outputs: { address: 'address', brightness: 'brightness', details: 'details', secrets: { password: 'password' } }
      }
      'Radius.Security/secrets': { kind: 'bicep', source: 'reg.example.com/secret:1' }
      'Radius.Compute/containers': { kind: 'bicep', source: 'reg.example.com/web:1' }
    }
  }
}

resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'lit'
  properties: { recipePacks: [pack.id], providers: { kubernetes: { namespace: 'recipes-lit' } } }
}
