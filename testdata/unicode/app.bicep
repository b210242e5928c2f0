// Text that YAML libraries find hard: it must stay readable, and come back as it was.
extension radius

param application string
param note string = 'naïve café – 漢字'

var script = '''
#!/bin/sh
	echo "tab, and blanks at the end:   "
echo '🚀 ${HOME}'
'''

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'unicode'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/web:1'
      env: {
        NOTE: {
          value: note
        }
        EMOJI: {
          value: '👩‍🚀 \u{1F600} \u{85}\u{2028}\u{FEFF}|'
        }
        SCRIPT: {
          value: script
        }
        MARKUP: {
          value: '<a href="x">&amp;</a>'
        }
      }
    }
  }
}
