//go:build !unix

package source_test

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
