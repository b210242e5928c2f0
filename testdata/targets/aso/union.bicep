// Policies of backup vaults are unions within unions.
param location string = resourceGroup().location

resource vault 'Microsoft.DataProtection/backupVaults@2023-01-01' = {
  name: 'shop-backup'
  location: location
  identity: { type: 'SystemAssigned' }
  properties: { storageSettings: [{ datastoreType: 'VaultStore', type: 'LocallyRedundant' }] }

  resource policy 'backupPolicies' = {
    name: 'daily'
    properties: {
      objectType: 'BackupPolicy'
      datasourceTypes: ['Microsoft.Storage/storageAccounts/blobServices']
      policyRules: [
        {
          objectType: 'AzureRetentionRule'
          name: 'Default'
          isDefault: true
          lifecycles: [
            {
              deleteAfter: { objectType: 'AbsoluteDeleteOption', duration: 'P30D' }
              sourceDataStore: { dataStoreType: 'OperationalStore', objectType: 'DataStoreInfoBase' }
            }
          ]
        }
      ]
    }
  }
}
