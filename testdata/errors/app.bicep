// Each mistake is reported at its place.
extension radius

param port int
param port string
param name strng

resource app 'Applications.Core/aplications@2023-10-01-preview' = {
  name: 'broken'
  properties: {
    environment: enviroment
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  properties: {
    application: app.id
  }
}

output total int = length('a', 'b')
var unfinished =
