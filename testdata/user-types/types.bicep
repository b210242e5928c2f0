@export()
@description('How large a service is.')
type size = 'small' | 'medium' | 'large'

@export()
type endpoint = {
  host: string
  port: int
}
