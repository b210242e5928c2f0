using 'app.bicep'

param port = 8080
