// Subnets, security rules and routes that stand in their owner's body become objects of their own.
param location string = resourceGroup().location

resource network 'Microsoft.Network/virtualNetworks@2020-11-01' = {
  name: 'shop-net'
  location: location
  properties: {
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] }
    subnets: [
      {
        name: 'web'
        properties: {
          addressPrefix: '10.0.1.0/24'
          networkSecurityGroup: { id: rules.id }
          routeTable: { id: routes.id }
        }
      }
      {
        name: 'Data_Base'
        properties: { addressPrefix: '10.0.2.0/24' }
      }
    ]
  }
}

resource rules 'Microsoft.Network/networkSecurityGroups@2020-11-01' = {
  name: 'shop-nsg'
  location: location
  properties: {
    securityRules: [
      {
        name: 'https'
        properties: {
          priority: 100
          direction: 'inbound'
          access: 'allow'
          protocol: 'tcp'
          sourcePortRange: '*'
          destinationPortRange: '443'
          sourceAddressPrefix: 'Internet'
          destinationAddressPrefix: '*'
        }
      }
    ]
  }
}

resource routes 'Microsoft.Network/routeTables@2020-11-01' = {
  name: 'shop-routes'
  location: location
  properties: {
    routes: [{ name: 'default', properties: { addressPrefix: '0.0.0.0/0', nextHopType: 'Internet' } }]
  }
}

resource nic 'Microsoft.Network/networkInterfaces@2022-07-01' = {
  name: 'shop-nic'
  location: location
  properties: {
    ipConfigurations: [{ name: 'one', properties: { subnet: { id: network.properties.subnets[0].id }, privateIPAllocationMethod: 'Dynamic' } }]
  }
}
