package check

import (
	"context"
	"fmt"
	"strings"
)

// PrivateEndpoint holds back Ready until the connections of an Azure private endpoint are
// approved: the deployment of an endpoint succeeds while its owner has yet to approve it.
type PrivateEndpoint struct{}

// Check reads the connection state out of the endpoint.
func (PrivateEndpoint) Check(ctx context.Context, in Input, next Next) (Result, error) {
	if !in.Resource.Readable || !in.Resource.Exists {
		return next(ctx, in)
	}
	type connection struct {
		Name       string `json:"name"`
		Properties struct {
			State struct {
				Status      string `json:"status"`
				Description string `json:"description"`
			} `json:"privateLinkServiceConnectionState"`
		} `json:"properties"`
	}
	var p struct {
		Automatic []connection `json:"privateLinkServiceConnections"`
		Manual    []connection `json:"manualPrivateLinkServiceConnections"`
	}
	if err := in.Resource.Properties(&p); err != nil {
		return Result{}, err
	}
	for _, c := range append(p.Automatic, p.Manual...) {
		state := c.Properties.State
		if state.Status == "" || strings.EqualFold(state.Status, "Approved") {
			continue
		}
		message := fmt.Sprintf("%s: the connection %s is %s", in.Resource.ID, c.Name, state.Status)
		if state.Description != "" {
			message += ": " + state.Description
		}
		if strings.EqualFold(state.Status, "Pending") {
			return Failure("ConnectionPending", message), nil
		}
		// One that was rejected or cut stays so until somebody acts.
		return Failure("ConnectionNotApproved", message).WithSeverity(Error), nil
	}
	return next(ctx, in)
}
