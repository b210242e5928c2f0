package controller

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/deployment"
)

// Secrets and ConfigMaps that spec.parametersFrom names are read by their names, one at a time. They are
// neither listed nor watched, so the controller needs no right to do so and holds no copies of others.
const (
	sourceInterval = time.Minute      // between two looks at what an object refers to
	sourceDelay    = 10 * time.Second // the same, while something is missing
)

// sources are what spec.parametersFrom refers to, as it is now.
type sources struct {
	values  deployment.Values
	secrets []string // values that must not be shown
	err     error    // what is missing; a *deployment.SourceError
}

// hide adds the values of Secrets to what must not be shown.
func (s sources) hide(secrets *deployment.Secrets) {
	for _, text := range s.secrets {
		secrets.Add(text)
	}
}

// seenSource is a value that was read before.
type seenSource struct {
	sum     [sha256.Size]byte
	version string
}

// key is different whenever a value is.
func (s sources) key() string {
	return fmt.Sprint(s.values.Versions(), s.err)
}

// readSources reads what spec.parametersFrom refers to. An error is one of the API server.
//
// A value counts as changed when its text has. seen holds what was read before, for the case that
// something else of its object has changed; without it, each change of the object counts.
func readSources(ctx context.Context, live client.Reader, dt *v1alpha3.DeploymentTemplate, seen map[string]seenSource) (sources, error) {
	found := sources{values: deployment.Values{}}
	objects, named := map[string]client.Object{}, map[string]bool{}
	for _, from := range dt.Spec.ParametersFrom {
		ref, kind := from.ConfigMapKeyRef, "ConfigMap"
		if from.SecretKeyRef != nil {
			ref, kind = from.SecretKeyRef, "Secret"
		}
		if ref == nil {
			continue // the schema refuses it, and so does deployment.New
		}
		name := kind + "/" + ref.Name
		named[name+"/"+ref.Key] = true
		object, read := objects[name]
		if !read {
			object = &corev1.ConfigMap{}
			if kind == "Secret" {
				object = &corev1.Secret{}
			}
			err := live.Get(ctx, client.ObjectKey{Namespace: dt.Namespace, Name: ref.Name}, object)
			switch {
			case apierrors.IsNotFound(err):
				object = nil
			case apierrors.IsForbidden(err):
				found.err = cmp.Or(found.err,
					sourceError(from.Name, "the controller may not read the %s %s of this namespace: see docs/controller.md, Rights",
						kind, ref.Name))
				object = nil
			case err != nil:
				return sources{}, err
			}
			objects[name] = object
		}
		text, has := "", false
		switch o := object.(type) {
		case *corev1.Secret:
			var data []byte
			data, has = o.Data[ref.Key]
			text = string(data)
		case *corev1.ConfigMap:
			text, has = o.Data[ref.Key]
		}
		switch {
		case !has && ref.Optional:
		case object == nil:
			found.err = cmp.Or(found.err, sourceError(from.Name, "the %s %s of this namespace does not exist", kind, ref.Name))
		case !has:
			found.err = cmp.Or(found.err, sourceError(from.Name, "the %s %s has no key %s", kind, ref.Name, ref.Key))
		case !utf8.ValidString(text):
			found.err = cmp.Or(found.err, sourceError(from.Name, "the key %s of the %s %s is not text", ref.Key, kind, ref.Name))
		default:
			version := name + "/" + ref.Key + " " + string(object.GetUID()) + " " + object.GetResourceVersion()
			now := seenSource{sha256.Sum256([]byte(text)), version}
			if was, ok := seen[name+"/"+ref.Key]; ok && was.sum == now.sum {
				now = was
			}
			if seen != nil {
				seen[name+"/"+ref.Key] = now
			}
			found.values[from.Name] = deployment.Value{Text: text, Version: now.version, Secret: kind == "Secret"}
			if kind == "Secret" && !slices.Contains(found.secrets, text) {
				found.secrets = append(found.secrets, text)
			}
		}
	}
	maps.DeleteFunc(seen, func(key string, _ seenSource) bool { return !named[key] })
	return found, nil
}

func sourceError(parameter, format string, args ...any) error {
	return &deployment.SourceError{Parameter: parameter, Problem: fmt.Sprintf(format, args...)}
}
