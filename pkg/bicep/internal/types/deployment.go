package types

// DeploymentName is the type of the names of deployments.
func DeploymentName() Type {
	return NewString(Len(1), Len(64), `^[-\w._()]+$`, 0)
}

// UsingConfig is the type of the `with` of a using statement, which says how to deploy.
func UsingConfig() Type {
	optional := WriteOnly | DeployTimeConstant | ReadableAtDeployTime | DisallowAny
	required := optional | Required
	common := []Property{
		{Name: "name", Type: DeploymentName(), Flags: optional},
		{Name: "scope", Type: TString, Flags: required},
		{Name: "location", Type: TString, Flags: optional},
	}
	with := func(name string, more ...Property) Ref {
		return NewObject(name, 0, append(append([]Property(nil), common...), more...), nil)
	}
	remove := NewUnion(Str("delete"), Str("detach"))
	unmanaged := NewObject("actionOnUnmanage", 0, []Property{
		{Name: "resources", Type: remove, Flags: required},
		{Name: "resourceGroups", Type: remove, Flags: optional},
		{Name: "managementGroups", Type: remove, Flags: optional},
	}, nil)
	deny := NewObject("denySettings", 0, []Property{
		{Name: "applyToChildScopes", Type: TBool, Flags: optional},
		{Name: "excludedActions", Type: TStringArray, Flags: optional},
		{Name: "excludedPrincipals", Type: TStringArray, Flags: optional},
		{Name: "mode", Type: NewUnion(Str("denyDelete"), Str("denyWriteAndDelete"), Str("none")), Flags: required},
	}, nil)
	t := NewDiscriminatedObject("Config", 0, "mode", []Ref{
		with("DeploymentConfig", Property{Name: "mode", Type: Str("deployment"), Flags: required}),
		with("StackConfig",
			Property{Name: "description", Type: TString, Flags: optional},
			Property{Name: "mode", Type: Str("stack"), Flags: required},
			Property{Name: "actionOnUnmanage", Type: unmanaged, Flags: required},
			Property{Name: "denySettings", Type: deny, Flags: required},
		),
	})
	if t == nil {
		return TAny
	}
	return t
}
