package bicep

import (
	"context"

	"github.com/radbicep/rad/pkg/bicep/internal/placeholder"
)

// ParamsFile says what parameter file is to be generated for a template.
type ParamsFile struct {
	Bicepparam bool   // a Bicep parameter file instead of an ARM parameter file
	All        bool   // parameters with a default too
	Existing   []byte // what the ARM parameter file holds now, which is kept where it fits
}

// GenerateParams writes a parameter file for a .bicep file: with the defaults of the
// parameters, or values to be filled in. The text is the result's Parameters; it is
// nil if the findings hold an error.
func (Embedded) GenerateParams(ctx context.Context, r Request, p ParamsFile) (*Result, error) {
	return compile(ctx, r, func(c *compilation, result *Result) error {
		m := c.program.Entry()
		if p.Bicepparam {
			result.Parameters = []byte(placeholder.Bicepparam(m, p.All))
		} else {
			result.Parameters = placeholder.JSON(m, p.All, p.Existing)
		}
		return nil
	})
}
