// Parameters of types that the template defines.
extension radius

import { size, endpoint } from 'types.bicep'

@export()
@discriminator('kind')
type storage = memoryStorage | diskStorage

type memoryStorage = {
  kind: 'memory'
}

type diskStorage = {
  kind: 'disk'
  @minValue(1)
  gigabytes: int
  path: string?
}

@sealed()
type service = {
  @minLength(2)
  @maxLength(20)
  name: string
  ports: int[]
  size: size
  endpoint: endpoint?
}

param application string
param web service
param stores storage[] = []
param mode 'fast' | 'safe' = 'safe'
param pair [
  string
  int
]

resource container 'Applications.Core/containers@2023-10-01-preview' = {
  name: web.name
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/${web.name}:${mode}'
      env: {
        SIZE: {
          value: web.size
        }
        PAIR: {
          value: '${pair[0]}=${pair[1]}'
        }
        STORES: {
          value: string(length(stores))
        }
        HOST: {
          value: web.?endpoint.?host ?? 'none'
        }
      }
    }
  }
}
