// A recipe for queues of a broker that somebody else runs.
@description('What Radius tells the recipe about the resource it is run for.')
param context object

output result object = {
  values: {
    queue: 'queue-of-${context.resource.name}'
    host: 'rabbit.example.com'
    port: 5672
    username: 'guest'
  }
  secrets: {
    #disable-next-line outputs-should-not-contain-secrets
    password: 'guest'
  }
}
