//go:build aztypes

package aztypes

import _ "embed"

// The library is made by `make aztypes`; it is not in the repository.
//
//go:embed library.aztypes
var embedded string
