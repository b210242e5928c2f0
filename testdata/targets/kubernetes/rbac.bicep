extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

resource account 'core/ServiceAccount@v1' = {
  metadata: { name: 'web' }
  automountServiceAccountToken: false
}

resource role 'rbac.authorization.k8s.io/Role@v1' = {
  metadata: { name: 'shop:reader' }
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }]
}

resource binding 'rbac.authorization.k8s.io/RoleBinding@v1' = {
  metadata: { name: 'shop:reader' }
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role.metadata.name }
  subjects: [{ kind: 'ServiceAccount', name: account.metadata.name, namespace: account.metadata.namespace }]
}

resource nodes 'rbac.authorization.k8s.io/ClusterRole@v1' = {
  metadata: { name: 'shop:nodes' }
  rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }]
}

resource all 'rbac.authorization.k8s.io/ClusterRoleBinding@v1' = {
  metadata: { name: 'shop:nodes' }
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: nodes.metadata.name }
  subjects: [{ kind: 'ServiceAccount', name: account.metadata.name, namespace: account.metadata.namespace }]
}
