// A recipe of several files, whose modules are in a loop, too.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'database-app'
  properties: { environment: environment }
}

@secure()
param password string

resource db 'Radius.Data/postgreSqlDatabases@2025-08-01-preview' = {
  name: 'database-main'
  properties: { environment: environment, application: app.id, username: 'u', password: password, initSql: 'create table t (a int);' }
}

resource other 'Radius.Data/postgreSqlDatabases@2025-08-01-preview' = {
  name: 'database-other'
  properties: { environment: environment, application: app.id, username: 'u', password: password, database: 'other', size: 'M' }
}

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'database-web'
  properties: {
    environment: environment
    application: app.id
    containers: { web: { image: 'example/web:1', env: { DSN: { value: '${db.properties.host}:${db.properties.port}/${other.properties.database}' } } } }
    connections: { db: { source: db.id } }
  }
}
