// What the platform team of TestGitOps deploys before others: an environment, and something with a secret.
extension radius

@secure()
param password string

resource env 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'prod'
  properties: {
    compute: {
      kind: 'kubernetes'
      resourceId: 'self'
      namespace: 'prod'
    }
  }
}

resource notes 'Applications.Core/extenders@2023-10-01-preview' = {
  name: 'notes'
  properties: {
    environment: env.id
    resourceProvisioning: 'manual'
    secrets: {
      password: password
    }
  }
}
