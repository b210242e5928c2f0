// It gives no namespace: that of the extension counts.
param context object
param class string = ''

extension kubernetes with {
  namespace: context.runtime.kubernetes.environmentNamespace
  kubeConfig: ''
}

resource claim 'core/PersistentVolumeClaim@v1' = {
  metadata: { name: context.resource.name }
  spec: {
    accessModes: [context.resource.properties.?allowedAccessModes ?? 'ReadWriteOnce']
    storageClassName: empty(class) ? null : class
    resources: { requests: { storage: '${context.resource.properties.sizeInGib}Gi' } }
  }
}

output result object = { values: {} }
