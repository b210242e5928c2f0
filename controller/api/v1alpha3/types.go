package v1alpha3

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DeploymentTemplateSpec is what a user wants deployed.
type DeploymentTemplateSpec struct {
	// Template is the text of an ARM JSON template.
	Template string `json:"template"`

	// Parameters are the template's parameters: the JSON text {"name":{"value":…}},
	// or, as released Radius has it, a map of names and strings.
	// +optional
	Parameters *apiextensionsv1.JSON `json:"parameters,omitempty"`

	// ParametersFrom are parameters whose values are in Secrets and ConfigMaps of the same namespace.
	// +optional
	ParametersFrom []ParameterSource `json:"parametersFrom,omitempty"`

	// DependsOn are objects of the same namespace that a new spec waits for.
	// +optional
	DependsOn []Dependency `json:"dependsOn,omitempty"`

	// ProviderConfig holds the scopes that are deployed to: an object, or, as released
	// Radius has it, the same object as JSON text.
	// +optional
	ProviderConfig *apiextensionsv1.JSON `json:"providerConfig,omitempty"`

	// RedeployInterval is the time, such as 24h, after which what is deployed already is sent once more. Empty is never.
	// It is a text: a list with a value that is no duration could not be read at all.
	// +optional
	RedeployInterval string `json:"redeployInterval,omitempty"`

	// Repository is the name of a Flux GitRepository. Released Radius writes it; it is not used here.
	// +optional
	Repository string `json:"repository,omitempty"`
}

// ParameterSource says where the value of a parameter is. It has one of the two references.
type ParameterSource struct {
	// Name is the name of the template's parameter.
	Name string `json:"name"`

	// SecretKeyRef is a key of a Secret.
	// +optional
	SecretKeyRef *KeyReference `json:"secretKeyRef,omitempty"`

	// ConfigMapKeyRef is a key of a ConfigMap.
	// +optional
	ConfigMapKeyRef *KeyReference `json:"configMapKeyRef,omitempty"`
}

// Dependency is an object that must be ready, with its generation, before a new spec is sent.
type Dependency struct {
	// APIVersion is that of the object, such as radapp.io/v1alpha3.
	APIVersion string `json:"apiVersion"`

	// Kind is the kind of the object.
	Kind string `json:"kind"`

	// Name is the name of the object.
	Name string `json:"name"`
}

// KeyReference is a key of an object of the same namespace.
type KeyReference struct {
	// Name is the name of the object.
	Name string `json:"name"`

	// Key is the key in its data.
	Key string `json:"key"`

	// Optional is true if the parameter is left out where object or key are missing.
	// +optional
	Optional bool `json:"optional,omitempty"`
}

// DeploymentTemplateStatus is what is known of a deployment.
type DeploymentTemplateStatus struct {
	// ObservedGeneration is the generation that the status speaks of, -1 before the first.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// StatusHash is a hash of what was last deployed successfully. "again: " stands before it while that is to be sent once more.
	StatusHash string `json:"statusHash,omitempty"`

	// VerifiedHash is the StatusHash for which all checks of the resources have passed.
	VerifiedHash string `json:"verifiedHash,omitempty"`

	// Resource is the ID of the deployment object in Radius.
	Resource string `json:"resource,omitempty"`

	// OutputResources are the IDs of the resources that the last deployment made.
	OutputResources []string `json:"outputResources,omitempty"`

	// ObsoleteResources are the IDs of resources that earlier deployments made, the last one did not,
	// and that are not yet known to be deleted. With OutputResources they are what the object may delete.
	ObsoleteResources []string `json:"obsoleteResources,omitempty"`

	// Gathered is true once each recorded resource of an object that is being deleted has a DeploymentResource,
	// so that nothing is left when these are gone.
	Gathered bool `json:"gathered,omitempty"`

	// Held is what a deployment did not say whether it made, until a user or another deployment says so.
	Held *HeldResources `json:"held,omitempty"`

	// APIVersions are the versions of the types of resources that were deployed.
	APIVersions map[string]string `json:"apiVersions,omitempty"`

	// Operation is the request that is under way.
	Operation *ResourceOperation `json:"operation,omitempty"`

	// Failure is the last failed deployment, until one succeeds.
	Failure *Failure `json:"failure,omitempty"`

	// Phrase is the state in one word.
	Phrase DeploymentTemplatePhrase `json:"phrase,omitempty"`

	// Message says more about the state.
	Message string `json:"message,omitempty"`

	// LastHandledReconcileAt is the last value of the annotation
	// radapp.io/reconcile-requested-at that was handled.
	LastHandledReconcileAt string `json:"lastHandledReconcileAt,omitempty"`

	// LastHandledRedeployAt is the last value of the annotation
	// radapp.io/redeploy-requested-at that was handled.
	LastHandledRedeployAt string `json:"lastHandledRedeployAt,omitempty"`

	// DeployedAt is when the last deployment succeeded.
	DeployedAt *metav1.Time `json:"deployedAt,omitempty"`

	// Conditions are Ready, Reconciling and Stalled, and Observed while it is False.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Kinds of operations.
const (
	OperationPut    = "PUT"
	OperationDelete = "DELETE"
)

// ResourceOperation is a request that was sent, or is about to be.
type ResourceOperation struct {
	// OperationKind is PUT or DELETE.
	OperationKind string `json:"operationKind,omitempty"`

	// ResumeToken says how the operation is polled, once the request is known to be accepted. Behind that it
	// carries what the CRDs of released Radius have no field for.
	ResumeToken string `json:"resumeToken,omitempty"`

	// StartedAt is when the operation was begun.
	StartedAt *metav1.Time `json:"startedAt,omitempty"`

	// Hash is the hash of what is sent. It is empty for a deployment that was found running.
	Hash string `json:"hash,omitempty"`

	// Generation is the generation of the object that is sent.
	Generation int64 `json:"generation,omitempty"`

	// Resource is the ID that the request is for.
	Resource string `json:"resource,omitempty"`

	// First is true if nothing else was ever sent to Resource.
	First bool `json:"first,omitempty"`

	// Secrets is true if secure parameters are sent.
	Secrets bool `json:"secrets,omitempty"`

	// Reason is why the request is sent again, if it is.
	Reason string `json:"reason,omitempty"`

	// APIVersions are the versions of the resource types in the template that is sent.
	APIVersions map[string]string `json:"apiVersions,omitempty"`
}

// HeldResources are resources that the last deployment, which did not list what it made, may not have made.
type HeldResources struct {
	// Token is the value of the annotation radapp.io/confirm-deletion that lets them be deleted.
	Token string `json:"token,omitempty"`

	// Resources are their IDs.
	Resources []string `json:"resources,omitempty"`
}

// Failure is a deployment that failed.
type Failure struct {
	// Hash is the hash of what was sent.
	Hash string `json:"hash,omitempty"`

	// Count is how often it failed.
	Count int32 `json:"count,omitempty"`

	// RetryAt is when it is sent again.
	RetryAt metav1.Time `json:"retryAt,omitempty"`
}

// DeploymentTemplatePhrase is the state of a DeploymentTemplate in one word.
type DeploymentTemplatePhrase string

// Phrases of a DeploymentTemplate.
const (
	DeploymentTemplatePhraseUpdating            DeploymentTemplatePhrase = "Updating"
	DeploymentTemplatePhraseReady               DeploymentTemplatePhrase = "Ready"
	DeploymentTemplatePhraseReadyPendingCleanup DeploymentTemplatePhrase = "ReadyPendingCleanup"
	DeploymentTemplatePhraseFailed              DeploymentTemplatePhrase = "Failed"
	DeploymentTemplatePhraseDeleting            DeploymentTemplatePhrase = "Deleting"
	DeploymentTemplatePhraseDeleted             DeploymentTemplatePhrase = "Deleted"
)

// +kubebuilder:object:root=true

// DeploymentTemplate is an ARM template that is deployed by Radius.
type DeploymentTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DeploymentTemplateSpec   `json:"spec,omitempty"`
	Status DeploymentTemplateStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// DeploymentTemplateList is a list of DeploymentTemplates.
type DeploymentTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []DeploymentTemplate `json:"items"`
}

// DeploymentResourceSpec names a resource.
type DeploymentResourceSpec struct {
	// ID is the resource ID. It cannot be changed.
	ID string `json:"id"`

	// APIVersion is the version of the resource's type, with which it is read and deleted.
	// +optional
	APIVersion string `json:"apiVersion,omitempty"`

	// ProviderConfig is in the design. It is neither filled nor read: the ID says the scope.
	// +optional
	ProviderConfig *apiextensionsv1.JSON `json:"providerConfig,omitempty"`
}

// DeploymentResourceStatus is what is known of a resource.
type DeploymentResourceStatus struct {
	// ID is the resource ID.
	ID string `json:"id,omitempty"`

	// ObservedGeneration is the generation that the status speaks of, -1 before the first.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// Operation is the request that is under way.
	Operation *ResourceOperation `json:"operation,omitempty"`

	// Failure counts the attempts to delete the resource that failed.
	Failure *Failure `json:"failure,omitempty"`

	// Phrase is the state in one word.
	Phrase DeploymentResourcePhrase `json:"phrase,omitempty"`

	// Message says more about the state.
	Message string `json:"message,omitempty"`

	// Conditions are Ready, Reconciling and Stalled, and Observed while it is False.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// DeploymentResourcePhrase is the state of a DeploymentResource in one word.
type DeploymentResourcePhrase string

// Phrases of a DeploymentResource.
const (
	DeploymentResourcePhraseReady    DeploymentResourcePhrase = "Ready"
	DeploymentResourcePhraseFailed   DeploymentResourcePhrase = "Failed"
	DeploymentResourcePhraseDeleting DeploymentResourcePhrase = "Deleting"
	DeploymentResourcePhraseDeleted  DeploymentResourcePhrase = "Deleted"
)

// +kubebuilder:object:root=true

// DeploymentResource is one resource that a DeploymentTemplate deployed.
type DeploymentResource struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DeploymentResourceSpec   `json:"spec,omitempty"`
	Status DeploymentResourceStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// DeploymentResourceList is a list of DeploymentResources.
type DeploymentResourceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []DeploymentResource `json:"items"`
}
