package arm

import (
	"context"
	"strings"

	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// Router asks Azure for resources of Azure, and Radius for all others and for deployments.
type Router struct {
	*radius.Client
	Azure *Client
}

// tokenMark stands before tokens of operations of Azure. A controller without a credential does not know
// them, and takes the operation for lost.
const tokenMark = "azure:"

// Get reads a resource.
func (r Router) Get(ctx context.Context, path, version string) (*radius.Resource, error) {
	if at, ok := pathOf(path); ok {
		return r.Azure.Get(ctx, at, version)
	}
	return r.Client.Get(ctx, path, version)
}

// Delete deletes a resource.
func (r Router) Delete(ctx context.Context, path, version string) (radius.Progress, error) {
	if at, ok := pathOf(path); ok {
		return marked(r.Azure.Delete(ctx, at, version))
	}
	return r.Client.Delete(ctx, path, version)
}

// Poll asks how far an operation is.
func (r Router) Poll(ctx context.Context, token string) (radius.Progress, error) {
	if at, ok := strings.CutPrefix(token, tokenMark); ok {
		return marked(r.Azure.Poll(ctx, at))
	}
	return r.Client.Poll(ctx, token)
}

// DefaultVersion is a version that the type of a resource has.
func (r Router) DefaultVersion(ctx context.Context, id resourceid.ID) (string, error) {
	if id.Plane() == resourceid.Azure {
		return r.Azure.DefaultVersion(ctx, id)
	}
	return r.Client.DefaultVersion(ctx, id)
}

func marked(p radius.Progress, err error) (radius.Progress, error) {
	if p.Token != "" {
		p.Token = tokenMark + p.Token
	}
	return p, err
}
