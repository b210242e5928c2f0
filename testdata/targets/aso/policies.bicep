// Metadata: policy, credential, namespace, labels and annotations.
// args: --reconcile-policy skip --credential-from other --namespace team --label app=shop --annotation note=yes
param location string = resourceGroup().location

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'me'
  location: location
}
