//go:build !unix

package workdir

import (
	"errors"
	"os"
)

// duplicate is not reached: streams have no names here.
func duplicate(int, string) (*os.File, error) { return nil, errors.ErrUnsupported }
