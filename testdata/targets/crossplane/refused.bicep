// Types that cannot be found offline, with the reason.
// args: --aws-scope /planes/aws/aws/accounts/111122223333/regions/eu-west-1
extension aws

resource instance 'AWS.RDS/DBInstance@default' existing = { alias: 'a', properties: { DBInstanceIdentifier: 'orders' } }
resource queue 'AWS.SQS/Queue@default' existing = { alias: 'b', properties: { QueueUrl: 'https://example.com' } }
resource secret 'AWS.SecretsManager/Secret@default' existing = { alias: 'c', properties: { Id: 'x' } }
resource role 'Microsoft.Authorization/roleAssignments@2022-04-01' existing = { name: guid('a') }
resource plan 'Microsoft.Web/serverfarms@2023-12-01' existing = { name: 'plan' }
