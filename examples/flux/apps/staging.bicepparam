using 'shop.bicep'

param environment = '/planes/radius/local/resourceGroups/default/providers/Applications.Core/environments/staging'
param tag = 'v1.3.0-rc1'
