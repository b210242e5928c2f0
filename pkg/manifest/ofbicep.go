package manifest

import "bytes"

// HoldsBicep reports whether the content of a file is one DeploymentTemplate manifest whose template
// says that it was made of Bicep.
func HoldsBicep(content []byte) bool {
	if !bytes.Contains(content, []byte(Kind)) {
		return false
	}
	root, ok := readManifest(content)
	if !ok {
		return false
	}
	p := parse(root)
	return p.template != nil && textIn(p.template.Object("metadata").Object("_generator"), "name") == "bicep"
}
