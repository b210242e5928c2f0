// Functions of the template's own and from another file, lambdas and spread.
extension radius

import * as naming from 'naming.bicep'

param application string
param defaults object = {
  LOG: {
    value: 'info'
  }
}

func image(name string, tag string) string => '${naming.registry}/${name}:${tag}'

var names = ['cart', 'stock', 'mail']
var longNames = filter(names, n => length(n) > 4)
var total = reduce(map(names, n => length(n)), 0, (sum, n) => sum + n)
var sorted = sort(names, (a, b) => a < b)

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: naming.resourceName('web', 'dev')
  properties: {
    application: application
    container: {
      image: image('web', '3')
      env: {
        ...defaults
        NAMES: {
          value: join([...sorted, 'end'], ' ')
        }
        TOTAL: {
          value: string(total)
        }
        LONG: {
          value: first(longNames) ?? ''
        }
      }
    }
  }
}
