// Data stores that somebody else runs: where they are, and how to get in.
extension radius

param environment string
param application string

@minLength(3)
param host string

param mongoPort int = 27017

@secure()
param password string

resource mongo 'Applications.Datastores/mongoDatabases@2023-10-01-preview' = {
  name: 'mongo'
  properties: {
    environment: environment
    application: application
    resourceProvisioning: 'manual'
    host: host
    port: mongoPort
    database: 'shop'
    username: 'app'
    secrets: {
      connectionString: 'mongodb://app:${password}@${host}:${mongoPort}/shop'
      password: password
    }
  }
}

resource sql 'Applications.Datastores/sqlDatabases@2023-10-01-preview' = {
  name: 'sql'
  properties: {
    environment: environment
    application: application
    resourceProvisioning: 'manual'
    server: host
    port: 1433
    database: 'orders'
    username: 'app'
    secrets: {
      password: password
    }
  }
}

resource reader 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'reader'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/reader:1'
      env: {
        MONGO: {
          value: mongo.listSecrets().connectionString
        }
        SQL_HOST: {
          value: sql.properties.server
        }
      }
    }
  }
}
