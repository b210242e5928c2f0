//go:build !aztypes

package aztypes

const embedded = ""
