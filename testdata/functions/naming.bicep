@export()
var registry = 'ghcr.io/example'

@export()
@description('The name of a resource in a stage.')
func resourceName(base string, stage string) string => toLower('${base}-${stage}')
