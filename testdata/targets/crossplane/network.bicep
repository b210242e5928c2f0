// The parts of a network.
resource network 'Microsoft.Network/virtualNetworks@2024-01-01' existing = {
  name: 'hub'

  resource web 'subnets' existing = { name: 'web' }
}
resource rules 'Microsoft.Network/networkSecurityGroups@2024-01-01' existing = { name: 'nsg' }
resource address 'Microsoft.Network/publicIPAddresses@2024-01-01' existing = { name: 'ip' }
resource balancer 'Microsoft.Network/loadBalancers@2024-01-01' existing = { name: 'lb' }
resource nat 'Microsoft.Network/natGateways@2024-01-01' existing = { name: 'nat' }
resource routes 'Microsoft.Network/routeTables@2024-01-01' existing = { name: 'routes' }
resource gateway 'Microsoft.Network/applicationGateways@2024-01-01' existing = { name: 'gateway' }
resource endpoint 'Microsoft.Network/privateEndpoints@2024-01-01' existing = { name: 'endpoint' }
