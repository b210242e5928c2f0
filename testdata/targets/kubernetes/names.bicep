extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

param nothing string = ''

resource upper 'core/ConfigMap@v1' = {
  metadata: { name: 'Shop_Settings' }
}

resource dots 'core/Service@v1' = {
  metadata: { name: 'web.shop' }
}

resource digit 'core/Service@v1' = {
  metadata: { name: '1st' }
}

resource space 'core/Namespace@v1' = {
  metadata: { name: 'shop.eu' }
}

resource far 'core/ConfigMap@v1' = {
  metadata: { name: 'far', namespace: 'far.away' }
}

resource role 'rbac.authorization.k8s.io/ClusterRole@v1' = {
  metadata: { name: 'shop/reader' }
}

resource empty 'core/ConfigMap@v1' = {
  metadata: { name: nothing }
}

resource long 'batch/CronJob@v1' = {
  metadata: { name: 'a-job-whose-name-is-so-long-that-its-jobs-have-no-room-for-theirs' }
}

resource unnamed 'core/ConfigMap@v1' = {
  metadata: any({ labels: {} })
}

resource number 'core/ConfigMap@v1' = {
  metadata: { name: any(1) }
}
