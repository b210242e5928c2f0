// A parameter that has the name of a function, as most Radius templates have one.
extension radius

@description('The environment to deploy to; rad fills it in.')
param environment string

var storageSuffix = az.environment().suffixes.storage

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shadow'
  properties: {
    environment: environment
  }
}

output suffix string = storageSuffix
output id string = '${environment}/${app.name}'
