// Servers and databases: a database is found by the ID of its server.
resource server 'Microsoft.Sql/servers@2023-08-01' existing = {
  name: 'shop-sql'

  resource orders 'databases' existing = { name: 'orders' }
}
resource postgres 'Microsoft.DBforPostgreSQL/flexibleServers@2022-12-01' existing = { name: 'shop-pg' }
resource cosmos 'Microsoft.DocumentDB/databaseAccounts@2024-05-15' existing = { name: 'shop-cosmos' }
resource redis 'Microsoft.Cache/redis@2023-08-01' existing = { name: 'shop-redis' }
