# What a developer does every day. `make` alone lists it.

GO ?= go
# staticcheck is run at one version, so that a check that passed keeps passing.
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.7.0
BENCHSTAT = $(GO) run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
# The race detector needs cgo, and with it a C compiler.
RACE := $(shell command -v $${CC:-cc} >/dev/null 2>&1 && echo -race)
FUZZTIME ?= 2m
BIN ?= bin/rad

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Releases are built with a profile of the benchmarks, which makes them 2 to 11 % faster. Its name is not default.pgo:
# `go test ./...` would compile every package twice then.
PROFILE = -pgo=cmd/rad/rad.pgo

.PHONY: build
build: ## Build bin/rad: one static binary
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o $(BIN) ./cmd/rad

# No repository of this project holds Azure's types. Releases are built with a library of them,
# which is made of the types that the official compiler of the same version has.
AZTYPES_COMMIT = 127544984ca3bc42936294e7afa723f9b5c2beaa
AZTYPES_REPO ?= https://github.com/Azure/bicep-types-az
AZTYPES = pkg/bicep/internal/aztypes/library.aztypes

.PHONY: aztypes
aztypes: ## Make the library of Azure's types, of AZTYPES_REPO (a URL or a git directory)
	rm -rf bin/aztypes && mkdir -p bin/aztypes/types
	if [ -d '$(AZTYPES_REPO)' ]; then ln -s "$$(realpath '$(AZTYPES_REPO)')" bin/aztypes/repo; \
	else git init -q bin/aztypes/repo && git -C bin/aztypes/repo fetch -q --depth 1 '$(AZTYPES_REPO)' $(AZTYPES_COMMIT); fi
	git -C bin/aztypes/repo -c core.attributesFile= archive $(AZTYPES_COMMIT) LICENSE ':(glob)generated/**/types.json' | tar -x -C bin/aztypes/types
	$(GO) run ./pkg/bicep/internal/aztypes/generate --from bin/aztypes/types --out $(AZTYPES) \
	  --source 'Azure/bicep-types-az@$(AZTYPES_COMMIT)'
	$(GO) run ./pkg/bicep/internal/aztypes/generate --check --from bin/aztypes/types --out $(AZTYPES)
	rm -rf bin/aztypes

.PHONY: release
release: aztypes ## Build bin/rad with Azure's types in it
	CGO_ENABLED=0 $(GO) build -tags aztypes $(PROFILE) -trimpath -ldflags '-s -w' -o bin/rad ./cmd/rad

# Completions and manual pages, as packages hold them.
PAGES = bin/pages

.PHONY: pages
pages: ## Write completions and manual pages to bin/pages
	rm -rf $(PAGES) && mkdir -p $(PAGES)/completions
	CGO_ENABLED=0 $(GO) build -trimpath -o $(PAGES)/rad ./cmd/rad
	$(PAGES)/rad help --man $(PAGES)/man
	$(PAGES)/rad completion bash > $(PAGES)/completions/rad.bash
	$(PAGES)/rad completion zsh > $(PAGES)/completions/_rad
	$(PAGES)/rad completion fish > $(PAGES)/completions/rad.fish
	$(PAGES)/rad completion powershell > $(PAGES)/completions/rad.ps1
	rm $(PAGES)/rad

GORELEASER ?= $(GO) run github.com/goreleaser/goreleaser/v2@v2.15.1
# Releases are built with Azure's types; a snapshot is where they were made.
RAD_TAGS ?= $(if $(wildcard $(AZTYPES)),aztypes)

.PHONY: release-check
release-check: ## Check .goreleaser.yaml
	$(GORELEASER) check

.PHONY: release-snapshot
release-snapshot: ## Make all files of a release in dist/, without publishing or signing
	RAD_TAGS=$(RAD_TAGS) AZTYPES_COMMIT=$(AZTYPES_COMMIT) $(GORELEASER) release --snapshot --clean --skip=sign
	$(MAKE) --no-print-directory image

.PHONY: release-publish
release-publish: ## Publish the release of the tag that is checked out: the workflow does that
	@[ -f $(AZTYPES) ] || { echo "a release has Azure's types: run make aztypes first"; exit 2; }
	RAD_TAGS=aztypes AZTYPES_COMMIT=$(AZTYPES_COMMIT) $(GORELEASER) release --clean
	$(MAKE) --no-print-directory image

# The version that GoReleaser gave to what is in dist/.
RELEASED = $(shell sed -n 's/.*"version":"\([^"]*\)".*/\1/p' dist/metadata.json)
CERTIFICATES ?= /etc/ssl/certs/ca-certificates.crt

.PHONY: image
image: ## Make the container image of the programs in dist/, as an OCI layout: dist/image
	rm -rf dist/image
	$(GO) run ./cmd/rad/internal/tools/image -out dist/image -tag v$(RELEASED) -version v$(RELEASED) \
	  -revision $$(git rev-parse HEAD) -created $$(TZ=UTC0 git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd) -certificates '$(CERTIFICATES)' \
	  linux/amd64=$$(ls dist/rad_linux_amd64*/rad) linux/arm64=$$(ls dist/rad_linux_arm64*/rad)

IMAGE ?= ghcr.io/radbicep/rad
ORAS = $(GO) run oras.land/oras/cmd/oras@v1.3.6

.PHONY: image-push
image-push: ## Push dist/image to IMAGE, as REGISTRY_USER with REGISTRY_PASSWORD
	@printf '%s' "$$REGISTRY_PASSWORD" | $(ORAS) login --username "$$REGISTRY_USER" --password-stdin '$(firstword $(subst /, ,$(IMAGE)))'
	$(ORAS) cp --recursive --from-oci-layout dist/image:v$(RELEASED) '$(IMAGE):v$(RELEASED),latest'
	@digest=$$(jq -r '.manifests[0].digest' dist/image/index.json); echo "$$digest"; \
	[ -z "$$GITHUB_OUTPUT" ] || echo "digest=$$digest" >> "$$GITHUB_OUTPUT"

# The two clones are at different places, and the second one has an empty build cache.
.PHONY: reproducible
reproducible: export GOFLAGS = $(PROFILE)
reproducible: ## Prove that two builds of this commit are equal
	rm -rf bin/reproducible && mkdir -p bin/reproducible
	git clone -q . bin/reproducible/one && git clone -q . bin/reproducible/other-place
	$(MAKE) --no-print-directory -C bin/reproducible/one build pages
	GOCACHE=$(CURDIR)/bin/reproducible/cache $(MAKE) --no-print-directory -C bin/reproducible/other-place build pages
	diff -r bin/reproducible/one/bin bin/reproducible/other-place/bin
	sha256sum bin/reproducible/*/bin/rad
	rm -rf bin/reproducible

# Modules of their own: the first builds kustomize, helm and oras, the second Argo CD's plugin server.
.PHONY: examples
examples: ## Run the examples with the real programs: the first time builds them, which takes minutes
	cd examples/test && CGO_ENABLED=0 $(GO) test -count=1 ./...
	cd examples/argocd/test && CGO_ENABLED=0 $(GO) test -count=1 ./...

.PHONY: workflows
workflows: ## Check the workflows of GitHub Actions
	$(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

.PHONY: install
install: ## Install rad where go installs programs
	CGO_ENABLED=0 $(GO) install -trimpath -ldflags '-s -w' ./cmd/rad

.PHONY: test
test: ## Run the tests
	$(GO) test ./...

.PHONY: lint
lint: ## Check rules of this repository that the other linters do not know
	$(GO) run ./cmd/rad/internal/tools/lint

.PHONY: check
check: ## Everything that must hold before a change lands
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "gofmt would change: $$unformatted"; exit 1; }
	$(GO) vet -tags costs,static,limits,corpus ./...
	$(STATICCHECK) ./...
	$(MAKE) --no-print-directory lint
	$(GO) mod tidy -diff
	GORACE=atexit_sleep_ms=10 $(GO) test $(RACE) -timeout 30m ./...
	$(GO) test -tags static ./cmd/rad/test -run '^TestMakeBuildIsStatic$$' -count=1
	$(MAKE) --no-print-directory bench-check
	$(MAKE) --no-print-directory golden
	@changed=$$(git status --porcelain -- testdata 'pkg/*/testdata' pkg/bicep/DIAGNOSTICS.md); [ -z "$$changed" ] || { echo "goldens changed:"; echo "$$changed"; exit 1; }

.PHONY: fix
fix: ## Apply automatic fixes (gofmt, go mod tidy)
	gofmt -w $$(git ls-files '*.go')
	$(GO) mod tidy

.PHONY: golden
golden: ## Write the expected outputs of the samples and the cases, the page of diagnostics and the schemas
	$(GO) test ./cmd/rad/test -run 'TestSamples|TestThePageOfDiagnosticsIsFresh' -update -count=1
	$(GO) test ./cmd/rad/internal/schema -run 'TestSchemasArePublished' -update -count=1
	$(GO) test $(patsubst %/testdata/cases,./%,$(wildcard pkg/bicep/testdata/cases pkg/bicep/*/testdata/cases pkg/bicep/internal/*/testdata/cases)) -run 'TestCases' -update -count=1
	$(GO) test ./pkg/bicep/plan ./pkg/bicep/internal/eval -run 'TestPrintedPlans|TestMarks' -update -count=1

.PHONY: plan-edits
plan-edits: ## Plan the programs of a folder (REPO=DIR, MOST=250) after edits that keep what they deploy, and after edits that change it
	RAD_EDITS="$(abspath $(REPO))" RAD_EDITS_MOST="$(or $(MOST),250)" $(GO) test ./pkg/bicep/plan -run '^TestEdits$$' -count=1 -v -timeout 60m

.PHONY: api
api: ## Write docs/api.txt, the list of what the exported Go packages declare
	$(GO) test ./pkg/internal/api -run TestAPI -update -count=1

.PHONY: aso-table
aso-table: ## Make the table of Azure Service Operator's kinds, of the version that its go.mod requires
	cd testdata/targets/asotable && $(GO) mod download && $(GO) run . -out ../../../pkg/manifest/aso/table.gz

# The CRDs of Azure Service Operator are made of its module. Those of Crossplane's providers and of
# Cluster API are in their repositories: TARGETS_CRDS lists folders of them, separated by colons.
CONTROLLER_GEN = $(GO) run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.21.0
.PHONY: targets-e2e
targets-e2e: ## Apply the objects of the targets' programs to an API server with the real CRDs (TARGETS_CRDS: more of them)
	cd testdata/targets/asotable && $(GO) test ./... -count=1
	rm -rf bin/crds && mkdir -p bin/crds
	cd testdata/targets/asotable && api="$$($(GO) list -m -f '{{.Dir}}' github.com/Azure/azure-service-operator/v2)/api" && \
	  for group in $$(cd "$$api" && ls -d */); do \
	    $(CONTROLLER_GEN) crd:maxDescLen=0,allowDangerousTypes=true "paths=github.com/Azure/azure-service-operator/v2/api/$${group}..." output:crd:dir="$(CURDIR)/bin/crds" || exit 1; \
	  done
	cd testdata/targets/e2e && TARGETS_CRDS="$(CURDIR)/bin/crds:$(TARGETS_CRDS)" $(GO) test ./... -count=1 -v

EVERY ?= 1
.PHONY: official
official: ## Compare the recorded answers and the samples with an installed Bicep: BICEP=PATH, EVERY=N
	@[ -n "$(BICEP)" ] || { echo "usage: make official BICEP=/path/to/bicep [EVERY=N]"; exit 2; }
	$(GO) test ./pkg/bicep -run '^TestInstalledCompiler$$' -count=1 -timeout 0 -v -args -bicep "$(abspath $(BICEP))" -every $(EVERY)

.PHONY: answers
answers: ## Bring testdata/official up to the recorded answers: FROM=../shared/conformance/answers
	@[ -n "$(FROM)" ] || { echo "usage: make answers FROM=FOLDER"; exit 2; }
	$(GO) run ./pkg/bicep/internal/recorded --from "$(FROM)"

.PHONY: corpus
corpus: ## Run the tests that need Azure/bicep (BICEP_CORPUS), Radius (RADIUS_CORPUS) and type archives (RAD_TYPE_ARCHIVES)
	$(GO) test -tags corpus ./pkg/bicep/internal/...
	$(GO) test -tags corpus ./pkg/bicep -run '^TestRadiusCorpus$$'

.PHONY: bench
bench: ## Write what the benchmarks allocate to cmd/rad/internal/command/testdata/costs.txt
	GOMAXPROCS=1 $(GO) test -tags costs ./cmd/rad/internal/command -run '^TestCosts$$' -count=1 -update
	@git diff --stat -- cmd/rad/internal/command/testdata/costs.txt

.PHONY: bench-check
bench-check: ## Fail if a benchmark allocates 5 % more than cmd/rad/internal/command/testdata/costs.txt says
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

N ?= 40
.PHONY: mutants
mutants: ## Change N (40) places of packages (PKG) one at a time, as SEED (1) chooses, and list those that their tests do not notice
	@[ -n "$(PKG)" ] || { echo "usage: make mutants PKG=./pkg/params [N=40] [SEED=1]"; exit 2; }
	$(GO) run ./cmd/rad/internal/tools/mutants -n $(N) -seed $(or $(SEED),1) $(PKG)

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

# The controller is a module of its own. Its targets are in controller/Makefile: make controller-test,
# controller-check, controller-build, controller-campaign …
.PHONY: controller-%
controller-%:
	$(MAKE) --no-print-directory -C controller $*

.PHONY: radius-e2e
radius-e2e: ## Deploy samples through the controller to Radius itself: the first time builds its programs, which takes ten minutes
	$(MAKE) --no-print-directory -C controller radius-e2e

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin dist
