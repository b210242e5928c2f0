param location string
param names string[]

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = [for name in names: {
  name: name
  location: location
}]

output clients array = [for i in range(0, length(names)): identity[i].properties.clientId]
output ids array = [for i in range(0, length(names)): identity[i].id]
