using 'app.bicep'
