// JSON texts, whose keys are sorted, and texts that look like expressions or need quotes.
extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'texts-app'
  properties: { environment: environment }
}

extension harbor

resource texts 'Harbor.Lights/beacons@2025-01-01' = {
  name: 'texts'
  properties: any({
    zebra: { y: 1, x: { b: [{ q: 1, p: 2 }], a: null }, Z: '<&>' }
    environment: environment
    application: app.id
    tags: { '[a]': '[not(an expression)]', quote: '"\'', tab: 'a\tb', brace: '{{context.resource.name}}', yes: 'yes', umlaut: 'ä€😀', empty: '' }
    Beta: 'capital'
    alpha: 'small'
  })
}
