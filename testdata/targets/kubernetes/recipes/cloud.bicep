// Its names of packs are bare, and it deploys to Azure and AWS, too.
extension radius

resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'cloudy'
  properties: {
    recipes: { 'Harbor.Lights/lamps': { kind: 'bicep', source: 'reg.example.com/lamp:1', parameters: {
      name: 'azure-{{context.resource.name}}'
      size: '{{context.azure.resourceNameHash}}'
      note: '{{context.azure.subscription.subscriptionId}} {{context.azure.resourceGroup.name}} {{context.aws.region}}/{{context.aws.account}}'
    } }, 'Harbor.Lights/beacons': { kind: 'bicep', source: 'reg.example.com/azure:1' }, 'Radius.Security/secrets': { kind: 'bicep', source: 'reg.example.com/secret:1' } }
  }
}

resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'cloud'
  properties: {
    recipePacks: [pack.name]
    providers: {
      kubernetes: { namespace: 'recipes-cloud' }
      azure: { subscriptionId: '00000000-0000-0000-0000-000000000001', resourceGroupName: 'Harbor' }
      aws: { accountId: '123456789012', region: 'eu-west-1' }
    }
  }
}
