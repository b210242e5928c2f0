package bicep

import (
	"context"
	"errors"
)

// Embedded is the compiler written here. It runs in this process and needs no
// other program, no configuration and no network.
type Embedded struct{}

var _ Compiler = Embedded{}

var errNotYet = errors.New("the embedded compiler is not part of this build; use --compiler bicep")

// Build compiles a .bicep file.
func (Embedded) Build(ctx context.Context, r Request) (*Result, error) {
	return nil, errNotYet
}

// BuildParams compiles a .bicepparam file.
func (Embedded) BuildParams(ctx context.Context, r Request) (*Result, error) {
	return nil, errNotYet
}
