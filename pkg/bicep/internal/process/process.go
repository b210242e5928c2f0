// Package process runs a program and ends what it has started with it: when it ends, when it is
// cancelled, and, as far as the system allows, when this process dies.
package process
