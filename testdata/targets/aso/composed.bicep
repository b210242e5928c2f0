// Connection strings: what texts, keys and values of one resource are put together to, the operator writes by an expression.
// args: --name shop-secrets
param location string = resourceGroup().location

resource store 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'shopdata'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}

resource cache 'Microsoft.Cache/redis@2023-08-01' = {
  name: 'shopcache'
  location: location
  properties: { sku: { name: 'Basic', family: 'C', capacity: 0 } }
}

resource insights 'Microsoft.Insights/components@2020-02-02' = {
  name: 'shop-insights'
  location: location
  kind: 'web'
  properties: { Application_Type: 'web' }
}

resource logs 'Microsoft.OperationalInsights/workspaces@2021-06-01' = {
  name: 'shop-logs'
  location: location
}

resource environment 'Microsoft.App/managedEnvironments@2024-03-01' = {
  name: 'shop-env'
  location: location
}

resource app 'Microsoft.App/containerApps@2024-03-01' = {
  name: 'shop'
  location: location
  properties: {
    environmentId: environment.id
    configuration: {
      secrets: [
        { name: 'store', value: 'AccountName=${store.name};AccountKey=${store.listKeys().keys[0].value};EndpointSuffix=core.windows.net' }
        { name: 'cache', value: '${cache.properties.hostName}:6380,password=${cache.listKeys().primaryKey},ssl=True' }
        { name: 'insights', value: insights.properties.ConnectionString }
        { name: 'blobs', value: split(store.properties.primaryEndpoints.blob, '/')[2] }
        { name: 'host', value: replace(toLower(store.properties.primaryEndpoints.web), 'https://', '') }
        // No object of the operator has this key: it goes into the secret that somebody makes.
        { name: 'logs', value: logs.listKeys().primarySharedKey }
      ]
    }
    template: { containers: [{ name: 'web', image: 'ghcr.io/example/web:1', env: [{ name: 'STORE', secretRef: 'store' }] }] }
  }
}

// A profile's origin takes its host name from a config map.
resource profile 'Microsoft.Cdn/profiles@2023-05-01' = {
  name: 'shop'
  location: 'global'
  sku: { name: 'Standard_AzureFrontDoor' }

  resource group 'originGroups' = {
    name: 'web'

    resource origin 'origins' = {
      name: 'web'
      properties: { hostName: replace(replace(store.properties.primaryEndpoints.web, 'https://', ''), '/', '') }
    }
  }
}
