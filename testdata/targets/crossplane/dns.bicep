// Zones, whose names have dots.
resource public 'Microsoft.Network/dnsZones@2018-05-01' existing = { name: 'shop.example' }
resource private 'Microsoft.Network/privateDnsZones@2020-06-01' existing = { name: 'shop.internal' }
