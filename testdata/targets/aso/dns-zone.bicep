// A private zone with a record and a link; a name with dots.
resource zone 'Microsoft.Network/privateDnsZones@2020-06-01' = {
  name: 'shop.internal'
  location: 'global'

  resource web 'A' = { name: 'web', properties: { ttl: 300, aRecords: [{ ipv4Address: '10.0.1.4' }] } }
  resource link 'virtualNetworkLinks' = {
    name: 'hub'
    location: 'global'
    properties: { registrationEnabled: false, virtualNetwork: { id: resourceId('network', 'Microsoft.Network/virtualNetworks', 'hub') } }
  }
}
