# What measures, and what compares with other programs: it takes too long for every change, or needs what is not here.
# The Makefile includes it.

##@ Speed, memory and growth

BENCHSTAT = $(GO) run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da

.PHONY: bench
bench: ## Write what the benchmarks allocate to cmd/rad/internal/command/testdata/costs.txt
	GOMAXPROCS=1 $(GO) test -tags costs ./cmd/rad/internal/command -run '^TestCosts$$' -count=1 -update
	@git diff --stat -- cmd/rad/internal/command/testdata/costs.txt

.PHONY: bench-check
bench-check: ## Fail if a benchmark allocates 5 % more, or makes 10 % more page faults, than cmd/rad/internal/command/testdata/costs.txt says
	GOMAXPROCS=1 $(GO) test -tags costs ./cmd/rad/internal/command -run '^TestCosts$$' -count=1

REF ?= main
COUNT ?= 6
BENCH ?= .
.PHONY: bench-compare
bench-compare: ## Compare the benchmarks with another commit: REF=main, COUNT=6, BENCH=.
	rm -rf bin/bench && mkdir -p bin/bench
	git worktree prune && git worktree add -q --detach bin/bench/ref $(REF)
	cp cmd/rad/internal/command/bench_test.go bin/bench/ref/cmd/rad/internal/command/
	$(GO) test -c -o bin/bench/new.test ./cmd/rad/internal/command
	$(GO) -C bin/bench/ref test -c -o ../old.test ./cmd/rad/internal/command
	for i in $$(seq $(COUNT)); do for side in old new; do \
	  GOMAXPROCS=1 bin/bench/$$side.test -test.run '^$$' -test.bench 'Run/($(BENCH))' -test.benchmem -test.benchtime 5x >> bin/bench/$$side.txt || exit 1; \
	done; done
	git worktree remove --force bin/bench/ref
	$(BENCHSTAT) bin/bench/old.txt bin/bench/new.txt

.PHONY: profile
profile: ## Profile the three largest benchmarks: bin/profiles/*.cpu, *.mem
	mkdir -p bin/profiles && $(GO) test -c -o bin/profiles/rad.test ./cmd/rad/internal/command
	for name in resources=20000 files=300 containers=500; do \
	  GOMAXPROCS=1 bin/profiles/rad.test -test.run '^$$' -test.bench "Run/$$name$$" -test.benchtime 3s -test.cpuprofile bin/profiles/$$name.cpu || exit 1; \
	  GOMAXPROCS=1 bin/profiles/rad.test -test.run '^$$' -test.bench "Run/$$name$$" -test.benchtime 2x -test.memprofile bin/profiles/$$name.mem -test.memprofilerate 4096 || exit 1; \
	  $(GO) tool pprof -top -nodecount 15 bin/profiles/rad.test bin/profiles/$$name.cpu; \
	done
	@echo "go tool pprof -http=: bin/profiles/rad.test bin/profiles/NAME.cpu shows one; -sample_index=alloc_space is for NAME.mem"

.PHONY: pgo
pgo: ## Write cmd/rad/rad.pgo again, the profile with which releases are built
	rm -rf bin/pgo && mkdir -p bin/pgo && $(GO) test -trimpath -c -o bin/pgo/rad.test ./cmd/rad/internal/command
	for name in small manifest containers=500 resources=1000 resources=20000 files=300 modules=100 variables=4000 lint format; do \
	  GOMAXPROCS=1 bin/pgo/rad.test -test.run '^$$' -test.bench "Run/$$name$$" -test.benchtime 2s -test.cpuprofile bin/pgo/$$name.cpu || exit 1; \
	done
	$(GO) tool pprof -proto bin/pgo/*.cpu > cmd/rad/rad.pgo

.PHONY: limits
limits: ## Measure memory and time on large and hostile input, with 4 GB of address space (Linux)
	$(GO) test -tags limits ./cmd/rad/test -run '^TestLimits$$' -count=1 -v

PARTS ?= 30
.PHONY: growth
growth: ## Run families of programs, and random ones (SEED), at PARTS (30) and four times as many: work out of proportion fails
	$(GO) test ./cmd/rad/test -run '^TestGrowth' -count=1 -timeout 0 -args -growth $(PARTS) -growthseed $(or $(SEED),1)

##@ Tests of tests

GREMLINS = $(GO) run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
.PHONY: mutants
mutants: ## Change places of a package (PKG) one at a time, of those that differ from a commit (DIFF), and list those that its tests do not notice
	@[ -n "$(PKG)" ] || { echo "usage: make mutants PKG=./pkg/params [DIFF=main]"; exit 2; }
	$(GREMLINS) unleash --timeout-coefficient 20 --output-statuses lct $(if $(DIFF),--diff $(DIFF)) $(PKG)

.PHONY: thorough
thorough: ## Run all cases of the tests of which go test takes a sample: routes of secrets, values that are told apart, edits of a workspace
	$(GO) test ./cmd/rad/test ./pkg/bicep -run '^(TestSecretRoutes|TestCommandsDoNotTellValuesApart|TestRecipesDoNotTellSecretsApart|TestWorkspaceEqualsFresh)$$' -count=1 -v

FUZZTIME ?= 2m
# Each fuzz target has to be run by itself.
.PHONY: fuzz
fuzz: ## Fuzz each target for FUZZTIME (2m)
	@for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test $$p -list '^Fuzz' | grep '^Fuzz'); do \
	    echo "$$p $$f"; $(GO) test $$p -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5s || exit 1; \
	  done; \
	done

.PHONY: fuzz-long
fuzz-long: ## Fuzz each target for ten minutes
	$(MAKE) --no-print-directory fuzz FUZZTIME=10m

##@ Comparison with other programs

EVERY ?= 1
.PHONY: official
official: ## Compare the recorded answers and the samples with an installed Bicep: BICEP=PATH, EVERY=N
	@[ -n "$(BICEP)" ] || { echo "usage: make official BICEP=/path/to/bicep [EVERY=N]"; exit 2; }
	$(GO) test ./pkg/bicep -run '^TestInstalledCompiler$$' -count=1 -timeout 0 -v -args -bicep "$(abspath $(BICEP))" -every $(EVERY)

.PHONY: answers
answers: ## Bring testdata/official up to the recorded answers: FROM=FOLDER, as the conformance tools write them
	@[ -n "$(FROM)" ] || { echo "usage: make answers FROM=FOLDER"; exit 2; }
	$(GO) run ./pkg/bicep/internal/recorded --from "$(FROM)"

.PHONY: corpus
corpus: ## Run the tests that need Azure/bicep (BICEP_CORPUS), Radius (RADIUS_CORPUS) and type archives (RAD_TYPE_ARCHIVES)
	$(GO) test -tags corpus ./pkg/bicep/internal/...
	$(GO) test -tags corpus ./pkg/bicep -run '^TestRadius'

.PHONY: radius-types
radius-types: ## Write the types of Radius' releases from the tags of a git directory of radius-project/radius: RADIUS=DIR
	@[ -n "$(RADIUS)" ] || { echo "usage: make radius-types RADIUS=DIR"; exit 2; }
	mkdir -p bin && $(GO) run ./pkg/bicep/internal/typelib/generate -radius "$(abspath $(RADIUS))" > bin/radius.txt
	mv bin/radius.txt pkg/bicep/internal/typelib/radius.txt
	$(GO) run ./pkg/bicep/recipes/generate -radius "$(abspath $(RADIUS))" > bin/radius.txt
	mv bin/radius.txt pkg/bicep/recipes/types.txt

# CONTRIB is a git directory of radius-project/resource-types-contrib, AVM one of Azure/bicep-registry-modules, for the modules of
# contrib's pack for Azure. The cases of Radius' own tests are taken from its module while they run.
.PHONY: recipes-oracle
recipes-oracle: ## Compare package recipes with Radius' own functions: CONTRIB=DIR, AVM=DIR
	@[ -n "$(CONTRIB)" ] || { echo "usage: make recipes-oracle CONTRIB=DIR"; exit 2; }
	rm -rf bin/recipes && mkdir -p bin/recipes
	cd controller/test/radius/programs && CGO_ENABLED=0 $(GO) build -trimpath -o "$(CURDIR)/bin/recipes/oracle" ./recipes && \
	  dir="$$($(GO) list -m -f '{{.Dir}}' github.com/radius-project/radius)/pkg/recipes/paramresolver" && \
	  sed 's/^func ResolveParameterExpressions(/func resolved(/' "$$dir/resolver.go" > "$(CURDIR)/bin/recipes/resolver.txt" && \
	  printf '{"Replace": {"%s/cases/resolver.go": "%s/resolver.txt", "%s/cases/resolver_test.go": "%s/resolver_test.go", "%s/cases/record.go": "%s"}}' \
	    "$$PWD" "$(CURDIR)/bin/recipes" "$$PWD" "$$dir" "$$PWD" "$$PWD/recipes/testdata/record.go" > "$(CURDIR)/bin/recipes/overlay.json" && \
	  $(GO) test -vet=off -c -o "$(CURDIR)/bin/recipes/test" -overlay "$(CURDIR)/bin/recipes/overlay.json" ./cases
	RECIPES_CASES="$(CURDIR)/bin/recipes/cases" bin/recipes/test
	RECIPES_ORACLE="$(CURDIR)/bin/recipes/oracle" RECIPES_CASES="$(CURDIR)/bin/recipes/cases" RECIPES_CONTRIB="$(abspath $(CONTRIB))" \
	  $(GO) test ./pkg/bicep/recipes -count=1 -v
	$(MAKE) --no-print-directory recipes-objects

# With CONTRIB, the objects are those of its applications, too, and with AVM those of its pack for Azure.
.PHONY: recipes-objects
recipes-objects:
	rm -rf bin/objects && mkdir -p bin/objects
	RECIPES_CONTRIB="$(abspath $(CONTRIB))" RECIPES_AVM="$(abspath $(AVM))" \
	  RECIPES_OBJECTS="$(CURDIR)/bin/objects" $(GO) test ./cmd/rad/test -run '^(TestContribRecipes|TestAzurePack)$$' -count=1 -v

.PHONY: plan-edits
plan-edits: ## Plan the programs of a folder (REPO=DIR, MOST=250) after edits that keep what they deploy, and after edits that change it
	RAD_EDITS="$(abspath $(REPO))" RAD_EDITS_MOST="$(or $(MOST),250)" $(GO) test ./pkg/bicep/plan -run '^TestEdits$$' -count=1 -v -timeout 60m

# Modules of their own: the first builds kustomize, helm and oras, the second Argo CD's plugin server.
.PHONY: examples
examples: ## Run the examples with the real programs: the first time builds them, which takes minutes
	cd examples/test && CGO_ENABLED=0 $(GO) test -count=1 ./...
	cd examples/argocd/test && CGO_ENABLED=0 $(GO) test -count=1 ./...

.PHONY: aso-table
aso-table: ## Make the table of Azure Service Operator's kinds, of the version that its go.mod requires
	cd testdata/targets/asotable && $(GO) mod download && $(GO) run . -out ../../../pkg/manifest/aso/table.gz

.PHONY: schema-table
schema-table: ## Make the table of the kinds of Kubernetes and Gateway API, of the versions that its program names
	cd testdata/targets/schematable && $(GO) run . -out ../../../pkg/manifest/schema/table.gz

# The CRDs of Azure Service Operator are made of its module; those of Cluster API and its providers, and of Crossplane's
# provider-kubernetes, are in theirs. Those of Crossplane's other providers are in their repositories: TARGETS_CRDS lists more folders,
# separated by colons. Plain objects are applied
# to the kube-apiserver of the controller's tests, which takes ten minutes to build the first time. With CONTRIB and AVM, as
# recipes-oracle has them, those of more applications of Radius are.
CONTROLLER_GEN = $(GO) run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.21.0
CRD_MODULES = sigs.k8s.io/cluster-api@v1.14.2:core/config/crd/bases sigs.k8s.io/cluster-api-provider-azure@v1.21.0:config/crd/bases \
  sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0:config/crd/bases sigs.k8s.io/cluster-api-provider-gcp@v1.13.1:config/crd/bases \
  github.com/crossplane-contrib/provider-kubernetes@v1.3.1:package/crds
.PHONY: targets-e2e
targets-e2e: ## Apply the objects of the targets' programs to an API server with the real CRDs (TARGETS_CRDS: more of them)
	cd testdata/targets/asotable && $(GO) test ./... -count=1
	rm -rf bin/crds && mkdir -p bin/crds/described
	cd testdata/targets/asotable && api="$$($(GO) list -m -f '{{.Dir}}' github.com/Azure/azure-service-operator/v2)/api" && \
	  for group in $$(cd "$$api" && ls -d */); do \
	    $(CONTROLLER_GEN) crd:maxDescLen=0,allowDangerousTypes=true "paths=github.com/Azure/azure-service-operator/v2/api/$${group}..." output:crd:dir="$(CURDIR)/bin/crds" || exit 1; \
	    $(CONTROLLER_GEN) crd:allowDangerousTypes=true "paths=github.com/Azure/azure-service-operator/v2/api/$${group}..." output:crd:dir="$(CURDIR)/bin/crds/described" || exit 1; \
	  done
	for one in $(CRD_MODULES); do \
	  dir="$$($(GO) mod download -json "$${one%:*}" | sed -n 's/.*"Dir": "\(.*\)",/\1/p')" && cp "$$dir/$${one##*:}"/*.yaml bin/crds || exit 1; \
	done
	TARGETS_CRDS="$(CURDIR)/bin/crds/described" $(GO) test ./pkg/manifest/aso -run TestSamplesByCRDs -count=1
	$(MAKE) -C controller e2e-plane
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o controller/bin/e2e/rad ./cmd/rad
	$(if $(CONTRIB),$(MAKE) --no-print-directory recipes-objects)
	cd testdata/targets/e2e && TARGETS_CRDS="$(CURDIR)/bin/crds:$(TARGETS_CRDS)" TARGETS_PLANE="$(CURDIR)/controller/bin/e2e" \
	  TARGETS_OBJECTS="$(if $(CONTRIB),$(CURDIR)/bin/objects)" $(GO) test ./... -count=1 -v
	cd controller && TARGETS_CRDS="$(CURDIR)/bin/crds" $(GO) test -tags e2e ./test/e2e -run TestObjectsForAzure -count=1 -v

.PHONY: rpc-clients
rpc-clients: ## Run other people's programs against jsonrpc; BICEP_TESTING and AVM are git directories of bicep-testing and bicep-registry-modules
	$(GO) build -trimpath -o bin/rad ./cmd/rad
	BICEP_TESTING="$(BICEP_TESTING)" AVM="$(AVM)" sh cmd/rad/test/testdata/rpcclients/run.sh bin/rad

.PHONY: radius-e2e
radius-e2e: ## Deploy samples through the controller to Radius itself: the first time builds its programs, which takes ten minutes
	$(MAKE) --no-print-directory -C controller radius-e2e

# CONTRIB is a git directory of radius-project/resource-types-contrib: with it, its applications and those of Radius' own tests
# are deployed, too, and compared. RECIPES_UPDATE=1 writes the recordings of ours anew. radius-e2e deploys ours, too.
.PHONY: recipes-e2e
recipes-e2e: ## Deploy applications with recipes to Radius itself, and compare the objects: CONTRIB=DIR adds those of other people
	CONTRIB="$(abspath $(CONTRIB))" $(MAKE) --no-print-directory -C controller recipes-e2e
	$(GO) test ./cmd/rad/test ./pkg/bicep/recipes -run TestRecorded -count=1 -v
	[ -z "$(CONTRIB)" ] || RECIPES_FOLDERS="$(CURDIR)/controller/bin/_recipes/radius:$(CURDIR)/controller/bin/_recipes/contrib" \
	  $(GO) test ./cmd/rad/test ./pkg/bicep/recipes -run TestRecorded -count=1 -v

.PHONY: gitops-e2e
gitops-e2e: ## Deploy a Git repository with Flux, the controller and Radius itself: the first time builds Flux, too, which takes ten minutes more
	$(MAKE) --no-print-directory -C controller gitops-e2e
