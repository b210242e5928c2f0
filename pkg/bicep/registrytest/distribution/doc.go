// Package distribution tests rad against the registry that most others are built on,
// github.com/distribution/distribution. It is a module of its own, so that what the
// registry needs is not among the requirements of rad.
package distribution
