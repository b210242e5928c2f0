package controller

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"sort"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

// The CRDs of released Radius have few fields of a status, and whatever else is there is lost as
// soon as somebody writes the object while they are served. What stays is statusHash,
// outputResources, and of an operation its kind and its resumeToken. So what must not be lost is
// written a second time: the operation behind its token, and behind statusHash the right to delete
// what earlier deployments made, and how it is deleted.

// carriedMark stands before what is carried. Neither tokens, which are paths, nor hashes hold it.
const carriedMark = " carries:"

// carried is what travels behind statusHash.
type carried struct {
	Obsolete    []string                `json:"obsolete,omitempty"`
	Held        *v1alpha3.HeldResources `json:"held,omitempty"`
	APIVersions map[string]string       `json:"apiVersions,omitempty"`
	Resource    string                  `json:"resource,omitempty"`
	Handled     string                  `json:"handled,omitempty"`
	Redeployed  string                  `json:"redeployed,omitempty"`
	DeployedAt  *metav1.Time            `json:"deployedAt,omitempty"`
}

// maxCarried bounds what is read from a token. It is more than an object can hold.
const maxCarried = 64 << 20

// compressors are used again: a new one takes most of a megabyte, and each status that is saved needs one.
var compressors = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(io.Discard, flate.DefaultCompression)
	return w
}}

// pack adds to a text what it carries.
func pack(text string, v any) string {
	data, err := json.Marshal(v)
	if err != nil || string(data) == "{}" {
		return text
	}
	var b bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	w.Reset(&b)
	_, _ = w.Write(data)
	_ = w.Close()
	compressors.Put(w)
	return text + carriedMark + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// unpack parts a text from what it carries, which is read into v. It returns false if that is nothing.
func unpack(text string, v any) (string, bool) {
	text, rest, found := strings.Cut(text, carriedMark)
	if !found {
		return text, false
	}
	data, err := base64.RawURLEncoding.DecodeString(rest)
	if err != nil {
		return text, false
	}
	data, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), maxCarried))
	return text, err == nil && json.Unmarshal(data, v) == nil
}

// packOperation is the operation with itself behind its token.
func packOperation(op *v1alpha3.ResourceOperation) *v1alpha3.ResourceOperation {
	packed, inner := op.DeepCopy(), op.DeepCopy()
	inner.OperationKind, inner.ResumeToken = "", ""
	packed.ResumeToken = pack(op.ResumeToken, inner)
	return packed
}

// unpackOperation restores an operation, whatever of it the API server has kept.
func unpackOperation(op *v1alpha3.ResourceOperation) *v1alpha3.ResourceOperation {
	inner := &v1alpha3.ResourceOperation{}
	token, ok := unpack(op.ResumeToken, inner)
	if !ok {
		inner = op.DeepCopy()
	}
	inner.OperationKind, inner.ResumeToken = op.OperationKind, token
	return inner
}

// toSave is the status of a DeploymentTemplate as it is saved.
func toSave(status *v1alpha3.DeploymentTemplateStatus) v1alpha3.DeploymentTemplateStatus {
	saved := *status.DeepCopy()
	if status.Operation != nil {
		saved.Operation = packOperation(status.Operation)
	}
	saved.StatusHash = pack(status.StatusHash, carried{
		Obsolete: status.ObsoleteResources, Held: status.Held, APIVersions: status.APIVersions, Resource: status.Resource,
		Handled: status.LastHandledReconcileAt, Redeployed: status.LastHandledRedeployAt, DeployedAt: status.DeployedAt,
	})
	return saved
}

// asSaved reads a status that was saved, and restores what the API server did not keep.
func asSaved(saved *v1alpha3.DeploymentTemplateStatus) *v1alpha3.DeploymentTemplateStatus {
	status := saved.DeepCopy()
	if status.Operation != nil {
		status.Operation = unpackOperation(status.Operation)
	}
	var c carried
	hash, ok := unpack(status.StatusHash, &c)
	status.StatusHash = hash
	if ok {
		status.ObsoleteResources, status.Held, status.APIVersions, status.Resource = c.Obsolete, c.Held, c.APIVersions, c.Resource
		status.LastHandledReconcileAt, status.LastHandledRedeployAt, status.DeployedAt = c.Handled, c.Redeployed, c.DeployedAt
	}
	return status
}

// resourceToSave and resourceAsSaved do the same for a DeploymentResource.
func resourceToSave(status *v1alpha3.DeploymentResourceStatus) v1alpha3.DeploymentResourceStatus {
	saved := *status.DeepCopy()
	if status.Operation != nil {
		saved.Operation = packOperation(status.Operation)
	}
	return saved
}

func resourceAsSaved(saved *v1alpha3.DeploymentResourceStatus) *v1alpha3.DeploymentResourceStatus {
	status := saved.DeepCopy()
	if status.Operation != nil {
		status.Operation = unpackOperation(status.Operation)
	}
	return status
}

// dropped is the first field that is in what was sent to the API server and not in what it says it saved.
func dropped(sent, saved any) string {
	want, err := json.Marshal(sent)
	if err != nil {
		return ""
	}
	got, err := json.Marshal(saved)
	if err != nil || bytes.Equal(want, got) {
		return ""
	}
	var a, b map[string]any
	if json.Unmarshal(want, &a) != nil || json.Unmarshal(got, &b) != nil {
		return ""
	}
	return missingKey("status", a, b)
}

func missingKey(path string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		have, ok := got.(map[string]any)
		if !ok {
			return path
		}
		keys := make([]string, 0, len(want))
		for k := range want {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			if _, ok := have[k]; !ok {
				return path + "." + k
			}
			if missing := missingKey(path+"."+k, want[k], have[k]); missing != "" {
				return missing
			}
		}
	case []any:
		have, _ := got.([]any)
		for i := range want {
			if i >= len(have) {
				return path
			}
			if missing := missingKey(path, want[i], have[i]); missing != "" {
				return missing
			}
		}
	}
	return ""
}
