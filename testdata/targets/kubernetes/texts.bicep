extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

resource settings 'core/ConfigMap@v1' = {
  metadata: {
    name: 'settings'
    annotations: { yes: 'yes', number: '1', empty: '', 'null': 'null', expression: '[not one]' }
  }
  immutable: true
  data: {
    'app.ini': 'a = b\n[section]\nc = d\n'
    trailing: 'a \nb\n'
    'no-end': 'a\nb'
    quotes: 'it\'s "so"'
    unicode: 'für \u{1F600}'
  }
  binaryData: { bytes: base64('x') }
}
