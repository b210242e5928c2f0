// Content of files that becomes part of the template.
extension radius

param application string

var limits = loadJsonContent('files/limits.json')
var features = loadYamlContent('files/features.yaml')

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'loader'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/loader:1'
      command: [
        '/bin/sh'
        '-c'
        loadTextContent('files/start.sh')
      ]
      env: {
        LOGO: {
          value: loadFileAsBase64('files/logo.txt')
        }
        LIMIT: {
          value: string(limits.requests.perSecond)
        }
        FEATURES: {
          value: join(features.enabled, ',')
        }
      }
    }
  }
}
