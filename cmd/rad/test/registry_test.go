package test

import (
	"os"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// registries are those of scripts, by the script's work folder.
var registries sync.Map

// startRegistry starts a registry of the script's own: registry start [USER PASSWORD],
// registry stop, registry mute, after which it answers nothing, or registry replace FILE..., which writes its host for HOST in files.
func startRegistry(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: registry start | stop | mute | replace FILE...")
	}
	switch args[0] {
	case "start":
		r := registrytest.Start()
		ts.Defer(r.Close)
		if len(args) == 3 {
			r.User, r.Password = args[1], args[2]
		}
		ts.Setenv("HOST", r.Host)
		ts.Setenv("D", "$")
		ts.Setenv("FOLDER", strings.ReplaceAll(r.Host, ":", "$"))
		ts.Setenv("BICEP_TRUSTED_REGISTRIES", "127.0.0.1")
		registries.Store(ts.Getenv("WORK"), r)
	case "stop", "mute":
		r, ok := registries.Load(ts.Getenv("WORK"))
		if !ok {
			ts.Fatalf("there is no registry")
		}
		if args[0] == "stop" {
			r.(*registrytest.Registry).Close()
			return
		}
		r.(*registrytest.Registry).Mute()
	case "replace":
		for _, name := range args[1:] {
			text := strings.ReplaceAll(ts.ReadFile(name), "HOST", ts.Getenv("HOST"))
			ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o666))
		}
	default:
		ts.Fatalf("registry %s: unknown", args[0])
	}
}
