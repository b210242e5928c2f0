// Extension resources: owners of any kind, by name or by ID.
param location string = resourceGroup().location

resource workspace 'Microsoft.OperationalInsights/workspaces@2021-06-01' = {
  name: 'shop-logs'
  location: location
  properties: { sku: { name: 'PerGB2018' }, retentionInDays: 30 }
}

resource vault 'Microsoft.KeyVault/vaults@2023-07-01' = {
  name: 'shop-vault'
  location: location
  properties: { tenantId: tenant().tenantId, sku: { family: 'A', name: 'standard' }, accessPolicies: [] }
}

resource audit 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'audit'
  scope: vault
  properties: { workspaceId: workspace.id, logs: [{ categoryGroup: 'audit', enabled: true }] }
}
