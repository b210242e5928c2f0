// Command check is rad-controller with a check of its own: a gateway is ready when Radius says by which URL it is reached,
// and that URL begins with https.
package main

import (
	"context"
	"os"
	"strings"

	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/manager"
)

func main() {
	os.Exit(manager.Main(os.Args[1:], checks()))
}

func checks() *check.Registry {
	registry := check.NewRegistry()
	registry.Add("Applications.Core/gateways", check.Func(gateway))
	return registry
}

func gateway(ctx context.Context, in check.Input, next check.Next) (check.Result, error) {
	if !in.Resource.Readable || !in.Resource.Exists {
		return next(ctx, in) // the check behind this one says so
	}
	var properties struct {
		URL string `json:"url"`
	}
	switch err := in.Resource.Properties(&properties); {
	case err != nil:
		return check.Result{}, err
	case properties.URL == "":
		return check.Failure("NoURL", in.Resource.ID+" has no URL yet").WithSeverity(check.Info), nil
	case !strings.HasPrefix(properties.URL, "https://"):
		message := in.Resource.ID + " is reached by " + properties.URL + "; give it a certificate"
		return check.Failure("NotEncrypted", message).WithSeverity(check.Error), nil
	}
	return next(ctx, in)
}
