// Values below maps of a status: identities that Azure makes for a cluster and its add-ons.
param location string = resourceGroup().location

resource cluster 'Microsoft.ContainerService/managedClusters@2023-10-01' = {
  name: 'shop'
  location: location
  identity: { type: 'SystemAssigned' }
  properties: {
    dnsPrefix: 'shop'
    agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }]
    addonProfiles: { azureKeyvaultSecretsProvider: { enabled: true } }
  }
}

resource roles 'Microsoft.Authorization/roleAssignments@2022-04-01' = [for (who, i) in ['kubelet', 'vault']: {
  name: guid(who)
  properties: {
    principalId: i == 0
      ? cluster.properties.identityProfile.kubeletidentity.objectId
      : cluster.properties.addonProfiles.azureKeyvaultSecretsProvider.identity.objectId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', '7f951dda-4ed3-4680-a7ca-43fe172d538d')
  }
}]
