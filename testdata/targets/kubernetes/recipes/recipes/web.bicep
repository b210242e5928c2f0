// Containers: a Deployment, a Service for ports, an autoscaler. Connections become variables.
param context object
param prefix string = ''

extension kubernetes with {
  namespace: context.runtime.kubernetes.namespace
  kubeConfig: ''
}

var properties = context.resource.properties
var labels = {
  'example.com/application': context.application.name
  'example.com/resource': context.resource.name
}
var connections = items(context.resource.?connections ?? {})
var automatic = filter(connections, c => !(properties.connections[c.key].?disableDefaultEnvVars ?? false))
var plain = filter(automatic, c => toLower(c.value.type) != 'radius.security/secrets')
var hidden = ['status', 'recipe', 'provisioningState']
var variables = flatten(map(plain, c => concat(
  [{ name: toUpper('connection_${c.key}_id'), value: c.value.id }],
  map(filter(items(c.value.properties), p => !contains(hidden, p.key) && p.value != null), p => {
    name: toUpper('connection_${c.key}_${p.key}')
    value: string(p.value)
  }))))
var secrets = map(filter(automatic, c => toLower(c.value.type) == 'radius.security/secrets'), c => {
  prefix: toUpper('connection_${c.key}_')
  secretRef: { name: last(split(c.value.id, '/')) }
})
var ports = flatten(map(items(properties.containers), c => map(items(c.value.?ports ?? {}), p => {
  name: p.key
  port: p.value.containerPort
  targetPort: p.value.containerPort
  protocol: p.value.?protocol ?? 'TCP'
})))
var name = toLower('${prefix}${context.resource.name}')

resource deployment 'apps/Deployment@v1' = {
  metadata: { name: name, labels: labels }
  spec: {
    replicas: properties.?replicas ?? 1
    selector: { matchLabels: labels }
    template: {
      metadata: { labels: labels }
      spec: {
        containers: [for c in items(properties.containers): {
          name: toLower(c.key)
          image: c.value.image
          args: c.value.?args
          env: concat(
            map(items(c.value.?env ?? {}), e => contains(e.value, 'value') ? {
              name: e.key
              value: e.value.value
            } : {
              name: e.key
              valueFrom: {
                secretKeyRef: {
                  name: e.value.valueFrom.secretKeyRef.secretName
                  key: e.value.valueFrom.secretKeyRef.key
                }
              }
            }),
            variables)
          envFrom: secrets
          ports: map(items(c.value.?ports ?? {}), p => { name: p.key, containerPort: p.value.containerPort })
          resources: contains(c.value, 'resources') ? {
            requests: {
              cpu: c.value.resources.requests.cpu
              memory: '${c.value.resources.requests.memoryInMib}Mi'
            }
          } : {}
          volumeMounts: map(c.value.?volumeMounts ?? [], m => { name: m.volumeName, mountPath: m.mountPath })
        }]
        volumes: map(items(properties.?volumes ?? {}), v => contains(v.value, 'persistentVolume') ? {
          name: v.key
          persistentVolumeClaim: { claimName: last(split(v.value.persistentVolume.resourceId, '/')) }
        } : contains(v.value, 'secretName') ? {
          name: v.key
          secret: { secretName: v.value.secretName }
        } : {
          name: v.key
          emptyDir: { medium: v.value.emptyDir.?medium == 'memory' ? 'Memory' : '' }
        })
      }
    }
  }
}

resource service 'core/Service@v1' = if (!empty(ports)) {
  metadata: { name: name, labels: labels }
  spec: { selector: labels, ports: ports }
}

resource scaler 'autoscaling/HorizontalPodAutoscaler@v2' = if (contains(properties, 'autoScaling')) {
  metadata: { name: name }
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: deployment.metadata.name }
    minReplicas: properties.?replicas ?? 1
    maxReplicas: properties.?autoScaling.?maxReplicas ?? 10
    metrics: map(properties.?autoScaling.?metrics ?? [], m => {
      type: 'Resource'
      resource: { name: m.kind, target: { type: 'Utilization', averageUtilization: m.target.averageUtilization } }
    })
  }
}

output result object = {
  resources: ['/planes/kubernetes/local/namespaces/${context.runtime.kubernetes.namespace}/providers/apps/Deployment/${name}']
  values: {
    hosts: empty(ports) ? {} : { main: '${name}.${context.runtime.kubernetes.namespace}.svc:${ports[0].port}' }
  }
}
