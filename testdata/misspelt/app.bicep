// What is wrong within a container, found without an archive of Radius' types.
extension radius

param application string

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'misspelt'
  properties: {
    container: {
      imagee: 'ghcr.io/example/web:1'
      ports: {
        web: {
          contanerPort: 80
          protocol: 'tcp'
        }
      }
      livenessProbe: {
        kind: 'httpget'
        containerPort: 80
      }
      volumes: {
        scratch: {
          kind: 'ephemeral'
          mountPath: '/tmp/scratch'
          managedStore: 'memory'
          source: application
        }
      }
    }
    replicas: 2
  }
}

// What only a newer Radius has.
resource newer 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'newer'
  properties: {
    application: application
    container: any({
      image: 'ghcr.io/example/web:1'
      shutdown: 'slow'
    })
    #disable-next-line BCP036
    restartPolicy: 'Twice'
  }
}

output image string = web.properties.container.imagee
output host string = web.properties.host
output address string = any(web.properties).address
