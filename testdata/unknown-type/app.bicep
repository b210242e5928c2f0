// A type that Radius does not have: an error here, since Azure would be asked for it.
extension radius

resource app 'Applications.Core/aplications@2023-10-01-preview' = {
  name: 'misspelt'
  properties: {
    environment: 'env'
  }
}

#disable-next-line BCP081
resource own 'Applications.Mine/things@2024-01-01' = {
  name: 'own'
}
