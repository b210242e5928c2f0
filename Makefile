# What a developer does every day. `make` alone lists all targets: release.mk has those of releases, measure.mk those that
# measure, and that compare with other programs.

GO ?= go
# staticcheck is run at one version, so that a check that passed keeps passing.
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.7.0
# The race detector needs cgo, and with it a C compiler.
RACE := $(shell command -v $${CC:-cc} >/dev/null 2>&1 && echo -race)
BIN ?= bin/rad

.PHONY: help
help:
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z0-9-]+:.*## / { printf "  %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Every day

.PHONY: build
build: ## Build bin/rad: one static binary
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o $(BIN) ./cmd/rad

.PHONY: test
test: ## Run the tests of both modules: the first time builds Kubernetes' API server, which takes some minutes
	$(GO) test ./...
	cd controller && $(GO) test ./...

.PHONY: check
check: ## Everything that must hold before a change lands
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "gofmt would change: $$unformatted"; exit 1; }
	$(GO) vet -tags costs,static,limits,corpus ./...
	GOOS=js GOARCH=wasm $(GO) build -o /dev/null ./cmd/rad
	$(STATICCHECK) ./...
	$(GO) run ./cmd/rad/internal/tools/lint
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
golden: ## Write the expected outputs of the samples and the cases, the page of diagnostics, the schemas and the list of exported Go declarations
	$(GO) test ./cmd/rad/test -run 'TestSamples|TestThePageOfDiagnosticsIsFresh' -update -count=1
	$(GO) test ./cmd/rad/internal/schema -run 'TestSchemasArePublished' -update -count=1
	$(GO) test $(patsubst %/testdata/cases,./%,$(wildcard pkg/bicep/testdata/cases pkg/bicep/*/testdata/cases pkg/bicep/internal/*/testdata/cases)) -run 'TestCases' -update -count=1
	$(GO) test ./pkg/bicep/plan ./pkg/bicep/internal/eval ./pkg/internal/api -run 'TestPrintedPlans|TestMarks|TestAPI' -update -count=1

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin dist

# The controller is a module of its own, with targets in controller/Makefile: make controller-check, controller-build …
.PHONY: controller-%
controller-%:
	$(MAKE) --no-print-directory -C controller $*

include release.mk measure.mk
