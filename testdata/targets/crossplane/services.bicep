// What watches and configures.
resource logs 'Microsoft.OperationalInsights/workspaces@2023-09-01' existing = { name: 'logs' }
resource insights 'Microsoft.Insights/components@2020-02-02' existing = { name: 'insights' }
resource registry 'Microsoft.ContainerRegistry/registries@2023-07-01' existing = { name: 'registry' }
resource config 'Microsoft.AppConfiguration/configurationStores@2023-03-01' existing = { name: 'config' }
