// A file that makes nothing.
resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' existing = {
  name: 'me'
}
output id string = identity.id
