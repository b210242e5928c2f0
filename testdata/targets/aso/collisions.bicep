// Names that differ in Azure and not in Kubernetes are told apart; equal resources are one object.
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
