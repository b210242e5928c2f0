// A cluster with node pools, and a federated credential whose issuer the cluster reports.
param location string = resourceGroup().location

resource cluster 'Microsoft.ContainerService/managedClusters@2023-10-01' = {
  name: 'shop'
  location: location
  identity: { type: 'SystemAssigned' }
  sku: { name: 'base', tier: 'standard' }
  properties: {
    dnsPrefix: 'shop'
    oidcIssuerProfile: { enabled: true }
    securityProfile: { workloadIdentity: { enabled: true } }
    networkProfile: { networkPlugin: 'azure', networkPolicy: 'calico' }
    agentPoolProfiles: [{ name: 'system', count: 3, vmSize: 'Standard_D2s_v5', mode: 'system', osType: 'linux' }]
  }

  resource user 'agentPools' = {
    name: 'user'
    properties: { count: 2, vmSize: 'Standard_D4s_v5', mode: 'User', nodeLabels: { tier: 'web' } }
  }
}

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'shop-web'
  location: location

  resource web 'federatedIdentityCredentials' = {
    name: 'web'
    properties: {
      audiences: ['api://AzureADTokenExchange']
      issuer: cluster.properties.oidcIssuerProfile.issuerURL
      subject: 'system:serviceaccount:shop:web'
    }
  }
}
