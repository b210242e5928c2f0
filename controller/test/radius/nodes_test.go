package radius

import (
	"net/http"
	"testing"
	"time"
)

// beNodes does what nodes and Contour do: it says of each pod that it runs, and of each HTTPProxy that it is valid.
// No container is run.
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
			for _, c := range pod.items("spec", "containers") {
				containers = append(containers, map[string]any{"name": c.text("name"), "image": c.text("image"), "imageID": "", "ready": true, "started": true, "restartCount": 0,
					"state": map[string]any{"running": map[string]any{"startedAt": time.Now().UTC().Format(time.RFC3339)}}})
			}
			_ = p.status("/api/v1/namespaces/"+pod.text("metadata", "namespace")+"/pods/"+pod.text("metadata", "name"), map[string]any{
				"phase": "Running", "containerStatuses": containers,
				"conditions": []any{map[string]any{"type": "Ready", "status": "True"}, map[string]any{"type": "ContainersReady", "status": "True"}},
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
