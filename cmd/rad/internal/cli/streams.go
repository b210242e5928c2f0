package cli

import "io"

// The lint of this repository (internal/lint) finds each write of text that nothing has escaped.
// WriteResult and Page are for text that is not to be escaped; who calls them says which it is.

// WriteResult writes the result of a command to stdout as it is: a manifest, a template, a formatted
// file, JSON. Another program reads it, so nothing in it is escaped.
func (a *App) WriteResult(content []byte) error {
	_, err := a.Stdout.Write(content)
	return FailWith(ExitIO, err)
}

// Page writes a text that is part of the program: help, a license, the page of a diagnostic. Nothing in
// it may come from a file, a network or the environment.
func Page(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return FailWith(ExitIO, err)
}
