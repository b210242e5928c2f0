extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

resource job 'batch/Job@v1' = {
  metadata: { name: 'migrate' }
  spec: {
    backoffLimit: 2
    template: {
      spec: { restartPolicy: 'Never', containers: [{ name: 'migrate', image: 'shop/migrate:1' }] }
    }
  }
}

resource nightly 'batch/CronJob@v1' = {
  metadata: { name: 'nightly' }
  spec: {
    schedule: '0 3 * * *'
    jobTemplate: {
      spec: {
        template: {
          spec: { restartPolicy: 'OnFailure', containers: [{ name: 'clean', image: 'shop/clean:1', args: ['--days', '7'] }] }
        }
      }
    }
  }
}

resource agent 'apps/DaemonSet@v1' = {
  metadata: { name: 'agent' }
  spec: {
    selector: { matchLabels: { app: 'agent' } }
    template: {
      metadata: { labels: { app: 'agent' } }
      spec: { containers: [{ name: 'agent', image: 'shop/agent:1' }] }
    }
  }
}
