package emit

import (
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
)

// Expression turns an expression of a file into one of the template language. The
// error says what the language cannot express.
func Expression(ctx *lower.Context, e ir.Expr) (armexpr.Expr, error) {
	f := newFile(ctx)
	c := &converter{b: ctx.Builder(nil), file: f}
	x := c.expr(e)
	return x, f.err
}
