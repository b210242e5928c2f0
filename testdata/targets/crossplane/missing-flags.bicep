// Without the flags, what needs them is named.
// flags: none
extension aws

resource account 'Microsoft.Storage/storageAccounts@2023-01-01' existing = { name: 'shopdata' }
resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' existing = { name: 'me' }
resource bucket 'AWS.S3/Bucket@default' existing = { alias: 'a', properties: { BucketName: 'shop-uploads' } }
