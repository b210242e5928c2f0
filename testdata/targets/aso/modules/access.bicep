param principal string
param location string = resourceGroup().location

resource access 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(principal)
  properties: {
    principalId: principal
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'ba92f5b4-2d11-453d-a403-e96b0029c9fe')
  }
}

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'shop'
  location: location
}
