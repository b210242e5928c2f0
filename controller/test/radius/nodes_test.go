package radius

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// beNodes does what nodes and Contour do: it says of each pod that it runs, and of each HTTPProxy that it is valid.
// No container is run. Until p.pulled, an image with the tag missing cannot be pulled, and one with the tag slow takes its time.
func (p *plane) beNodes(t *testing.T) {
	for t.Context().Err() == nil {
		time.Sleep(300 * time.Millisecond)
		pods, err := p.get("/api/v1/pods")
		if err != nil {
			continue
		}
		for _, pod := range pods.items("items") {
			if pod.text("status", "phase") != "Pending" {
				continue
			}
			var containers []any
			running, ready := "Running", "True"
			for _, c := range pod.items("spec", "containers") {
				if tag := c.text("image")[strings.LastIndex(c.text("image"), ":")+1:]; (tag == "missing" || tag == "slow") && !p.pulled.Load() {
					running, ready = "Pending", "False"
					reason := map[string]string{"missing": "ErrImagePull", "slow": "ContainerCreating"}[tag]
					containers = append(containers, map[string]any{"name": c.text("name"), "image": c.text("image"), "imageID": "", "ready": false, "restartCount": 0,
						"state": map[string]any{"waiting": map[string]any{"reason": reason, "message": "there is no such image"}}})
					continue
				}
				containers = append(containers, map[string]any{"name": c.text("name"), "image": c.text("image"), "imageID": "", "ready": true, "started": true, "restartCount": 0,
					"state": map[string]any{"running": map[string]any{"startedAt": time.Now().UTC().Format(time.RFC3339)}}})
			}
			_ = p.status("/api/v1/namespaces/"+pod.text("metadata", "namespace")+"/pods/"+pod.text("metadata", "name"), map[string]any{
				"phase": running, "containerStatuses": containers,
				"conditions": []any{map[string]any{"type": "Ready", "status": ready}, map[string]any{"type": "ContainersReady", "status": ready}},
			})
		}
		proxies, err := p.get("/apis/projectcontour.io/v1/httpproxies")
		if err != nil {
			continue
		}
		for _, proxy := range proxies.items("items") {
			if proxy.text("status", "currentStatus") != "valid" {
				_ = p.status("/apis/projectcontour.io/v1/namespaces/"+proxy.text("metadata", "namespace")+"/httpproxies/"+proxy.text("metadata", "name"),
					map[string]any{"currentStatus": "valid", "description": "Valid HTTPProxy"})
			}
		}
	}
}

func (p *plane) status(path string, status any) error {
	_, err := p.send(http.MethodPatch, path+"/status", "application/merge-patch+json", map[string]any{"status": status})
	return err
}
