package radius

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRecovery is what goes wrong on the way: containers that do not start, programs that are killed, resources that
// somebody else deletes.
func TestRecovery(t *testing.T) {
	p := startPlane(t)
	controller := p.startController(t)
	p.startRegistry(t)
	base := p.baseline(t)
	const notes = core + "extenders/notes"
	defer p.pulled.Store(true)
	recovering := func(name, tag string) *deployment {
		return p.deployment(name, filepath.Join("testdata", "recovery.bicep"), "-p", "containerName="+name, "-p", "image=ghcr.io/example/web:"+tag)
	}

	t.Run("a container that cannot start", func(t *testing.T) {
		d := recovering("cannot-start", "missing")
		web := core + "containers/" + d.name
		d.apply(t)
		d.says(t, "Failed", "ErrImagePull")
		assert.Subset(t, d.children(t), []string{d.whole(notes)})
		d.args = append(d.args, "-p", "image=ghcr.io/example/web:1")
		d.apply(t)
		// Radius may look at the pods of the former image once more, and fail again. Another try comes after half a minute.
		d.retried = true
		d.ready(t, notes, web)
		d.remove(t)
		d.gone(t)
	})

	t.Run("deleted after it failed", func(t *testing.T) {
		d := recovering("never-started", "missing")
		web := core + "containers/" + d.name
		d.apply(t)
		d.says(t, "Failed", "ErrImagePull")
		d.remove(t)
		d.missing(t, notes)
		d.missing(t, web)
		d.gone(t)
	})

	t.Run("the controller is killed while a deployment runs", func(t *testing.T) {
		p.pulled.Store(false)
		d := recovering("killed", "slow")
		web := core + "containers/" + d.name
		d.apply(t)
		d.says(t, "Updating", "makes containers/")
		controller.kill()
		assert.Equal(t, 1, p.engine.Puts("resourcegroups/killed/"))
		controller = p.controller(t)
		time.Sleep(3 * time.Second)
		p.pulled.Store(true)
		d.ready(t, notes, web)
		assert.Equal(t, 1, p.engine.Puts("resourcegroups/killed/"), "it was deployed once")
		d.remove(t)
		d.gone(t)
	})

	t.Run("a resource that somebody else deletes", func(t *testing.T) {
		d := recovering("drift", "1")
		web := core + "containers/" + d.name
		d.apply(t)
		d.ready(t, notes, web)
		_, err := p.send(http.MethodDelete, d.id(web), "application/json", nil)
		require.NoError(t, err)
		p.until(t, func() error {
			if _, err := p.get(d.id(web)); err == nil {
				return fmt.Errorf("%s is still there", web)
			}
			return nil
		})
		_, err = p.kubectl("annotate", "deploymenttemplate", d.name, "-n", namespace, "radapp.io/reconcile-requested-at=now")
		require.NoError(t, err)
		p.until(t, func() error { _, err := p.get(d.id(web)); return err })
		d.ready(t, notes, web)
		d.remove(t)
		d.gone(t)
	})

	t.Run("deleted while it is deployed", func(t *testing.T) {
		p.pulled.Store(false)
		d := recovering("hurry", "slow")
		web := core + "containers/" + d.name
		d.apply(t)
		d.says(t, "Updating", "makes containers/")
		_, err := p.kubectl("delete", "deploymenttemplate", d.name, "-n", namespace, "--wait=false")
		require.NoError(t, err)
		d.says(t, "Deleting", "")
		p.pulled.Store(true)
		d.remove(t)
		d.missing(t, notes)
		d.missing(t, web)
		d.gone(t)
	})
	t.Run("Radius is killed while a deployment runs", func(t *testing.T) {
		p.pulled.Store(false)
		d := recovering("radius-killed", "slow")
		web := core + "containers/" + d.name
		d.apply(t)
		d.says(t, "Updating", "makes containers/")
		p.ucp.kill()
		time.Sleep(5 * time.Second)
		p.startUCP(t)
		p.pulled.Store(true)
		d.ready(t, notes, web)
		assert.Equal(t, 1, p.engine.Puts("resourcegroups/radius-killed/"), "it was deployed once")
		d.remove(t)
		// UCP goes on listing the container, which is not there, until the lock of what it was doing has run out.
		d.missing(t, notes)
		d.missing(t, web)
	})

	t.Run("two templates with one resource", func(t *testing.T) {
		one, two := recovering("one", "1"), recovering("two", "1")
		one.group, two.group = "shared", "shared"
		two.args = one.args
		web := core + "containers/one"
		one.apply(t)
		one.ready(t, notes, web)
		two.apply(t)
		two.ready(t, notes, web)
		one.remove(t)
		two.ready(t, notes, web)
		two.remove(t)
		two.missing(t, web)
		two.gone(t)
	})

	t.Run("a namespace that is deleted", func(t *testing.T) {
		d := recovering("namespaced", "1")
		d.namespace = "doomed"
		_, err := p.kubectl("create", "namespace", d.namespace)
		require.NoError(t, err)
		d.apply(t)
		d.ready(t, notes, core+"containers/"+d.name)
		_, err = p.kubectl("delete", "namespace", d.namespace, "--timeout=4m")
		require.NoError(t, err)
		d.missing(t, core+"containers/"+d.name)
		d.gone(t)
	})

	t.Run("the environment is deleted before what is in it", func(t *testing.T) {
		around := p.deployment("around", filepath.Join("testdata", "base.bicep"), "-p", "kubernetesNamespace=around", "-p", "registry="+p.registry.Host)
		around.apply(t)
		around.ready(t, core+"environments/dev", core+"applications/shop")
		const group = "/planes/radius/local/resourceGroups/around/providers/Applications.Core/"
		d := p.deployment("cache", filepath.Join("testdata", "cache.bicep"), "-p", "environment="+group+"environments/dev", "-p", "application="+group+"applications/shop")
		d.apply(t)
		d.ready(t, stores+"redisCaches/short-lived")
		around.remove(t)
		_, err := p.kubectl("delete", "deploymenttemplate", d.name, "-n", namespace, "--wait=false")
		require.NoError(t, err)
		// Radius needs the environment to delete what a recipe made.
		d.says(t, "Deleting", "could not be deleted")
		around.apply(t)
		d.remove(t)
		d.gone(t)
		around.remove(t)
		around.gone(t)
	})

	t.Run("a template without resources", func(t *testing.T) {
		d := p.deployment("empty", filepath.Join(t.TempDir(), "empty.json"))
		require.NoError(t, os.WriteFile(d.file, []byte(`{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": []}`), 0o600))
		d.apply(t)
		d.ready(t)
		d.remove(t)
		d.gone(t)
	})
	base.remove(t)
	base.gone(t)
}

// whole returns the ID of a resource, in lower case.
func (d *deployment) whole(resource string) string {
	return strings.ToLower("/planes/radius/local/resourceGroups/" + d.group + "/providers/" + resource)
}

// says waits for a phrase and a part of the message.
func (d *deployment) says(t *testing.T, phrase, message string) {
	t.Helper()
	d.until(t, func() error {
		template, err := d.object()
		if err != nil {
			return err
		}
		if template.text("status", "phrase") != phrase || !strings.Contains(template.text("status", "message"), message) {
			return fmt.Errorf("%s is %v", d.name, template.at("status"))
		}
		return nil
	})
}
