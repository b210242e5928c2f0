using 'app.bicep'

param tag = ''
param port = 3000
