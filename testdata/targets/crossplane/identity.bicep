// An identity is found by its whole ID.
resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' existing = {
  name: 'shop-web'
  scope: resourceGroup('11111111-0000-0000-0000-000000000000', 'identities')
}
