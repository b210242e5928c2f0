// It compiles, and the linter has something to say.
extension radius

param unused string = ''

#disable-next-line no-unused-params
param silenced string = ''

param application string

var leftOver = 1

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'warned'
  properties: {
    application: '${application}'
    container: {
      image: 'ghcr.io/example/web:1'
    }
  }
}
