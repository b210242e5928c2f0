using 'app.bicep'

param environment = '/planes/radius/local/resourceGroups/default/providers/Radius.Core/environments/prod'
param tag = 'v1.2.0'
