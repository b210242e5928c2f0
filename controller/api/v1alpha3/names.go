package v1alpha3

// Finalizers.
const (
	// DeploymentTemplateFinalizer keeps a DeploymentTemplate until all that it deployed is deleted.
	DeploymentTemplateFinalizer = "radapp.io/deployment-template-finalizer"
	// DeploymentResourceFinalizer keeps a DeploymentResource until its resource is deleted.
	DeploymentResourceFinalizer = "radapp.io/deployment-resource-finalizer"
)

// Annotations that users set.
const (
	// SuspendAnnotation with the value "true" stops all requests for a DeploymentTemplate.
	SuspendAnnotation = "radapp.io/suspend"
	// ReconcileRequestAnnotation asks, with each new value, for a look at every resource now.
	ReconcileRequestAnnotation = "radapp.io/reconcile-requested-at"
	// RedeployRequestAnnotation asks, with each new value, to send what is deployed already once more.
	RedeployRequestAnnotation = "radapp.io/redeploy-requested-at"
	// DeletionPolicyAnnotation with the value "orphan" leaves resources alone when the object is deleted.
	DeletionPolicyAnnotation = "radapp.io/deletion-policy"
	// ConfirmDeletionAnnotation, with the token of status.held, lets the resources be deleted that are held.
	ConfirmDeletionAnnotation = "radapp.io/confirm-deletion"
	// AcceptUnreadableAnnotation with the value "true" lets Ready be True although resources whose types have checks cannot be read.
	AcceptUnreadableAnnotation = "radapp.io/accept-unreadable"
	// ControllerClassAnnotation names the class of the controller that reconciles the object.
	ControllerClassAnnotation = "radapp.io/controller-class"

	// DeletionPolicyOrphan is a value of DeletionPolicyAnnotation.
	DeletionPolicyOrphan = "orphan"
)

// DeployedAgainAnnotation is set by the controller on a DeploymentResource that is being deleted
// when its resource has been deployed again meanwhile.
const DeployedAgainAnnotation = "radapp.io/deployed-again"

// DroppedAnnotation is set by the controller on a DeploymentResource when another DeploymentTemplate, which deployed the resource
// too, does not any more. Its value is the UID of that one's object. What that one made of the
// resource may be left, so the owner deploys again.
const DroppedAnnotation = "radapp.io/dropped-by-another"

// OwnerNameAnnotation is set by the controller on a DeploymentResource: the name of its DeploymentTemplate. With
// OwnerUIDLabel it says whose the object is when its owner reference was removed.
const OwnerNameAnnotation = "radapp.io/deployment-template"

// Labels that the controller sets on a DeploymentResource.
const (
	// ResourceHashLabel holds a hash of the lower-case resource ID.
	ResourceHashLabel = "radapp.io/resource-hash"
	// OwnerUIDLabel holds the UID of the DeploymentTemplate.
	OwnerUIDLabel = "radapp.io/deployment-template-uid"
)

// Condition types of both kinds.
const (
	ConditionReady       = "Ready"
	ConditionReconciling = "Reconciling"
	ConditionStalled     = "Stalled"
)

// ConditionObserved of a DeploymentTemplate is there, and False, while what was deployed could not be looked at for minutes.
const ConditionObserved = "Observed"

// Reasons of conditions.
const (
	ReasonSucceeded             = "Succeeded"
	ReasonCreating              = "Creating"
	ReasonFailed                = "Failed"
	ReasonDeleting              = "Deleting"
	ReasonDeleted               = "Deleted"
	ReasonDeletionFailed        = "DeletionFailed"
	ReasonSuspended             = "Suspended"
	ReasonInvalidSpec           = "InvalidSpec"
	ReasonScopeNotAllowed       = "ScopeNotAllowed"
	ReasonRadiusUnavailable     = "RadiusUnavailable"
	ReasonAzureUnavailable      = "AzureUnavailable"
	ReasonReadyPendingCleanup   = "ReadyPendingCleanup"
	ReasonResourceNotReady      = "ResourceNotReady"
	ReasonCheckFailed           = "CheckFailed"
	ReasonNotRecorded           = "NotRecorded"
	ReasonOutputsUnknown        = "OutputsUnknown"
	ReasonResourceNotReadable   = "ResourceNotReadable"
	ReasonSchemaOutdated        = "SchemaOutdated"
	ReasonNamespaceCloses       = "NamespaceCloses"
	ReasonObjectRefused         = "ObjectRefused"
	ReasonOperationTimedOut     = "OperationTimedOut"
	ReasonParametersUnavailable = "ParametersUnavailable"
	ReasonDependencyNotReady    = "DependencyNotReady"
)

// Reasons of events.
const (
	EventDeploymentStarted   = "DeploymentStarted"
	EventDeploymentSucceeded = "DeploymentSucceeded"
	EventDeploymentFailed    = "DeploymentFailed"
	EventResourceDeployed    = "ResourceDeployed"
	EventResourceDeleted     = "ResourceDeleted"
	EventResourceOrphaned    = "ResourceOrphaned"
	EventDriftRepaired       = "DriftRepaired"
	EventDeletionFailed      = "DeletionFailed"
	EventResourceConflict    = "ResourceConflict"
	EventRadiusUnavailable   = "RadiusUnavailable"
	EventAzureUnavailable    = "AzureUnavailable"
	EventResourceNotReadable = "ResourceNotReadable"
	EventInvalidSpec         = "InvalidSpec"
	EventDeletionSkipped     = "DeletionSkipped"
	EventOutputsUnknown      = "OutputsUnknown"
	EventSchemaOutdated      = "SchemaOutdated"
	EventObjectRefused       = "ObjectRefused"

	EventOperationTimedOut     = "OperationTimedOut"
	EventParametersUnavailable = "ParametersUnavailable"
	EventDependencyNotReady    = "DependencyNotReady"
)
