// A namespace with queues, topics and subscriptions; a connection string that the operator writes.
param location string = resourceGroup().location

resource bus 'Microsoft.ServiceBus/namespaces@2021-11-01' = {
  name: 'shop-bus'
  location: location
  sku: { name: 'Standard' }

  resource orders 'queues' = { name: 'orders', properties: { maxDeliveryCount: 5, lockDuration: 'PT1M' } }
  resource events 'topics' = {
    name: 'events'
    resource all 'subscriptions' = {
      name: 'all'
      resource mine 'rules' = { name: 'mine', properties: { filterType: 'CorrelationFilter', correlationFilter: { contentType: 'order' } } }
    }
  }
}

resource environment 'Microsoft.App/managedEnvironments@2024-03-01' existing = { name: 'shared' }

resource app 'Microsoft.App/containerApps@2024-03-01' = {
  name: 'shop'
  location: location
  properties: {
    environmentId: environment.id
    configuration: {
      secrets: [
        { name: 'bus', value: listKeys('${bus.id}/AuthorizationRules/RootManageSharedAccessKey', bus.apiVersion).primaryConnectionString }
      ]
    }
    template: { containers: [{ name: 'web', image: 'ghcr.io/example/web:1' }] }
  }
}
