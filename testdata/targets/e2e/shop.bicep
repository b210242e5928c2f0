// An application of Radius, by the recipes of ../kubernetes/recipes. The test takes the lines away that end with "goes".
extension radius
param environment string
@secure()
param password string

resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource login 'Radius.Security/secrets@2025-08-01-preview' = {
  name: 'login'
  properties: { environment: environment, application: app.id, data: { password: { value: password } } }
}
resource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'cache'
  properties: { environment: environment, application: app.id, size: 'L' }
}
resource sessions 'Radius.Data/redisCaches@2025-08-01-preview' = { //                    goes
  name: 'sessions' //                                                                    goes
  properties: { environment: environment, application: app.id } //                       goes
} //                                                                                     goes
resource disk 'Radius.Compute/persistentVolumes@2025-08-01-preview' = {
  name: 'disk'
  properties: { environment: environment, application: app.id, sizeInGib: 1 }
}
resource api 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'api'
  properties: {
    environment: environment
    application: app.id
    replicas: 2
    containers: {
      api: {
        image: 'ghcr.io/example/api:1'
        ports: {
          http: { containerPort: 8080 }
          metrics: { containerPort: 9090 } //                                            goes
        }
        env: {
          CACHE: { value: cache.properties.host }
          URL: { valueFrom: { secretKeyRef: { secretName: cache.properties.secrets.name, key: 'url' } } }
          PASSWORD: { valueFrom: { secretKeyRef: { secretName: login.name, key: 'password' } } }
        }
        volumeMounts: [{ volumeName: 'data', mountPath: '/data' }]
      }
    }
    volumes: { data: { persistentVolume: { resourceId: disk.id } } }
    autoScaling: { maxReplicas: 5, metrics: [{ kind: 'cpu', target: { averageUtilization: 80 } }] } // goes
    connections: {
      cache: { source: cache.id }
      sessions: { source: sessions.id } //                                               goes
    }
  }
}
resource front 'Radius.Compute/routes@2025-08-01-preview' = {
  name: 'front'
  properties: {
    environment: environment
    application: app.id
    kind: 'HTTP'
    hostnames: ['shop.example.com']
    rules: [{ matches: [{ httpPath: '/' }], destinationContainer: { resourceId: api.id, containerName: 'api', containerPort: 8080 } }]
  }
}
