// Without the flags, what needs them is named.
// flags: none
param location string = resourceGroup().location

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'me'
  location: location
}
