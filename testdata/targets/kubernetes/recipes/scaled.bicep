// Autoscaling, and volumes whose claims have no namespace of their own.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'scaled-app'
  properties: { environment: environment }
}

resource disk 'Radius.Compute/persistentVolumes@2025-08-01-preview' = {
  name: 'scaled-disk'
  properties: { environment: environment, application: app.id, sizeInGib: 2 }
}

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'scaled-web'
  properties: {
    environment: environment
    application: app.id
    replicas: 3
    autoScaling: { maxReplicas: 6, metrics: [{ kind: 'cpu', target: { averageUtilization: 70 } }] }
    containers: {
      web: { image: 'example/web:1', volumeMounts: [{ volumeName: 'data', mountPath: '/data' }] }
      helper: { image: 'example/helper:1', args: ['--watch', disk.name] }
    }
    volumes: { data: { persistentVolume: { resourceId: disk.id, accessMode: 'ReadWriteOnce' } } }
  }
}
