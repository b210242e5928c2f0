extension kubernetes with { namespace: 'shop', kubeConfig: '' }

resource shelf 'shop.example.com/Shelf@v1' = {
  metadata: { name: 'upper' }
  spec: { size: 3 }
}

resource more 'shop.example.com/Shelf@v1' = {
  metadata: { name: 'lower', namespace: 'other' }
}

resource book 'shop.example.com/Book@v1' = {
  metadata: { name: 'first' }
}
