// The mistake is in the module, and so is the message about it.
extension radius

param application string

module part 'part.bicep' = {
  name: 'part'
  params: {
    application: application
    prot: 80
  }
}
