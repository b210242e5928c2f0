package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// armTemplate is an ARM template as a Template: parameters of any type, since its
// definitions are read by package armtemplate.
type armTemplate struct {
	noTemplate
	file *graph.File
}

func newARM(_ *Program, f *graph.File) Template { return &armTemplate{file: f} }

func (a *armTemplate) File() *graph.File                { return a.file }
func (a *armTemplate) TargetScope() types.ResourceScope { return types.ScopeResourceGroup }
func (a *armTemplate) Exports() []*bind.Export          { return nil }
