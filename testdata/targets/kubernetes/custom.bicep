extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

resource shelf 'shop.example.com/Shelf@v1' = {
  metadata: { name: 'upper' }
  spec: { size: 3 }
}

resource shelves 'apiextensions.k8s.io/CustomResourceDefinition@v1' = {
  metadata: { name: 'shelves.shop.example.com' }
  spec: {
    group: 'shop.example.com'
    names: { kind: 'Shelf', plural: 'shelves', singular: 'shelf', listKind: 'ShelfList' }
    scope: 'Namespaced'
    versions: [
      {
        name: 'v1'
        served: true
        storage: true
        schema: {
          openAPIV3Schema: {
            type: 'object'
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } }
          }
        }
      }
    ]
  }
}
