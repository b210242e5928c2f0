// Plain Kubernetes objects beside a Radius application.
extension radius
extension kubernetes with {
  kubeConfig: '*** never used ***'
  namespace: namespace
} as k8s

param namespace string = 'default'
param environment string
param greeting string

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'k8s-app'
  properties: {
    environment: environment
    extensions: [
      {
        kind: 'kubernetesNamespace'
        namespace: namespace
      }
    ]
  }
}

resource settings 'core/ConfigMap@v1' = {
  metadata: {
    name: 'settings'
    labels: {
      'example.com/app': app.name
    }
  }
  data: {
    GREETING: greeting
  }
}

resource credentials 'core/Secret@v1' existing = {
  metadata: {
    name: 'credentials'
    namespace: namespace
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'k8s-web'
  properties: {
    application: app.id
    container: {
      image: 'ghcr.io/example/web:1'
      env: {
        GREETING: {
          value: settings.data.GREETING
        }
        USER: {
          value: base64ToString(credentials.data.user)
        }
      }
    }
  }
}
