//go:build !unix

package workdir

import "io/fs"

func umask() fs.FileMode { return 0 }
