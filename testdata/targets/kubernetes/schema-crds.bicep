// args: --crds ../../../testdata/targets/kubernetes/crds
extension kubernetes with { namespace: 'shop', kubeConfig: '' }
resource ok 'example.com/Thing@v1' = {
  metadata: { name: 'ok' }
  spec: { size: 2, colour: 'red', items: ['a', 'ab'], any: { x: 1 }, one: { a: 'x' } }
}
