extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

resource hook 'admissionregistration.k8s.io/ValidatingWebhookConfiguration@v1' = {
  metadata: { name: 'checks' }
  webhooks: [
    {
      name: 'checks.example.com'
      admissionReviewVersions: ['v1']
      sideEffects: 'None'
      clientConfig: { url: 'https://checks.example.com' }
    }
  ]
}

resource pod 'core/Pod@v1' = {
  metadata: { name: 'pod' }
  spec: { priorityClassName: 'high', serviceAccountName: 'pod', containers: [{ name: 'pod', image: 'nginx:1.27' }] }
}

resource quota 'core/ResourceQuota@v1' = {
  metadata: { name: 'quota' }
  spec: { hard: { pods: '10' } }
}

resource settings 'core/ConfigMap@v1' = {
  metadata: { name: 'settings' }
}

resource account 'core/ServiceAccount@v1' = {
  metadata: { name: 'pod' }
}

resource class 'scheduling.k8s.io/PriorityClass@v1' = {
  metadata: { name: 'high' }
  value: 1000
}

resource space 'core/Namespace@v1' = {
  metadata: { name: 'shop' }
}
