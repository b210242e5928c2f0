package eval

// Names returns the names of all built-in functions, in lower case.
func Names() []string {
	var names []string
	for name := range builtins() {
		names = append(names, name)
	}
	return names
}
