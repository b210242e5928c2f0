// Unions at the root of a body.
param location string = resourceGroup().location
resource cluster 'Microsoft.Kusto/clusters@2023-08-15' = {
  name: 'shopkusto'
  location: location
  sku: { name: 'Dev(No SLA)_Standard_E2a_v4', tier: 'Basic', capacity: 1 }
  resource db 'databases' = {
    name: 'logs'
    kind: 'ReadWrite'
    location: location
    properties: { softDeletePeriod: 'P7D', hotCachePeriod: 'P1D' }
    resource conn 'dataConnections' = {
      name: 'hub'
      location: location
      kind: 'EventHub'
      properties: { eventHubResourceId: resourceId('Microsoft.EventHub/namespaces/eventhubs', 'ns', 'h'), consumerGroup: '$Default', dataFormat: 'JSON' }
    }
  }
}
