// A policy and a credential for some resources: by type, by symbol, in a module and in a loop; the last that fits wins.
// args: --reconcile-policy detach-on-delete --reconcile-policy Microsoft.Network/virtualNetworks*=skip --reconcile-policy store/containers=manage --credential-from store/account*=shop --credential-from store/account::blobs=shop-blobs
param location string = resourceGroup().location

resource vnet 'Microsoft.Network/virtualNetworks@2020-11-01' = {
  name: 'net'
  location: location
  properties: {
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] }
    subnets: [{ name: 'a', properties: { addressPrefix: '10.0.0.0/24' } }]
  }
}

module store 'modules/store.bicep' = [for name in ['one', 'two']: {
  name: name
  params: { name: name, location: location }
}]
