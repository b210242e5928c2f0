extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

resource ingress 'networking.k8s.io/Ingress@v1' = {
  metadata: { name: 'web' }
  spec: {
    rules: [
      {
        host: 'shop.example.com'
        http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }] }
      }
    ]
  }
}

resource policy 'networking.k8s.io/NetworkPolicy@v1' = {
  metadata: { name: 'closed' }
  spec: { podSelector: {}, policyTypes: ['Ingress'] }
}

resource scaler 'autoscaling/HorizontalPodAutoscaler@v2' = {
  metadata: { name: 'web' }
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
    minReplicas: 2
    maxReplicas: 5
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }]
  }
}
