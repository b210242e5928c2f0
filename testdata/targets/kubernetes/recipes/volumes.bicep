// Volumes: of a claim by another resource, of a Secret, and of memory.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'volumes-app'
  properties: { environment: environment }
}

resource disks 'Radius.Compute/persistentVolumes@2025-08-01-preview' = [for size in [1, 20]: {
  name: 'volumes-${size}'
  properties: { environment: environment, sizeInGib: size, allowedAccessModes: size > 10 ? 'ReadWriteMany' : 'ReadWriteOnce' }
}]

resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'volumes-web'
  properties: {
    environment: environment
    application: app.id
    containers: { web: { image: 'example/web:1', volumeMounts: [{ volumeName: 'small', mountPath: '/s' }, { volumeName: 'large', mountPath: '/l' }] } }
    volumes: {
      small: { persistentVolume: { resourceId: disks[0].id } }
      large: { persistentVolume: { resourceId: disks[1].id } }
    }
    connections: { disk: { source: disks[1].id } }
  }
}
