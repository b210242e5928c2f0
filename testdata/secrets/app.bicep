// A certificate in a secret store, and who uses it. The values of secure parameters
// do not go into a manifest: they are left out of it here.
extension radius

param application string

@secure()
@description('The certificate, as PEM.')
param certificate string

@secure()
param keyPair object = {}

resource tls 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'tls'
  properties: {
    application: application
    type: 'certificate'
    data: {
      'tls.crt': {
        encoding: 'base64'
        value: base64(certificate)
      }
      'tls.key': {
        value: keyPair.?private ?? ''
      }
    }
  }
}

resource gateway 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'secure-gateway'
  properties: {
    application: application
    tls: {
      certificateFrom: tls.id
      minimumProtocolVersion: '1.2'
    }
    routes: [
      {
        path: '/'
        destination: 'http://web:80'
      }
    ]
  }
}
