using none

var registry = 'ghcr.io/example'

param image = '${registry}/chained:1'
param replicas = 1
param features = {
  search: true
  cart: {
    limit: 10
  }
}
