// Queues and event hubs.
resource bus 'Microsoft.ServiceBus/namespaces@2021-11-01' existing = {
  name: 'shop-bus'

  resource orders 'queues' existing = { name: 'orders' }
}
resource hubs 'Microsoft.EventHub/namespaces@2024-01-01' existing = {
  name: 'shop-hubs'

  resource clicks 'eventhubs' existing = { name: 'clicks' }
}
