// Names that differ in Azure but not in Kubernetes become different names; equal resources are one object.
param location string = resourceGroup().location

resource first 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'shop_web'
  location: location
}
resource second 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'Shop-Web'
  location: location
}
module again 'modules/identity.bicep' = {
  params: { location: location, names: ['shop_web'] }
}
