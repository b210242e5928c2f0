// Package v1alpha3 holds the API types DeploymentTemplate and DeploymentResource.
//
// +kubebuilder:object:generate=true
// +groupName=radapp.io
package v1alpha3

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of the types in this package.
var GroupVersion = schema.GroupVersion{Group: "radapp.io", Version: "v1alpha3"}

// AddToScheme adds the types of this package to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion,
		&DeploymentTemplate{}, &DeploymentTemplateList{},
		&DeploymentResource{}, &DeploymentResourceList{})
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
}
