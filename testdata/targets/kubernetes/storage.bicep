extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

resource class 'storage.k8s.io/StorageClass@v1' = {
  metadata: { name: 'fast' }
  provisioner: 'example.com/disk'
}

resource volume 'core/PersistentVolume@v1' = {
  metadata: { name: 'disk' }
  spec: {
    capacity: { storage: '1Gi' }
    accessModes: ['ReadWriteOnce']
    storageClassName: class.metadata.name
    hostPath: { path: '/data' }
  }
}

resource database 'apps/StatefulSet@v1' = {
  metadata: { name: 'database' }
  spec: {
    serviceName: 'database'
    selector: { matchLabels: { app: 'database' } }
    template: {
      metadata: { labels: { app: 'database' } }
      spec: {
        containers: [
          {
            name: 'database'
            image: 'postgres:17'
            volumeMounts: [{ name: 'data', mountPath: '/data' }]
            resources: { requests: { cpu: '0.5', memory: '256Mi' } }
          }
        ]
      }
    }
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' }
        spec: {
          accessModes: ['ReadWriteOnce']
          resources: { requests: { storage: '1Gi' } }
          storageClassName: class.metadata.name
        }
      }
    ]
  }
}

resource headless 'core/Service@v1' = {
  metadata: { name: 'database' }
  spec: {
    clusterIP: 'None'
    selector: { app: 'database' }
    ports: [{ port: 5432 }]
  }
}

resource claim 'core/PersistentVolumeClaim@v1' = {
  metadata: { name: 'backup' }
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
}
