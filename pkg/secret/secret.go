// Package secret says what may be done with a value: whether it may be written, and whether it may be
// shown. Begin with Mark.
//
// A mark belongs to a value. Names (of parameters, properties, types, settings, files, rules) and fixed
// text are no values, and never have one.
//
//	a value of the environment        is written and not shown
//	a value of a secure parameter     is neither written nor shown
//	what is computed from either      has the marks of all that it is computed from
//
// Every stage uses this type, from the evaluator to the last printer: parameter files give their values
// marks (package bicep), they go through the layers of parameters (params) and the expansion of
// the program (bicep/expand) to what writes (manifest) and what shows (plan, graph, differences).
package secret

// Mark says what must not be done with a value. The zero Mark forbids nothing.
type Mark uint8

const (
	// NotShown: the value is in no message, log, difference, plan or graph.
	NotShown Mark = 1 << iota
	// NotWritten: the value is in no output either, unless the user asks for secrets in it.
	NotWritten

	// Environment is the mark of what comes from an environment variable.
	Environment = NotShown
	// Secure is the mark of the value of a secure parameter.
	Secure = NotShown | NotWritten
)

// Shown reports whether the value may be shown.
func (m Mark) Shown() bool { return m&NotShown == 0 }

// Written reports whether the value may be written.
func (m Mark) Written() bool { return m&NotWritten == 0 }

// Text stands for a value that must not be shown, where it would be shown.
const Text = "(secure)"
