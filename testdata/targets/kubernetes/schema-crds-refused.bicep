// args: --crds ../../../testdata/targets/kubernetes/crds/thing.yaml
extension kubernetes with { namespace: 'shop', kubeConfig: '' }
resource bad 'example.com/Thing@v1' = {
  metadata: { name: 'bad', lables: {} }
  spec: { size: 5, colour: 'blue', items: ['b'], any: { x: 1 }, one: { a: 'x', b: 'y' }, nope: 1 }
}
resource none 'example.com/Thing@v1' = {
  metadata: { name: 'none' }
}
